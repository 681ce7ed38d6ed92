#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "grader/course/course.hpp"
#include "grader/release/released_files.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {

/// All files of a folder by their paths, with their bytes; "*" before those that may be executed.
inline std::map<std::string, std::string> tree_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const bool runs =
        (entry.status().permissions() & std::filesystem::perms::owner_exec) != std::filesystem::perms::none;
    files[entry.path().lexically_relative(folder).generic_string()] =
        (runs ? "*" : "") + bytes_of_file(entry.path());
  }
  return files;
}

/// The labs that are in a tree, as far as a release needs to know them.
inline Course course_of(const std::filesystem::path& root) {
  Course course{.root = root, .labs = {}};
  for (const auto& entry : std::filesystem::directory_iterator(root / "labs"))
    if (entry.is_directory()) {
      const std::string name = entry.path().filename().string();
      course.labs.push_back({.stem = name.substr(name.find('_') + 1), .folder = entry.path(), .tasks = {}});
    }
  return course;
}

}  // namespace warplab
