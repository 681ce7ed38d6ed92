#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "grader/clock/clock_tree.hpp"
#include "grader/clock/paired_benchmark.hpp"
#include "grader/clock/task_clock.hpp"
#include "grader/sandbox/sandbox.hpp"
#include "grader/sandbox/work_folder.hpp"
#include "harness/worker/worker_client.hpp"

namespace warplab {

/// Where and how rungs are timed.
struct GpuClockOptions {
  std::filesystem::path tree;  ///< a build tree of the preset cuda
  SandboxLevel level = SandboxLevel::none;
  unsigned first_slot = 0;  ///< of two sandboxes; others of this process have those below
  double call_s = 60;       ///< for each call of a rung: up to a dozen launches and the transfers
};

/// Times on the GPU of this machine: compiles students' files by nvcc in a sandbox, and runs them there
/// paired with our own version, each in a worker of its own.
class GpuClock : public TaskClock {
 public:
  /// @throws BadInput if the tree is none of the preset cuda, lacks a rung, or a task asks for a size that
  /// its lab does not have; NotAvailable if there is no usable GPU, also not in the sandbox
  GpuClock(const Course& course, const GpuClockOptions& options);

  const DeviceInfo& device() const { return device_; }
  bool takes(const Task& task) const override;
  ClockReading time(const Task& task, const FileTexts& files, std::uint64_t seed) override;

 private:
  /// Else each student's file would seem to fail. @throws NotAvailable
  void expect_device_in_sandbox();
  Case case_of(const Task& task) const;
  TimedCase timed_case(const Task& task, std::uint64_t seed);
  ModuleBuild build(const Task& task, const FileTexts& files);
  ClockReading compare(const Task& task, const std::filesystem::path& module, std::uint64_t seed);
  /// What the device takes at least, from the ceilings that it was seen to reach.
  double min_ms(const Problem& problem, const Case& c);
  double fastest_ms(const std::string& what, double amount, const std::function<Ceiling()>& measure);
  WorkerOptions worker_options(const Sandbox& sandbox, const std::filesystem::path& module) const;

  const Course& course_;
  std::map<std::string, FileTexts> given_;  ///< headers of each lab, as they were handed out
  GpuClockOptions options_;
  ClockTree tree_;
  Sandbox theirs_, ours_;
  WorkFolder folder_;
  KnownArrays arrays_;
  WorkerClient device_worker_;
  DeviceInfo device_;
  std::map<std::string, double> rates_;  ///< amount a millisecond, of what was measured
};

}  // namespace warplab
