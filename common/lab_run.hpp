#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/device_info.hpp"
#include "common/measurement.hpp"
#include "common/options.hpp"
#include "common/problem.hpp"
#include "common/worker_client.hpp"

namespace warplab {

/// Takes measurements of one lab: verifies a rung against the oracle, times it if it is right, and verifies
/// again. Inputs and expected values, the baseline and the ceiling are kept as long as the case stays the
/// same.
class LabRun {
 public:
  /// @throws NotAvailable if there is no device
  LabRun(const Problem& problem, const Options& options);

  const DeviceInfo& device() const { return device_; }

  /// A row for a rung at a case before anything is known about it.
  Measurement describe(const Rung& rung, const Case& c) const;

  /// One rung at one case. @throws BadInput if the case is too large for this machine or the problem forbids
  /// it
  Measurement measure(const Rung& rung, const Case& c);

  /// One verified call, bracketed for the profiler that this program runs under.
  Measurement profile(const Rung& rung, const Case& c);

  /// The measured copy ceiling for the bytes of a case, as a row of its own; nothing where there are no
  /// times.
  std::optional<Measurement> ceiling(const Case& c);

  /// An array that takes the place of the first input.
  void replace_first_input(HostArray array) { replacement_ = std::move(array); }
  /// The first output of the rung that was verified last.
  const std::optional<HostArray>& last_output() const { return last_output_; }

 private:
  void prepare(const Rung& rung, const Case& c);
  void check_memory(const Rung& rung, const Case& c) const;
  RungRunner& runner(const Rung& rung);
  WorkerOptions worker_options() const;
  /// Whether the rung may run this case; else sets status and why.
  bool admits(const Rung& rung, const Case& c, Measurement& m) const;
  bool verify(const std::vector<HostArray>& outputs, Measurement& m) const;
  /// One more call of a rung that has run, through the lens; where it failed, for what the lens finds.
  void look_through_lens(const Rung& rung, const Case& c, bool timed_out, Measurement& m);
  RungRequest request_for(const Rung& rung, const Case& c, std::vector<HostArray>& outputs) const;
  void measure_baseline(const Case& c);
  void add_times(const RungReply& reply, Measurement& m);
  const std::optional<CopyCeiling>& copy_ceiling(double bytes);

  const Problem& problem_;
  const Options& options_;
  std::unique_ptr<WorkerClient> device_worker_;
  DeviceInfo device_;

  std::optional<std::string> prepared_;  ///< the case that what follows belongs to
  std::vector<HostArray> inputs_, expected_;
  std::vector<Tolerance> tolerances_;
  std::optional<CpuBaseline> baseline_;
  std::optional<HostArray> replacement_, last_output_;
  std::map<double, std::optional<CopyCeiling>> ceilings_;

  std::string runner_rung_;
  std::unique_ptr<RungRunner> runner_;
};

}  // namespace warplab
