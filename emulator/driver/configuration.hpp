#pragma once

#include <string>
#include <vector>

namespace warplab::driver {

/// How this build compiles .cu files; configuration.cpp is written by CMake.
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

const Configuration& configuration();

}  // namespace warplab::driver
