#include "harness/program/cuda_tools.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

namespace warplab {

namespace fs = std::filesystem;

std::string find_cuda_tool(const std::string& name) {
  std::vector<fs::path> folders;
  const char* const path = std::getenv("PATH");
  std::istringstream in(path ? path : "");
  for (std::string folder; std::getline(in, folder, ':');)
    if (!folder.empty()) folders.push_back(folder);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const root = std::getenv(variable)) folders.push_back(fs::path(root) / "bin");
  folders.push_back("/usr/local/cuda/bin");
  for (const fs::path& folder : folders)
    if (access((folder / name).c_str(), X_OK) == 0) return folder / name;
  return "";
}

}  // namespace warplab
