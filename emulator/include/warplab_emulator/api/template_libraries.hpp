#pragma once

// What NVIDIA's headers of CUB and Thrust have to know where one compilation makes the code of the host and
// that of the device. They know it of nvc++, which compiles so too.

#include <climits>

#include "warplab_emulator/api/runtime_functions.hpp"
#include "warplab_emulator/block/thread.hpp"

#if !defined(WARPLAB_LIBCUPP)  // since version 2 they ask <nv/target>
#define _NVHPC_CUDA 1
#define __NVCOMPILER_CUDA_ARCH__ 900
#endif
#define CCCL_DISABLE_NVTX  // ranges for a profiler
#define __CUDACC_RDC__     // kernels may launch kernels
#define __builtin_is_device_code() ::warplab::emulator::in_kernel()

inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance() { return cudaDeviceSynchronize(); }

/// How Thrust launches its own kernels from kernels.
inline void* cudaGetParameterBuffer(std::size_t, std::size_t) {
  ::warplab::emulator::device_fault(cudaErrorNotSupported,
                                    "Thrust's algorithms run in kernels with thrust::seq only");
}
inline cudaError_t cudaLaunchDevice(void*, void*, dim3, dim3, unsigned, cudaStream_t) {
  return cudaErrorNotSupported;
}
