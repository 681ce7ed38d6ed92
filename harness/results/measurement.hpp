#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/host/case.hpp"
#include "common/host/compare.hpp"
#include "common/host/statistics.hpp"
#include "harness/rung/rung_request.hpp"

namespace warplab {

/// What the CPU baseline took, on this host, in the case's own element type.
struct CpuBaseline {
  Summary one_core_ms;
  std::optional<Summary> fastest_ms;  ///< on as many threads as are fastest; nothing without OpenMP
  unsigned threads = 0;               ///< of fastest_ms
  unsigned cores = 0;                 ///< of the host: the most threads that were tried
};

/// What the GPU did while a rung was timed, by its driver.
struct GpuState {
  Summary sm_clock_mhz;
  std::optional<double> power_w, temperature_c;  ///< the highest
};

/// A figure that bounds what a rung can reach, in the same run.
struct SpeedOfLight {
  std::string what;  ///< "copy of the same bytes by cudaMemcpyAsync"
  std::string unit;  ///< GB/s or GFLOP/s
  double value = 0;
  double fraction = 0;
};

/// A rung that was timed against a peer, sample by sample.
struct PairedTime {
  std::string rung;
  Summary time_ms;
  Summary ratio;  ///< of the two samples of each round: this one's time over that rung's
};

/// A row of a published table beside the measured one.
struct Published {
  std::string table, row, note;
  std::map<std::string, double> figures;  ///< named with units
};

/// One rung at one case: a measurement of results.json. What is absent was not
/// measured; `not_measured` says why.
struct Measurement {
  std::string lab, rung;
  std::string role = "rung";  ///< rung, peer, reference or ceiling
  std::string backend, device;
  Case problem_case;
  RungStatus status = RungStatus::ok;
  std::string why;
  bool verified = false;
  std::optional<double> max_abs_error, max_rel_error;
  std::optional<double> mean_abs_error, mean_error;  ///< of the output that is worst by each; see Comparison
  Tolerance tolerance;                               ///< the widest of its outputs
  std::vector<std::pair<std::string, double>> figures;  ///< the lab's own, of a verified case
  std::optional<Summary> time_ms;
  std::optional<double> h2d_ms, d2h_ms;
  std::optional<Published> published;
  double bytes = 0;  ///< that must be read plus written
  double flops = 0;
  std::optional<SpeedOfLight> speed_of_light;
  std::optional<PairedTime> paired_with;  ///< of a peer: our last rung, timed against it
  std::optional<CpuBaseline> cpu;
  std::optional<GpuState> gpu;
  std::optional<LaunchCounts> counts;               ///< on the emulator
  std::vector<KernelUse> kernels;                   ///< on a GPU, in a worker: what each launch takes
  std::optional<std::vector<lens::Launch>> lens;    ///< of one more call
  std::map<std::string, std::string> not_measured;  ///< a field that is null, and why
  std::string printed;                              ///< what the rung wrote to stdout

  /// Effective bandwidth in 10^9 bytes per second, from the median.
  std::optional<double> gb_per_s() const { return rate(bytes); }
  std::optional<double> gflop_per_s() const { return rate(flops); }

 private:
  std::optional<double> rate(double amount) const {
    if (!time_ms || time_ms->median <= 0 || amount <= 0) return std::nullopt;
    return amount / (time_ms->median * 1e6);
  }
};

}  // namespace warplab
