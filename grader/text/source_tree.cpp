#include "grader/text/source_tree.hpp"

#include <fmt/format.h>
#include <stdio.h>
#include <sys/wait.h>

#include <algorithm>
#include <string_view>

#include "common/host/bad_input.hpp"
#include "common/io/file_content.hpp"
#include "grader/text/shell_line.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// What git prints; "" if it fails, as it does where there is no git and no clone.
std::string git(const fs::path& root, const std::string& arguments) {
  // The tree may be another user's, such as that of a machine's administrator.
  const std::string command =
      "git -c safe.directory='*' -C " + shell_quoted(root.string()) + " " + arguments + " 2>/dev/null";
  FILE* const pipe = popen(command.c_str(), "re");
  if (!pipe) return "";
  std::string text;
  char part[4096];
  for (std::size_t length; (length = fread(part, 1, sizeof(part), pipe)) > 0;) text.append(part, length);
  const int status = pclose(pipe);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "";
}

std::vector<fs::path> tracked_files(const fs::path& root) {
  std::vector<fs::path> files;
  const std::string listed = git(root, "ls-files -z");
  for (std::size_t first = 0; first < listed.size();) {
    const std::size_t end = listed.find('\0', first);
    fs::path file = listed.substr(first, end - first);
    if (fs::exists(fs::symlink_status(root / file))) files.push_back(std::move(file));
    first = end == std::string::npos ? end : end + 1;
  }
  return files;
}

std::vector<fs::path> files_of_parts(const fs::path& root) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry.depth() == 0 && (!is_part_of_tree(name) || name == "results"))
      entry.disable_recursion_pending();
    else if (!entry->is_directory() || entry->is_symlink())
      files.push_back(entry->path().lexically_relative(root));
  }
  return files;
}

}  // namespace

bool is_part_of_tree(const std::string& name) {
  constexpr std::string_view parts =
      " .ci .clang-format .clangd .codespellrc .devcontainer .dockerignore .editorconfig .github .gitignore "
      "ARCHITECTURE.md CHANGELOG.md CMakeLists.txt CMakePresets.json CONTRIBUTING.md LICENSE README.md "
      "RELEASE.json cluster cmake common containers course.json docs emulator grader harness labs lens "
      "reference report results run_all.sh runner scripts tests ";
  return name.find(' ') == std::string::npos && parts.find(" " + name + " ") != std::string_view::npos;
}

std::vector<fs::path> files_of_tree(const fs::path& root) {
  if (!fs::is_directory(root)) throw BadInput(root.string() + " is not a folder");
  std::vector<fs::path> files = tracked_files(root);
  if (files.empty()) files = files_of_parts(root);
  std::ranges::sort(files);
  return files;
}

std::vector<fs::path> files_of_tree_with(const fs::path& root, const std::vector<fs::path>& files) {
  std::vector<fs::path> all = files_of_tree(root);
  for (const fs::path& file : files)
    if (fs::exists(root / file) && !std::ranges::binary_search(all, file))
      throw BadInput(fmt::format("git does not track {}, and would leave it out: git add {}", file.string(),
                                 file.has_parent_path() ? "labs reference tests" : file.string()));
  return all;
}

std::string commit_of_tree(const fs::path& root) {
  std::string commit = git(root, "describe --always --dirty --abbrev=12 --exclude='*'");
  while (commit.ends_with('\n')) commit.pop_back();
  return commit;
}

std::string bytes_of_file(const fs::path& file) {
  std::optional<std::string> bytes = readable_content(file);
  if (!bytes) throw BadInput(file.string() + " cannot be read");
  return *std::move(bytes);
}

}  // namespace warplab
