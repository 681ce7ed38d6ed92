// In the worker on a GPU: wraps the runtime's functions that launch kernels and notes what each
// launch takes. Compiled kernels find these here rather than in the runtime's library, since the program
// comes first in the order in which names are looked up.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include "harness/rung/kernel_use.hpp"

namespace {

warplab::Extent3 extent_of(dim3 d) { return {d.x, d.y, d.z}; }

void note(const void* kernel, dim3 grid, dim3 block, std::size_t dynamic_bytes) {
  if (!warplab::kernel_uses || warplab::kernel_uses->size() >= 64) return;
  cudaFuncAttributes attributes;
  const char* name = nullptr;
  int device = 0, blocks = 0, max_threads = 0;
  const int threads = static_cast<int>(block.x * block.y * block.z);
  if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess ||
      cudaFuncGetName(&name, kernel) != cudaSuccess || cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&max_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device) != cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_bytes) != cudaSuccess) {
    (void)cudaGetLastError();
    return;
  }
  const int warps = blocks * ((threads + 31) / 32);
  warplab::kernel_uses->push_back({name, extent_of(grid), extent_of(block), attributes.numRegs,
                                   attributes.localSizeBytes, attributes.sharedSizeBytes + dynamic_bytes,
                                   32.0 * warps / max_threads});
}

using Launch = cudaError_t(const void*, dim3, dim3, void**, std::size_t, cudaStream_t);
using LaunchWithConfig = cudaError_t(const cudaLaunchConfig_t*, const void*, void**);

/// The runtime's own function of that name.
template <class Function>
Function* of_runtime(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" __attribute__((visibility("default"))) cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid,
                                                                               dim3 block, void** arguments,
                                                                               std::size_t shared_bytes,
                                                                               cudaStream_t stream) {
  static const auto launch = of_runtime<Launch>("cudaLaunchKernel");
  note(kernel, grid, block, shared_bytes);
  return launch(kernel, grid, block, arguments, shared_bytes, stream);
}

extern "C" __attribute__((visibility("default"))) cudaError_t cudaLaunchKernelExC(
    const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  static const auto launch = of_runtime<LaunchWithConfig>("cudaLaunchKernelExC");
  note(kernel, config->gridDim, config->blockDim, config->dynamicSmemBytes);
  return launch(config, kernel, arguments);
}

// What nvcc's <<<...>>> calls from version 13 on, with a handle that stands for a
// function like the pointers above.
extern "C" __attribute__((visibility("default"))) cudaError_t __cudaLaunchKernel(const void* kernel,
                                                                                 dim3 grid, dim3 block,
                                                                                 void** arguments,
                                                                                 std::size_t shared_bytes,
                                                                                 cudaStream_t stream) {
  static const auto launch = of_runtime<Launch>("__cudaLaunchKernel");
  note(kernel, grid, block, shared_bytes);
  return launch(kernel, grid, block, arguments, shared_bytes, stream);
}
