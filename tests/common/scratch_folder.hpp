#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "common/io/file_content.hpp"
#include "common/io/temporary_folder.hpp"

namespace warplab {

/// A folder of a test's own, removed with it.
class ScratchFolder : public TemporaryFolder {
 public:
  ScratchFolder() : TemporaryFolder(std::filesystem::temp_directory_path() / "warplab-test-") {}

  std::filesystem::path operator/(const std::string& name) const { return path() / name; }

  /// Writes a file, and the folders that lead to it, and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& content) const {
    const std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }
};

inline std::string content_of(const std::filesystem::path& path) { return file_content(path); }

/// What `action` says when it throws an E; "" (and a failure) if it does not.
template <class E, class F>
std::string message_of(F&& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace warplab
