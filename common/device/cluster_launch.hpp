#pragma once

#include <cuda_runtime.h>

#include "common/cuda_check.hpp"

/// Launches a grid of `blocks` blocks of `threads` in clusters of `cluster`, each with `shared_bytes` of
/// dynamic shared memory.
/// @pre blocks.x is a multiple of cluster. @throws CudaError
template <class Kernel, class... Arguments>
void launch_in_clusters(Kernel kernel, dim3 blocks, unsigned cluster, unsigned threads, unsigned shared_bytes,
                        cudaStream_t stream, const Arguments&... arguments) {
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shared_bytes)));
  cudaLaunchAttribute shape{};
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &shape;
  config.numAttrs = 1;
  CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}
