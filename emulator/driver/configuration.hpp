#pragma once

#include <string>
#include <vector>

namespace warplab::driver {

/// How this build compiles .cu files.
struct Configuration {
  std::string compiler;                      ///< g++
  std::vector<std::string> preprocess;       ///< for .cu files, before the user's
  std::vector<std::string> preprocess_lens;  ///< besides, for what the lens watches
  std::vector<std::string> include;          ///< CUDA's headers, for host files
  std::string translator;                    ///< warplab-translate
  std::vector<std::string> compile;          ///< what was translated, for the program
  std::vector<std::string> compile_lens;     ///< what was translated with --lens
  std::vector<std::string> compile_host;     ///< .cpp files, for both
  std::vector<std::string> link;             ///< the emulator's library and where it is found
  std::vector<std::string> link_lens;        ///< besides, for what is loaded beside the program
};

/// Its paths begin where this program is, so that an installed folder may be moved.
const Configuration& configuration();

/// As CMake writes it down (configuration_written.cpp, in the build folder): with @top@ for the folder above
/// this program's.
Configuration written_configuration();

}  // namespace warplab::driver
