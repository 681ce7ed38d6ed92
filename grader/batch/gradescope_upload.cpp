#include "grader/batch/gradescope_upload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/build/module_source.hpp"
#include "grader/intake/archive.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr unsigned seconds_to_write_results = 30;  // of those that Gradescope allows

/// Of what no lab has a part of its own: what a tree without tests configures and builds from.
bool is_framework(const fs::path& file) {
  static const std::set<std::string> folders = {"cmake", "common",    "emulator", "grader", "harness",
                                                "lens",  "reference", "report",   "runner", "scripts"},
                                     files = {"CMakeLists.txt",     "CMakePresets.json",   "LICENSE",
                                              "course.json",        "docs/CMakeLists.txt", "docs/Doxyfile.in",
                                              "labs/CMakeLists.txt"};
  return folders.contains(file.begin()->string()) || files.contains(file.generic_string());
}

/// Whether a file belongs to a lab: its folder and its hidden cases.
bool is_of_lab(const fs::path& file, const Lab& lab) {
  const std::string name = file.generic_string(), folder = "labs/" + lab.folder.filename().string() + "/";
  return name.starts_with(folder) || name == "tests/hidden/" + lab.stem + ".json";
}

/// What has to be built: this program, and what a guarded module is linked from.
std::vector<std::string> targets_of(const Course& course) {
  std::set<std::string> adapters;
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks) adapters.insert(adapter_object(lab.folder, lab.stem, task.rung));
  std::vector<std::string> targets{"warplab"};
  targets.insert(targets.end(), adapters.begin(), adapters.end());
  return targets;
}

std::string settings(const Course& course, const UploadOptions& options) {
  std::string words = fmt::format("--hidden-checks {}", name_of(options.hidden_checks));
  if (options.leaderboard) words += " --leaderboard";
  return fmt::format("SECONDS_ALLOWED={}\nTARGETS=({})\nOPTIONS=({})\n",
                     options.minutes * 60 - seconds_to_write_results, fmt::join(targets_of(course), " "),
                     words);
}

}  // namespace

Upload make_upload(const Course& course, const Secret& secret, const UploadOptions& options,
                   const fs::path& zip) {
  for (const Lab& lab : course.labs)
    if (const fs::path hidden = course.root / "tests/hidden" / (lab.stem + ".json"); !fs::exists(hidden))
      throw BadInput(hidden.string() + " is missing: only the instructor's tree can grade");
  std::map<std::string, ZipFile> files;
  for (const char* script : {"setup.sh", "run_autograder"})
    files[script] = {bytes_of_file(course.root / "grader/gradescope" / script), 0755};
  files["settings.sh"] = {settings(course, options), 0644};
  files["judge/seed"] = {secret.digits() + "\n", 0600};
  for (const fs::path& file : files_of_tree_with(course.root, course.files())) {
    if (!is_framework(file) &&
        std::ranges::none_of(course.labs, [&](const Lab& lab) { return is_of_lab(file, lab); }))
      continue;
    std::string bytes = bytes_of_file(course.root / file);
    if (file == "course.json") bytes = of_these_labs(bytes, course);
    files["tree/" + file.generic_string()] = {std::move(bytes), 0644};
  }
  const std::string bytes = zip_of(files);
  write_file_atomically(zip, bytes);
  return {files.size(), bytes.size()};
}

}  // namespace warplab
