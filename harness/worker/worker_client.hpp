#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "harness/rung/ceiling.hpp"
#include "harness/rung/device_info.hpp"
#include "harness/rung/rung_request.hpp"
#include "harness/worker/child_process.hpp"

namespace warplab {

/// How a worker is started, and how long it is waited for.
struct WorkerOptions {
  std::filesystem::path worker;  ///< the worker's program
  double timeout_s = 120;        ///< for one request; then the worker is killed
  std::vector<std::string> prefix =
      {};                 ///< a command that runs the worker, for a sandbox; its first word is a path
  bool confined = false;  ///< the worker gives up what no rung needs, as confine_this_worker says
};

/// Runs a rung in a worker process, which is started at the first request and serves all that follow. A
/// worker that crashed, hung or lost its device fails that request and is replaced at the next.
class WorkerClient : public RungRunner {
 public:
  /// @param module the rung's shared library; empty for a worker that only answers about the device
  WorkerClient(std::filesystem::path module, WorkerOptions options);
  ~WorkerClient() override;

  RungReply run(const RungRequest& request) override;
  void take_memory_of(RungRunner& other) override;
  void renew() override { drop_worker(); }

  /// @throws NotAvailable if there is no device; std::runtime_error if the worker failed
  DeviceInfo device();
  /// As measure_copy_ceiling and measure_arithmetic_ceiling, in the worker. @throws std::runtime_error
  Ceiling copy_ceiling(std::size_t moved_bytes, const BenchmarkOptions& options);
  Ceiling arithmetic_ceiling(DType dtype, const BenchmarkOptions& options);

 private:
  nlohmann::json ask(const nlohmann::json& message);
  /// Sends and waits. @return the answer, or nothing after setting `reply` to the failure; what the lens
  /// recorded is in `reply`.
  std::optional<nlohmann::json> exchange(const nlohmann::json& message, int descriptor, RungReply& reply);
  void start();
  /// Ends the worker, and with it the use of the memory that it had in its hands.
  void drop_worker();

  class SharedArrays;
  std::filesystem::path module_;
  WorkerOptions options_;
  std::unique_ptr<ChildProcess> process_;
  std::string reports_;  ///< the emulator's, of the last exchange
  /// Kept for the next request to this worker: new pages cost more time than what is copied into them.
  std::unique_ptr<SharedArrays> shared_;
};

}  // namespace warplab
