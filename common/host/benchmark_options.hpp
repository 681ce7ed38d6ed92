#pragma once

namespace warplab {

/// How long to sample, and with what in the L2 cache.
struct BenchmarkOptions {
  int repeat = 0;             ///< number of samples; 0: until the spread settles
  double settled = 0.005;     ///< MAD / median at which it has settled
  int min_samples = 10;       ///< before it can have settled
  int max_samples = 1000;     ///< if it never does
  double time_limit_s = 1.0;  ///< likewise; does not apply to `repeat`
  int warm_up = 2;            ///< launches before the first sample; fewer where they reach the time limit
  bool cold_l2 = true;        ///< flush L2 before each sample
};

}  // namespace warplab
