#include "grader/release/handed_out.hpp"

#include <filesystem>
#include <sstream>
#include <utility>

#include "grader/release/solution_regions.hpp"
#include "grader/release/withheld_parts.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// Without white space at the ends of lines and of the file, which editors change by themselves.
std::string without_loose_ends(const std::string& text) {
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    kept += line + '\n';
  }
  kept.erase(kept.find_last_not_of('\n') + 1);
  return kept;
}

std::string handed_out_of(const std::string& ours, const std::string& file) {
  return without_solutions(without_withheld_parts(ours, file), file);
}

}  // namespace

std::string handed_out(const Lab& lab, const std::string& file) {
  return handed_out_of(bytes_of_file(lab.folder / file), file);
}

std::map<TaskFile, std::string> given_files(const Course& course) {
  std::map<TaskFile, std::string> given;
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks)
      for (const std::string& file : task.files())
        given[{lab.folder.filename().string(), file}] = handed_out(lab, file);
  return given;
}

FileTexts given_headers(const Lab& lab) {
  FileTexts given;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(lab.folder)) {
    if (entry.path().extension() != ".hpp") continue;
    const std::string name = entry.path().lexically_relative(lab.folder).generic_string();
    std::string text = handed_out(lab, name);
    if (!is_blank(text)) given.emplace(name, std::move(text));
  }
  return given;
}

std::map<std::string, FileTexts> given_headers(const Course& course) {
  std::map<std::string, FileTexts> given;
  for (const Lab& lab : course.labs) given[lab.stem] = given_headers(lab);
  return given;
}

bool is_untouched(const Lab& lab, const std::string& file, const std::string& content) {
  // In a released tree the student's own file is the one that was handed out: its stub says what it is.
  const std::string ours = bytes_of_file(lab.folder / file), original = handed_out_of(ours, file);
  return original != ours && without_loose_ends(content) == without_loose_ends(original);
}

}  // namespace warplab
