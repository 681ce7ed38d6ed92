#include "harness/program/cpu_baseline.hpp"

namespace warplab {

std::optional<CpuBaseline> time_on_cpu(unsigned cores,
                                       const std::function<std::optional<Summary>(unsigned threads)>& time) {
  const std::optional<Summary> one_core = time(1);
  if (!one_core) return std::nullopt;
  CpuBaseline baseline{*one_core, *one_core, 1, cores};
  for (unsigned threads = cores; threads > 1; threads /= 2) {
    if (one_core->median / threads >= baseline.fastest_ms->median) break;
    const std::optional<Summary> ms = time(threads);
    if (!ms) {  // compiled without OpenMP
      baseline.fastest_ms.reset();
      break;
    }
    if (ms->median < baseline.fastest_ms->median) {
      baseline.fastest_ms = ms;
      baseline.threads = threads;
    }
  }
  return baseline;
}

}  // namespace warplab
