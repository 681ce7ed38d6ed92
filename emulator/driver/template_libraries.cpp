#include "emulator/driver/template_libraries.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

bool exists(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

/// g++ searches these without being told.
bool is_default(const std::string& folder) {
  return folder == "/usr/include" || folder == "/usr/local/include";
}

void add_paths_of_variable(const char* name, std::vector<std::string>& folders) {
  const char* const value = std::getenv(name);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
}

/// Where a toolkit has headers: since CUDA 13 those of the libraries are in a folder of their own.
void add_toolkit(const std::string& root, std::vector<std::string>& folders) {
  folders.push_back(root + "/include");
  folders.push_back(root + "/targets/x86_64-linux/include");
  folders.push_back(root + "/targets/sbsa-linux/include");
}

std::vector<std::string> folders_to_search(const Arguments& arguments) {
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < arguments.preprocess.size(); ++i) {
    const std::string& word = arguments.preprocess[i];
    if (word.starts_with("-I")) folders.push_back(word.substr(2));
    if (word == "-isystem" && i + 1 < arguments.preprocess.size())
      folders.push_back(arguments.preprocess[++i]);
  }
  add_paths_of_variable("CPATH", folders);
  add_paths_of_variable("CPLUS_INCLUDE_PATH", folders);
  if (!arguments.toolkit.empty()) {
    add_toolkit(arguments.toolkit, folders);
  } else {
    for (const char* const name : {"CUDA_PATH", "CUDA_HOME"})
      if (const char* const root = std::getenv(name); root != nullptr && *root != '\0')
        add_toolkit(root, folders);
    for (const char* const root : {"/usr/local/cuda", "/opt/cuda"}) add_toolkit(root, folders);
  }
  folders.insert(folders.end(), {"/usr/local/include", "/usr/include"});
  return folders;
}

int version_of_cub(const std::string& folder) {
  std::ifstream file(folder + "/cub/version.cuh");
  for (std::string word; file >> word;) {
    if (word != "CUB_VERSION") continue;
    int version = 0;
    if (file >> version) return version;
    file.clear();  // where it is only mentioned
  }
  return 0;
}

}  // namespace

bool is_toolkit(const std::string& folder) {
  return exists(folder + "/cuda_runtime_api.h") && exists(folder + "/crt/host_defines.h");
}

TemplateLibraries find_template_libraries(const Arguments& arguments) {
  TemplateLibraries found;
  bool has_thrust = false, has_cub = false;
  for (const std::string& searched : folders_to_search(arguments))
    for (const std::string& folder : {searched + "/cccl", searched}) {
      const bool thrust = !has_thrust && exists(folder + "/thrust/version.h");
      const bool cub = !has_cub && exists(folder + "/cub/version.cuh");
      const bool libcupp = !found.has_libcupp && exists(folder + "/cuda/std/version");
      // Those of one version belong together: a libcu++ of another place is of use to a CUB that needs it.
      if (!thrust && !cub && !(libcupp && found.cub_version >= 200000)) continue;
      found.folders.push_back(folder);
      if (cub) found.cub_version = version_of_cub(folder);
      has_thrust |= thrust;
      has_cub |= cub;
      found.has_libcupp |= libcupp;
    }
  return found;
}

std::vector<std::string> TemplateLibraries::prefixes() const {
  std::vector<std::string> list;
  for (const std::string& folder : folders)
    for (const char* const library : {"/thrust/", "/cub/", "/cuda/"}) {
      if (library == std::string_view("/cuda/") && !has_libcupp) continue;
      list.push_back(folder + library);
    }
  return list;
}

std::vector<std::string> TemplateLibraries::preprocess(bool used) const {
  std::vector<std::string> words;
  for (const std::string& folder : folders)
    if (!is_default(folder)) words.insert(words.end(), {"-isystem", folder});
  if (!used) return words;
  if (has_libcupp) words.emplace_back("-DWARPLAB_LIBCUPP");
  words.insert(words.end(), {"-include", "warplab_emulator/api/template_libraries.hpp"});
  return words;
}

std::vector<std::string> TemplateLibraries::translate() const {
  std::vector<std::string> words;
  for (const std::string& prefix : prefixes()) words.insert(words.end(), {"--library", prefix});
  return words;
}

std::vector<std::string> TemplateLibraries::compile() {
  // Classes of CUB use a name before they give it a meaning of their own, which is an error for g++ only.
  return {"-fpermissive"};
}

}  // namespace warplab::driver
