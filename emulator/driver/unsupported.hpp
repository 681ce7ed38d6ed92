#pragma once

#include <string>
#include <string_view>

namespace warplab::driver {

/// Where the word of a lack is looked for.
enum class Place : unsigned char {
  name,     ///< a name begins with it
  library,  ///< a name begins with it, and goes on as a library's names do
  inside,   ///< anywhere in a name
  header,   ///< the name of a header that the emulator does not have begins with it
};

/// What a program may use and the emulator does not have.
struct Lack {
  const char* word;
  const char* what;
  Place place = Place::name;
  bool needs_gpu = true;   ///< nothing that is installed here would do
  bool of_nvidia = false;  ///< headers of NVIDIA's, which the user may have
};

/// The lack whose word is in the text, or null. @param has_nvidias those headers are here
const Lack* find_lack(std::string_view text, bool has_nvidias = false);

/// Why a compilation with these errors failed, if it is for want of a library or a part of CUDA: a sentence.
/// Empty for errors of the program's own.
std::string unsupported(std::string_view errors);

}  // namespace warplab::driver
