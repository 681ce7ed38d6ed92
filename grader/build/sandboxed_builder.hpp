#pragma once

#include <filesystem>
#include <memory>

#include "grader/build/precompiled_headers.hpp"
#include "grader/judge/workshop.hpp"
#include "grader/sandbox/sandbox.hpp"
#include "grader/sandbox/work_folder.hpp"

namespace warplab {

/// The sandbox of a workshop, and its limits of time.
struct WorkshopOptions {
  SandboxLevel level = SandboxLevel::none;
  double compile_s = 60;  ///< for each sandbox of a build
  double call_s = 10;     ///< for each call of a rung
  double calls_s = 240;   ///< for all calls of what was built; the one that goes beyond may end
};

/// Builds students' files and runs them in a sandbox, guarded as module_build.hpp says.
class GuardedWorkshop : public Workshop {
 public:
  /// @param slot of its sandbox: another one for each workshop of this process
  /// @param headers those of all workshops of a batch
  GuardedWorkshop(const Course& course, const WorkshopOptions& options, unsigned slot,
                  std::shared_ptr<PrecompiledHeaders> headers);
  ~GuardedWorkshop() override;
  Built build(const Task& task, const FileTexts& files) override;

 private:
  const Course& course_;
  WorkshopOptions options_;
  Sandbox sandbox_;
  WorkFolder folder_;
  std::shared_ptr<PrecompiledHeaders> headers_;
};

}  // namespace warplab
