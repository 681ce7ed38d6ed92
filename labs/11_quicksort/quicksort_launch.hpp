#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"
#include "quicksort_shape.hpp"

// What the launchers of lab 11 check and set. Host code.

/// @return n as int. @throws std::invalid_argument for what every launcher refuses
inline int quicksort_size(std::int64_t n) {
  warplab::check_size("n", n);
  if (n > quicksort_max_keys)
    warplab::refuse("n is ", n, "; this lab sorts at most ", quicksort_max_keys, " keys");
  return static_cast<int>(n);
}

/// Refuses a workspace that is too small. @throws std::invalid_argument
inline void quicksort_check_workspace(std::size_t available, std::size_t needed) {
  if (available < needed)
    warplab::refuse("a workspace of ", available, " bytes is too small: this launch needs ", needed);
}

/// Lets the device keep at least `wanted` launches from kernels that are not complete, or
/// quicksort_max_pending where that is less. The limit is the device's: it is raised, never lowered.
inline void quicksort_allow_pending(std::int64_t wanted) {
  const auto needed =
      static_cast<std::size_t>(wanted < quicksort_max_pending ? wanted : quicksort_max_pending);
  std::size_t limit = 0;
  CUDA_CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  if (limit < needed) CUDA_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, needed));
}
