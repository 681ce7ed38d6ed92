#include "grader/clock/gpu_clock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "common/host/bad_input.hpp"
#include "grader/course/task_problem.hpp"
#include "grader/release/handed_out.hpp"
#include "grader/sandbox/sandboxed_worker.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_kept_bytes = std::size_t{1} << 30;  // of inputs and expected values
// Our own fastest kernels reach 1.02 of a copy of the same bytes, since they read more than they write, and
// cuBLAS some four fifths of what Tensor Cores can do at most. Below this share of the time nobody gets.
constexpr double credible = 0.75;

/// The device, as long as it lives, among all graders on this machine that use the same tree. Where the file
/// system knows no such locks, several may time at once; then times scatter.
class DeviceLock {
 public:
  explicit DeviceLock(const ClockTree& tree)
      : descriptor_(open((tree.folder() / "clock.json").c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ >= 0) (void)flock(descriptor_, LOCK_EX);
  }
  ~DeviceLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  DeviceLock(const DeviceLock&) = delete;
  DeviceLock& operator=(const DeviceLock&) = delete;

 private:
  int descriptor_;
};

DeviceInfo device_of(WorkerClient& worker) {
  try {
    return worker.device();
  } catch (const NotAvailable& absent) {
    throw NotAvailable(std::string("--clock needs a GPU: ") + absent.what());
  }
}

}  // namespace

GpuClock::GpuClock(const Course& course, const GpuClockOptions& options)
    : course_(course),
      given_(given_headers(course)),
      options_(options),
      tree_(options.tree, course.root),
      theirs_(options.level, options.first_slot),
      ours_(options.level, options.first_slot + 1),
      folder_(std::to_string(options.first_slot)),
      arrays_(max_kept_bytes),
      device_worker_({}, {tree_.worker()}) {
  std::vector<const Task*> tasks;
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks)
      if (takes(task)) tasks.push_back(&task);
  tree_.expect_rungs(tasks);
  device_ = device_of(device_worker_);
  expect_device_in_sandbox();
}

void GpuClock::expect_device_in_sandbox() {
  const SandboxedWorker worker(theirs_, {}, worker_options(theirs_, {}));
  try {
    (void)worker.client().device();
  } catch (const std::exception& error) {
    throw NotAvailable(fmt::format("--clock: the GPU cannot be used in the sandbox '{}' here: {}",
                                   name_of(options_.level), error.what()));
  }
}

bool GpuClock::takes(const Task& task) const {
  const Problem& problem = problem_of(task);
  return !problem.host_buffers() && problem.cost(case_of(task)).bytes > 0;
}

Case GpuClock::case_of(const Task& task) const {
  const Problem& problem = problem_of(task);
  const Rung& rung = rung_of(task);
  Case c = problem.default_case(Backend::cuda);
  if (std::ranges::find(rung.dtypes, c.dtype) == rung.dtypes.end()) c.dtype = rung.dtypes.front();
  try {
    for (const auto& [name, value] : task.clock.size) c.extent(name) = value;
  } catch (const std::invalid_argument& error) {
    throw BadInput(fmt::format("the clock of the task {}: {}", task.name(), error.what()));
  }
  for (const auto& [name, value] : task.only) {
    const auto extent = std::ranges::find(c.size, name, [](const auto& size) { return size.first; });
    if (extent != c.size.end())
      extent->second = static_cast<std::int64_t>(value);
    else
      c.set_param(name, value);
  }
  return problem.for_rung(c, rung);
}

TimedCase GpuClock::timed_case(const Task& task, std::uint64_t seed) {
  const Problem& problem = problem_of(task);
  Case c = case_of(task);
  c.seed = seed;
  return {problem, rung_of(task), c, arrays_.of(problem, c)};
}

ModuleBuild GpuClock::build(const Task& task, const FileTexts& files) {
  const fs::path work = folder_.renewed();
  SandboxSpec spec;
  spec.visible = library_folders();
  for (const char* name : {"labs", "common"}) spec.visible.push_back(course_.root / name);
  for (const fs::path& path : tree_.visible()) spec.visible.push_back(path);
  spec.folder = work;
  spec.cpu_s = 180;
  spec.memory_bytes = std::uint64_t{8} << 30;
  const auto run = [&](const std::vector<std::string>& command, double wall_s) {
    return theirs_.run_on_loan(spec, command, wall_s);
  };
  ModuleBuild built =
      tree_.build(source_of(*course_.find(task.lab), task, files, given_.at(task.lab)), work, run);
  if (!built.module.empty()) built.module = folder_.kept(built.module);
  return built;
}

WorkerOptions GpuClock::worker_options(const Sandbox& sandbox, const fs::path& module) const {
  SandboxSpec spec;
  spec.visible = library_folders();
  spec.visible.push_back(tree_.worker());
  if (!module.empty()) spec.visible.push_back(module);
  for (const fs::path& path : tree_.visible())
    if (path != tree_.folder()) spec.visible.push_back(path);  // of the tree only the worker
  spec.cpu_s = 900;
  spec.memory_bytes = 0;  // CUDA reserves more addresses than any machine has memory
  spec.open_files = 1024;
  spec.gpu = true;
  // Where the driver's libraries are, and which device a cluster gave us.
  spec.environment = loader_environment();
  const char* const devices = "CUDA_VISIBLE_DEVICES";
  if (const char* const value = std::getenv(devices)) spec.environment.emplace_back(devices, value);
  WorkerOptions worker{tree_.worker(), options_.call_s, sandbox.prefix(spec)};
  worker.confined = options_.level != SandboxLevel::none;
  return worker;
}

double GpuClock::fastest_ms(const std::string& what, double amount, const std::function<Ceiling()>& measure) {
  const auto [rate, is_new] = rates_.try_emplace(what, 0.0);
  if (is_new) try {
      const Ceiling ceiling = measure();
      rate->second = ceiling.amount / ceiling.time_ms.min;
    } catch (const NotAvailable&) {  // then what else bounds the case is left
    }
  return rate->second > 0 ? amount / rate->second : 0;
}

double GpuClock::min_ms(const Problem& problem, const Case& c) {
  const Cost cost = problem.cost(c);
  const auto moved = static_cast<std::size_t>(cost.bytes / std::max(1.0, c.param("launches", 1)));
  double least = 0;
  if (moved >= 32)
    least = fastest_ms(fmt::format("copy {}", moved), cost.bytes,
                       [&] { return device_worker_.copy_ceiling(moved, BenchmarkOptions{}); });
  const DType dtype = cost.arithmetic.value_or(c.dtype);
  if (cost.flops > 0 && (dtype == DType::f16 || dtype == DType::f32 || dtype == DType::f64))
    least = std::max(least, fastest_ms(std::string(name_of(dtype)), cost.flops, [&] {
                       return device_worker_.arithmetic_ceiling(dtype, BenchmarkOptions{});
                     }));
  return credible * least;
}

ClockReading GpuClock::compare(const Task& task, const fs::path& module, std::uint64_t seed) {
  const TimedCase timed = timed_case(task, seed);
  const DeviceLock lock(tree_);
  const double least = min_ms(timed.problem, timed.problem_case);
  const fs::path own = tree_.module(task.lab, task.rung);
  SandboxedWorker theirs(theirs_, module, worker_options(theirs_, module));
  SandboxedWorker ours(ours_, own, worker_options(ours_, own));
  return run_paired_benchmark(timed, theirs.client(), ours.client(), least, task.clock.most);
}

ClockReading GpuClock::time(const Task& task, const FileTexts& files, std::uint64_t seed) {
  const ModuleBuild built = build(task, files);
  ClockReading reading;
  if (built.module.empty()) {
    reading.most = task.clock.most;
    reading.reason = "nvcc does not compile it: " + built.errors;
  } else {
    reading = compare(task, built.module, seed);
  }
  reading.device = device_.name;
  return reading;
}

}  // namespace warplab
