#include "grader/variant/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "common/host/bad_input.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

bool has_a_place(const std::string& file) {
  return file == "course.json" ||
         std::ranges::any_of(
             std::vector{"labs/", "reference/", "tests/hidden/", "tests/labs/", "tests/reference/"},
             [&](const char* folder) { return file.starts_with(folder); });
}

/// Whether the tree need not have the file.
bool may_be_new(const fs::path& file) {
  const std::string name = file.generic_string();
  return name == "course.json" || name.starts_with("tests/hidden/") ||
         (name.starts_with("labs/") && file.parent_path().filename() == "variants");
}

std::vector<fs::path> files_of_overlay(const fs::path& overlay) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(overlay), end; entry != end; ++entry) {
    const fs::path file = entry->path().lexically_relative(overlay);
    if (entry->is_directory() && !entry->is_symlink()) {
      if (file == ".git") entry.disable_recursion_pending();
    } else if (file != "README.md" && file != ".gitignore" && file != ".git") {
      files.push_back(file);
    }
  }
  std::ranges::sort(files);
  return files;
}

void put(const fs::path& from, const fs::path& to) {
  fs::create_directories(to.parent_path());
  fs::copy(from, to, fs::copy_options::copy_symlinks | fs::copy_options::overwrite_existing);
}

}  // namespace

OverlayReport lay_over(const fs::path& root, const fs::path& overlay, const fs::path& merged) {
  if (!fs::is_directory(overlay)) throw BadInput(overlay.string() + " is not a folder");
  const fs::path inside = fs::weakly_canonical(overlay).lexically_relative(fs::weakly_canonical(root)) / "";
  std::set<fs::path> tree;
  for (const fs::path& file : files_of_tree(root))
    if (!file.generic_string().starts_with(inside.generic_string())) tree.insert(file);

  const std::vector<fs::path> own = files_of_overlay(overlay);
  if (own.empty()) throw BadInput(overlay.string() + " has no files");
  OverlayReport report;
  for (const fs::path& file : own) {
    if (!fs::is_regular_file(fs::symlink_status(overlay / file)) || !has_a_place(file.generic_string()))
      throw BadInput(
          fmt::format("{} has no place in a course tree: an overlay has files of labs, references "
                      "and tests, and course.json",
                      (overlay / file).string()));
    if (!tree.contains(file) && !may_be_new(file))
      throw BadInput(fmt::format("{} replaces nothing: the tree has no file {}", (overlay / file).string(),
                                 file.string()));
    ++(tree.contains(file) ? report.replaced : report.added);
  }
  for (const fs::path& file : tree) put(root / file, merged / file);
  for (const fs::path& file : own) put(overlay / file, merged / file);
  return report;
}

}  // namespace warplab
