#pragma once

#include <cuda_runtime.h>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"

// What came with compute capability 8.0: cp.async, and Tensor Cores that take bfloat16. Code for an earlier
// GPU holds empty kernels in place of those that need it. Launchers ask the device before they launch them.

/// Whether the code that is being compiled may use what came with compute capability 8.0.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr bool matmul_code_for_sm_80 = false;
#else
inline constexpr bool matmul_code_for_sm_80 = true;
#endif

/// The current device's compute capability: 75 for 7.5. Host code. @throws CudaError
inline int matmul_capability() {
  int device = 0, major = 0, minor = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return 10 * major + minor;
}

/// Refuses a device before compute capability 8.0. Host code. @throws std::invalid_argument
inline void matmul_check_sm_80(const char* what) {
  if (const int capability = matmul_capability(); capability < 80)
    warplab::refuse(what, " needs compute capability 8.0 or later; this device has ", capability / 10, ".",
                    capability % 10);
}
