#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "grader/build/module_source.hpp"
#include "grader/build/precompiled_headers.hpp"
#include "grader/judge/rung_builder.hpp"
#include "grader/sandbox/sandbox.hpp"
#include "grader/sandbox/work_folder.hpp"

namespace warplab {

/// The sandbox of a builder, and its limits of time.
struct BuilderOptions {
  SandboxLevel level = SandboxLevel::none;
  double compile_s = 60;  ///< of processor time, for each sandbox of a build
  double call_s = 10;     ///< for each call of a rung
  double calls_s = 240;   ///< for all calls of what was built; the one that goes beyond may end
  /// For all builds and calls of this builder; what comes later is not run. 0: no limit. A build counts by
  /// the processor time that it took, and a call by no more than call_s: a busy grader costs nobody points.
  double all_s = 0;
};

/// What compilers may see and use: their work folder, compiled headers, and what read_by_build() lists. None
/// of it is a solution, or was made of one.
SandboxSpec compile_spec(const ModuleSource& source, const std::filesystem::path& folder,
                         const PrecompiledHeaders& headers, double cpu_s);

/// How long a command of a build may take by the clock on the wall, once so much of all_s is spent: five
/// times compile_s, so that a busy grader costs nobody points, but no more than compile_s beyond the end of
/// all_s.
double build_wall_s(const BuilderOptions& options, double spent_s);

/// Builds students' files and runs them in a sandbox, guarded as module_build.hpp says.
class SandboxedBuilder : public RungBuilder {
 public:
  /// @param slot of its sandbox: another one for each builder of this process
  /// @param headers those of all builders of a batch
  SandboxedBuilder(const Course& course, const BuilderOptions& options, unsigned slot,
                   std::shared_ptr<PrecompiledHeaders> headers);
  ~SandboxedBuilder() override;
  Built build(const Task& task, const FileTexts& files) override;
  void clean_up() override;

 private:
  const Course& course_;
  std::map<std::string, FileTexts> given_;  ///< headers of each lab, as they were handed out
  BuilderOptions options_;
  Sandbox sandbox_;
  WorkFolder folder_;
  std::shared_ptr<PrecompiledHeaders> headers_;
  double spent_s_ = 0;  ///< of all_s
};

}  // namespace warplab
