#pragma once

#include <string>
#include <vector>

#include "emulator/driver/arguments.hpp"

namespace warplab::driver {

/// NVIDIA's headers of Thrust, CUB and libcu++, where the user has them. Their code for the device is
/// translated like the user's own.
struct TemplateLibraries {
  std::vector<std::string> folders;  ///< that hold thrust/, cub/ or cuda/std/
  int cub_version = 0;               ///< CUB_VERSION, as 101702; 0: not found
  bool has_libcupp = false;

  /// How the paths of their headers begin: "/usr/include/cub/".
  std::vector<std::string> prefixes() const;
  /// For the preprocessor, after the emulator's own folders. @param used by the source at hand
  std::vector<std::string> preprocess(bool used) const;
  /// For the translator.
  std::vector<std::string> translate() const;
  /// For the compiler, of a source that includes them.
  static std::vector<std::string> compile();
};

/// Looks into the folders of -I and -isystem, of CPATH, of the toolkit that --cuda-path names or, without it,
/// of those that CUDA_PATH names and the usual places have, and where Debian puts them. The first that has a
/// library wins.
TemplateLibraries find_template_libraries(const Arguments& arguments);

/// Whether a folder of -I is the toolkit's own, whose headers the emulator's replace.
bool is_toolkit(const std::string& folder);

}  // namespace warplab::driver
