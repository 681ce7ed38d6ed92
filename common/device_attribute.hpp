#pragma once

#include <cuda_runtime.h>

#include "common/cuda_check.hpp"

namespace warplab {

/// What the current device is asked for, such as cudaDevAttrMaxThreadsPerMultiProcessor. @throws CudaError
inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// How many multiprocessors the current device has. @throws CudaError
inline int multiprocessors() { return device_attribute(cudaDevAttrMultiProcessorCount); }

}  // namespace warplab
