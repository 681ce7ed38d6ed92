#include "runner/lab_build.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "common/timer.hpp"
#include "runner/child.hpp"
#include "runner/lab_tree.hpp"

namespace warplab::runner {
namespace {

namespace fs = std::filesystem;

Command build_command(const RunOptions& options, const std::string& target) {
  std::vector<std::string> words{"cmake", "--build", "--preset", options.backend};
  if (!target.empty()) words.insert(words.end(), {"--target", target});
  words.insert(words.end(), {"--", "-k", "0"});
  return {words, {}, {}};
}

/// Whether a target is built, or can be; says nothing.
bool can_be_built(const RunOptions& options, const std::string& target) {
  Command command = build_command(options, target);
  command.out = command.err = "/dev/null";
  return run_child(command).is_success();
}

/// What ninja printed, without its progress.
void print_failures(const fs::path& log) {
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with('[')) std::printf("%s\n", line.c_str());
}

fs::path modules_of(const RunOptions& options, const std::string& lab) {
  return options.build() / "lib/warplab" / lab;
}

/// The rungs whose sources or modules are there.
std::set<std::string> rungs_of(const RunOptions& options, const std::string& lab) {
  std::set<std::string> rungs;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(modules_of(options, lab), none))
    rungs.insert(entry.path().stem().stem());  // of tiled.so and tiled.lens.so
  for (const auto& entry : fs::directory_iterator(handout_of(lab).parent_path(), none))
    if (const std::string stem = entry.path().stem();
        entry.path().extension() == ".cu" && stem.starts_with(lab + "_"))
      rungs.insert(stem.substr(lab.size() + 1));
  return rungs;
}

/// Whether to build what the lens watches: nearly half of a lab's compilation. A run of all labs without the
/// lens does without, but never beside an instrumented build of older source.
bool is_lens_wanted(const RunOptions& options, const std::string& lab) {
  if (options.backend != "emulator") return false;
  if (options.profile == "lens" || options.are_labs_chosen) return true;
  std::error_code none;
  return std::ranges::any_of(fs::directory_iterator(modules_of(options, lab), none),
                             [](const auto& entry) { return entry.path().string().ends_with(".lens.so"); });
}

/// Removes a rung's modules unless both its own and, where it is wanted, the lens's are built.
bool remove_if_broken(const RunOptions& options, const std::string& lab, const std::string& rung,
                      bool is_lens_wanted) {
  const fs::path module = modules_of(options, lab) / (rung + ".so");
  fs::path instrumented = module;
  instrumented.replace_extension(".lens.so");
  const std::string target = lab + "__" + rung;
  const bool is_built =
      can_be_built(options, target) && (!is_lens_wanted || can_be_built(options, target + "__lens"));
  if (is_built) return false;
  fs::remove(module);
  fs::remove(instrumented);
  return true;
}

}  // namespace

bool build_target(const RunOptions& options, const std::string& target) {
  Command command = build_command(options, target);
  if (isatty(STDOUT_FILENO)) return run_child(command).is_success();
  command.out = command.err = options.build() / "build.log";
  fs::remove(command.out);
  const bool is_built = run_child(command).is_success();
  if (!is_built) {
    std::printf("\n");
    print_failures(command.out);
  }
  return is_built;
}

LabBuild build_lab(const RunOptions& options, const std::string& lab) {
  LabBuild build;
  const HostTimer timer;
  const bool with_lens = is_lens_wanted(options, lab);
  build.is_runnable = build_target(options, with_lens ? lab : lab + "_without_lens");
  if (!build.is_runnable) {
    build.is_runnable = can_be_built(options, "warplab_worker") && can_be_built(options, lab + "_program");
    if (!build.is_runnable)
      fs::remove(options.program(lab));
    else
      for (const std::string& rung : rungs_of(options, lab))
        if (remove_if_broken(options, lab, rung, with_lens)) build.broken_rungs.push_back(rung);
  }
  build.seconds = timer.elapsed_ms() / 1000;
  return build;
}

}  // namespace warplab::runner
