#include "harness/worker/rung_runners.hpp"

#include "harness/rung/rung_session.hpp"

namespace warplab {

constexpr std::size_t bytes_per_idle_worker = 4ull << 30;  // so that contexts take an eighth of it at most

std::size_t idle_workers(const DeviceInfo& device) {
  return device.emulator ? 0 : device.free_bytes / bytes_per_idle_worker;  // there a worker starts at once
}

std::unique_ptr<RungRunner> RungRunners::make(const std::filesystem::path& module) const {
  if (in_process_) return std::make_unique<InProcessRunner>(module);
  return std::make_unique<WorkerClient>(module, options_);
}

RungRunner& RungRunners::of(const std::filesystem::path& module) {
  if (module == current_) return *runners_.at(module);
  const std::size_t then = runners_.size() + (runners_.contains(module) ? 0 : 1);
  if (then > idle_ + 1) runners_.erase(current_);  // before the next one starts
  std::unique_ptr<RungRunner>& runner = runners_[module];
  if (!runner) runner = make(module);
  if (const auto rests = runners_.find(current_); rests != runners_.end())
    runner->take_memory_of(*rests->second);
  current_ = module;
  return *runner;
}

}  // namespace warplab
