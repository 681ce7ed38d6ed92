#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>

#include "harness/worker/worker_client.hpp"

namespace warplab {

/// The runners of a lab's rungs, of which one works at a time. To start a worker and its CUDA context takes
/// as long as a measurement, and a lab runs all its rungs at each of its cases: so some workers stay for the
/// next.
class RungRunners {
 public:
  /// @param in_process run rungs in this process, one module at a time
  /// @param idle       how many workers stay while another one works
  RungRunners(WorkerOptions options, bool in_process, std::size_t idle)
      : options_(std::move(options)), in_process_(in_process), idle_(in_process ? 0 : idle) {}

  /// The runner of a rung's module. What was returned before has no memory of a request any more, or is gone.
  RungRunner& of(const std::filesystem::path& module);

 private:
  std::unique_ptr<RungRunner> make(const std::filesystem::path& module) const;

  WorkerOptions options_;
  bool in_process_;
  std::size_t idle_;
  std::map<std::filesystem::path, std::unique_ptr<RungRunner>> runners_;
  std::filesystem::path current_;
};

/// How many idle workers a device has room for. A context takes about half a gigabyte of its memory.
std::size_t idle_workers(const DeviceInfo& device);

}  // namespace warplab
