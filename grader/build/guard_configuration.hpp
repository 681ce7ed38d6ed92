#pragma once

#include <string>
#include <vector>

namespace warplab {

/// How this build tree makes guarded modules; guard_configuration.cpp is written by CMake.
struct GuardConfiguration {
  std::string compiler;                 ///< g++
  std::vector<std::string> tools;       ///< as and ld, which the compiler starts
  std::string translator;               ///< warplab-translate
  std::string root, build;              ///< the two trees
  std::vector<std::string> preprocess;  ///< before a file's own folders
  std::vector<std::string> compile;     ///< what was translated, to assembly
  std::vector<std::string> link;        ///< objects to a module
};

/// @return null where nothing can be guarded: on another backend or processor
const GuardConfiguration* guard_configuration();

}  // namespace warplab
