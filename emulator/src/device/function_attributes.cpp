#include <cuda_runtime_api.h>

#include <algorithm>

#include "emulator/src/base/device_profile.hpp"
#include "emulator/src/base/function_symbols.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/graphs/graph_parameters.hpp"
#include "emulator/src/launch/cluster_launches.hpp"
#include "emulator/src/launch/occupancy.hpp"
#include "emulator/src/launch/shared_memory.hpp"

using namespace warplab::emulator;

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return api_call([&] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
      allow_large_clusters(function, value != 0);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
      return cudaSuccess;  // hints to the hardware
    if (value < 0 || !allow_dynamic_shared(function, static_cast<std::size_t>(value))) {
      report("cudaFuncSetAttribute: %d bytes of dynamic shared memory; a block can have at most %zu", value,
             shared_block_limit());
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

// Registers are not known on a CPU: 0. Static shared memory is known once a block of the kernel has run.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api_call([&] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = {};
    attributes->maxThreadsPerBlock = max_threads_per_block;
    attributes->ptxVersion = 90;
    attributes->binaryVersion =
        chosen_profile() ? 10 * chosen_profile()->major + chosen_profile()->minor : 90;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(allowed_dynamic_shared(function));
    attributes->sharedSizeBytes = static_shared_bytes(function);
    const dim3 cluster = declared_cluster(function, "");
    attributes->clusterDimMustBeSet = cluster.x != 0;
    attributes->requiredClusterWidth = static_cast<int>(cluster.x);
    attributes->requiredClusterHeight = static_cast<int>(cluster.y);
    attributes->requiredClusterDepth = static_cast<int>(cluster.z);
    attributes->nonPortableClusterSizeAllowed = allows_large_clusters(function);
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return api_call([&] { return function ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return api_call([&] { return function ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                          std::size_t dynamic_shared_bytes) {
  return api_call([&] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (!blocks || block_size < 1) return cudaErrorInvalidValue;
    *blocks = resident_blocks(function, block_size, dynamic_shared_bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int block_size,
                                                                   std::size_t dynamic_shared_bytes,
                                                                   unsigned int flags) {
  if (flags & ~static_cast<unsigned>(cudaOccupancyDisableCachingOverride))
    return api_call([] { return cudaErrorInvalidValue; });
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, dynamic_shared_bytes);
}

// Each block takes whole pieces of shared memory.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamic_shared_bytes, const void* function,
                                                      int blocks, int block_size) {
  return api_call([&] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (!dynamic_shared_bytes || blocks < 1 || block_size < 1) return cudaErrorInvalidValue;
    if (resident_blocks(function, block_size, 0) < blocks) return cudaErrorInvalidValue;
    const std::size_t piece = shared_allocation_unit();
    const std::size_t share =
        shared_bytes_per_multiprocessor() / static_cast<std::size_t>(blocks) / piece * piece;
    const std::size_t taken = static_shared_bytes(function);  // CUDA forgets what it reserves per block
    const std::size_t allowed = allowed_dynamic_shared(function);
    const std::size_t most = (allowed > shared_static_limit ? shared_block_limit() : shared_static_limit) -
                             static_shared_bytes(function);
    *dynamic_shared_bytes = std::min({share - std::min(share, taken), allowed, most});
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return api_call([&] {
    if (!name) return cudaErrorInvalidValue;
    if (!function || !is_known_kernel(function)) {
      report(
          "cudaFuncGetName: not a kernel that the emulator knows; pass its name: cudaFuncGetName(&name, "
          "kernel)");
      return cudaErrorInvalidDeviceFunction;
    }
    *name = symbol_of(function, name_of_known_kernel(function));
    return cudaSuccess;
  });
}
