#pragma once

#include <string>
#include <string_view>

namespace warplab::driver {

/// What a program may use and the emulator does not have.
struct Lack {
  const char* word;  ///< in an #include, or in a name
  const char* what;
};

/// The lack whose word is in the text, or null.
const Lack* find_lack(std::string_view text);

/// Why a compilation with these errors failed, if it is for want of a library or a part of CUDA: a sentence.
/// Empty for errors of the program's own.
std::string unsupported(std::string_view errors);

}  // namespace warplab::driver
