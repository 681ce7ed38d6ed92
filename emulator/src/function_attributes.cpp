#include "function_attributes.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "api_call.hpp"

namespace warplab::emulator {
namespace {

constexpr int max_threads_per_block = 1024;
constexpr int max_threads_per_multiprocessor = 2048;
constexpr int max_blocks_per_multiprocessor = 32;

std::mutex opted_in_lock;

std::unordered_map<const void*, std::size_t>& opted_in() {
  static auto& instance = *new std::unordered_map<const void*, std::size_t>;
  return instance;
}

}  // namespace

std::size_t max_dynamic_shared_bytes(const void* kernel) {
  const std::lock_guard lock(opted_in_lock);
  const auto found = opted_in().find(kernel);
  return found == opted_in().end() ? shared_bytes_per_block : found->second;
}

}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return api_call([&] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
      return cudaSuccess;  // hints to the hardware
    if (value < 0 || static_cast<std::size_t>(value) > shared_bytes_per_block_optin) {
      report("cudaFuncSetAttribute: %d bytes of dynamic shared memory; a block can have at most %zu", value,
             shared_bytes_per_block_optin);
      return cudaErrorInvalidValue;
    }
    const std::lock_guard lock(opted_in_lock);
    opted_in()[function] = static_cast<std::size_t>(value);
    return cudaSuccess;
  });
}

// Registers and static shared memory are not known on a CPU: 0.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api_call([&] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = {};
    attributes->maxThreadsPerBlock = max_threads_per_block;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(max_dynamic_shared_bytes(function));
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
    *blocks = 0;
    if (block_size > max_threads_per_block || dynamic_shared_bytes > shared_bytes_per_block_optin)
      return cudaSuccess;
    const int warp_threads = (block_size + 31) / 32 * 32;
    const auto by_shared = static_cast<int>(shared_bytes_per_multiprocessor /
                                            (dynamic_shared_bytes + shared_bytes_reserved_per_block));
    *blocks =
        std::min({max_blocks_per_multiprocessor, max_threads_per_multiprocessor / warp_threads, by_shared});
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int block_size,
                                                                   std::size_t dynamic_shared_bytes,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, dynamic_shared_bytes);
}
