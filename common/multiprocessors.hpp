#pragma once

#include <cuda_runtime.h>

#include "common/cuda_check.hpp"

namespace warplab {

/// How many multiprocessors the current device has. @throws CudaError
inline int multiprocessors() {
  int device = 0, count = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

}  // namespace warplab
