#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/program/as_compiled.hpp"
#include "harness/program/ceilings.hpp"
#include "harness/program/gpu_monitor.hpp"
#include "harness/program/options.hpp"
#include "harness/results/measurement.hpp"
#include "harness/rung/device_info.hpp"
#include "harness/worker/rung_runners.hpp"

namespace warplab {

/// Takes measurements of one lab: verifies a rung against the oracle, times it if it is right,
/// and verifies again. Inputs and expected values, the baseline and the ceiling are kept as
/// long as the case stays the same.
class LabRun {
 public:
  /// @throws NotAvailable if there is no device, or no nvcc where it is asked
  LabRun(const Problem& problem, const Options& options);

  const DeviceInfo& device() const { return device_; }

  /// A row for a rung at a case before anything is known about it.
  Measurement describe(const Rung& rung, const Case& c) const;

  /// What can be known before a rung runs. @throws BadInput if the case is too large for this machine or the
  /// problem forbids it
  void check(const Rung& rung, const Case& c) const;

  /// One rung at one case. @throws BadInput as check() does
  Measurement measure(const Rung& rung, const Case& c);

  /// Adds to each measurement of a rung that was right what Nsight Compute counts on this GPU.
  void count_with_nsight(std::vector<Measurement>& measurements);

  /// One verified call, bracketed for the profiler that this program runs under.
  Measurement profile(const Rung& rung, const Case& c);

  /// What limits a case, as a row of its own: a copy of its bytes, or multiply-adds where its operations take
  /// longer; nothing where there are no times.
  std::optional<Measurement> ceiling(const Case& c);

  /// Arrays that take the place of inputs.
  void replace_inputs(Replacements arrays) { replacements_ = std::move(arrays); }
  /// The inputs of the case that was measured last.
  const std::vector<HostArray>& inputs() const { return inputs_; }
  /// The outputs of the rung that was verified last.
  const std::vector<HostArray>& last_outputs() const { return last_outputs_; }

 private:
  void prepare(const Rung& rung, const Case& c);
  /// For the rung; where it is a peer, also for our last rung, which is paired with it.
  std::size_t workspace_bytes(const Rung& rung, const Case& c) const;
  const Rung* last_rung() const;
  void check_memory(const Rung& rung, const Case& c) const;
  RungRunner& runner(const Rung& rung);
  WorkerOptions worker_options() const;
  /// Whether the rung may run this case; else sets status and why.
  bool admits(const Rung& rung, const Case& c, Measurement& m) const;
  bool verify(const std::vector<HostArray>& outputs, Measurement& m) const;
  /// The call whose values count. Sets status, why and what the rung printed.
  RungReply run_once(const Rung& rung, const Case& c, Measurement& m);
  /// Adds to the reason of a failure where to look next.
  void explain_failure(const RungReply& reply, Measurement& m) const;
  /// Times a rung that is right, or says why nothing is timed.
  void time(const Rung& rung, const Case& c, Measurement& m);
  /// One more call of a rung that has run, through the lens; where it failed, for what the lens finds.
  void look_through_lens(const Rung& rung, const Case& c, bool timed_out, Measurement& m);
  /// Has the lens count the rung's launches, and runs only the blocks that it records.
  void count_only(const Rung& rung, const Case& c, Measurement& m);
  /// What the lens counted, with what nvcc makes of it where that was asked for.
  void keep_counts(const Rung& rung, std::vector<lens::Launch> launches, Measurement& m);
  /// A request whose outputs go to outputs_.
  RungRequest request_for(const Rung& rung, const Case& c);
  /// Of the prepared case; nothing if the lab has none for it. Overwrites the arrays of outputs_.
  std::optional<Summary> time_baseline(const Case& c, unsigned threads);
  void measure_baseline(const Case& c);
  /// One call that is timed, with the GPU's state meanwhile in `m`.
  RungReply run_watched(const Rung& rung, const RungRequest& request, Measurement& m);
  void add_times(const RungReply& reply, Measurement& m);

  const Problem& problem_;
  const Options& options_;
  std::unique_ptr<WorkerClient> device_worker_;
  DeviceInfo device_;

  std::optional<std::string> prepared_;  ///< the case that what follows belongs to
  std::vector<HostArray> inputs_, expected_;
  std::set<std::string> verified_;  ///< rungs and the cases at which they were right
  bool baseline_measured_ = false;
  std::optional<CpuBaseline> baseline_;
  Replacements replacements_;
  FreshOutputs outputs_;  ///< of the request under way; kept, as new pages take time
  std::vector<HostArray> last_outputs_;

  std::optional<AsCompiled> as_compiled_;  ///< for --lens-as-compiled
  std::unique_ptr<GpuMonitor> monitor_;    ///< of a GPU, once something is timed
  std::optional<Ceilings> ceilings_;
  std::optional<RungRunners> runners_;
};

}  // namespace warplab
