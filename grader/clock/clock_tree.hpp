#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/build/module_build.hpp"
#include "grader/course/course.hpp"

namespace warplab {

/// A build tree of the preset cuda, of the same sources as ours: what `--clock` names. Its worker and its
/// modules run on the GPU, and its own options compile what students wrote.
class ClockTree {
 public:
  /// @param folder as it was given @param root of our sources
  /// @throws BadInput if it is no such tree, NotAvailable if its compiler is gone
  ClockTree(const std::filesystem::path& folder, const std::filesystem::path& root);

  /// @throws BadInput naming what is to be built there first, where one of these rungs is not
  void expect_rungs(const std::vector<const Task*>& tasks) const;

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path worker() const { return folder_ / "libexec" / "warplab-worker"; }
  /// Our own version of a rung.
  std::filesystem::path module(const std::string& lab, const std::string& rung) const;
  /// What commands must see that is neither ours nor the system's: this tree, and its compilers.
  const std::vector<std::filesystem::path>& visible() const { return visible_; }

  /// Builds a student's version in `folder`, by commands that `run` keeps in: nvcc, and the linker.
  /// @throws std::runtime_error if the tree does not say how the rung is compiled
  ModuleBuild build(const ModuleSource& source, const std::filesystem::path& folder,
                    const CommandRunner& run) const;

 private:
  std::vector<std::string> compile_words(const std::filesystem::path& kernel,
                                         const std::filesystem::path& from,
                                         const std::filesystem::path& to) const;

  std::filesystem::path folder_;
  std::string root_, kernel_compiler_, linker_;
  std::vector<std::string> link_;
  std::vector<std::filesystem::path> visible_;
};

/// The words of a command of compile_commands.json, as a shell that runs nothing within it would take them.
/// @throws std::runtime_error if a shell would not take them for a plain command
std::vector<std::string> words_of_command(const std::string& command);

}  // namespace warplab
