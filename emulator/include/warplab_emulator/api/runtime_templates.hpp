#pragma once

#include <cstddef>
#include <type_traits>

#include "warplab_emulator/api/runtime_functions.hpp"

// The typed forms of CUDA's runtime functions.

namespace warplab::emulator {

/// A `__device__` or `__constant__` variable as the caller sees it. `bytes` is 0
/// where the type does not tell.
struct SymbolReference {
  const void* address;
  std::size_t bytes;
};

template <class T>
SymbolReference refer_to_symbol(const T& symbol) {
  const void* address = const_cast<const void*>(reinterpret_cast<const volatile void*>(&symbol));
  if constexpr (std::is_array_v<T> && std::extent_v<T> == 0)
    return {address, 0};
  else
    return {address, sizeof(T)};
}

cudaError_t copy_to_symbol(SymbolReference symbol, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, bool async);
cudaError_t copy_from_symbol(void* to, SymbolReference symbol, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, cudaStream_t stream, bool async);
cudaError_t add_copy_to_symbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                               std::size_t count, SymbolReference symbol, const void* from, std::size_t bytes,
                               std::size_t offset, cudaMemcpyKind kind);
cudaError_t add_copy_from_symbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t count, void* to, SymbolReference symbol, std::size_t bytes,
                                 std::size_t offset, cudaMemcpyKind kind);
cudaError_t symbol_address(void** address, SymbolReference symbol);
cudaError_t symbol_size(std::size_t* bytes, SymbolReference symbol);

}  // namespace warplab::emulator

// Inlined, so that the place of a leak is the caller's line.
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes,
                                                            unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocHost(T** pointer, std::size_t bytes,
                                                         unsigned int flags = cudaHostAllocDefault) {
  return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned int flags) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width,
                                                          std::size_t height) {
  return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes,
                                                          cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t bytes,
                                                                  cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}
[[gnu::always_inline]] inline cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes,
                                                          cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}
template <class T>
[[gnu::always_inline]] inline cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool,
                                                          cudaStream_t stream) {
  return cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  using namespace warplab::emulator;
  return copy_to_symbol(refer_to_symbol(symbol), from, bytes, offset, kind, nullptr, false);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = nullptr) {
  using namespace warplab::emulator;
  return copy_to_symbol(refer_to_symbol(symbol), from, bytes, offset, kind, stream, true);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  using namespace warplab::emulator;
  return copy_from_symbol(to, refer_to_symbol(symbol), bytes, offset, kind, nullptr, false);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr) {
  using namespace warplab::emulator;
  return copy_from_symbol(to, refer_to_symbol(symbol), bytes, offset, kind, stream, true);
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, std::size_t count, const T& symbol,
                                           const void* from, std::size_t bytes, std::size_t offset,
                                           cudaMemcpyKind kind) {
  using namespace warplab::emulator;
  return add_copy_to_symbol(node, graph, after, count, refer_to_symbol(symbol), from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, std::size_t count, void* to,
                                             const T& symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
  using namespace warplab::emulator;
  return add_copy_from_symbol(node, graph, after, count, to, refer_to_symbol(symbol), bytes, offset, kind);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  return warplab::emulator::symbol_address(address, warplab::emulator::refer_to_symbol(symbol));
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
  return warplab::emulator::symbol_size(bytes, warplab::emulator::refer_to_symbol(symbol));
}

template <class T>
cudaError_t cudaFuncSetAttribute(T* function, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(function), attribute, value);
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* function) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(function));
}
template <class T>
cudaError_t cudaFuncGetName(const char** name, T* function) {
  return cudaFuncGetName(name, reinterpret_cast<const void*>(function));
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T* function, cudaFuncCache config) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(function), config);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T function, int block_size,
                                                          std::size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(function),
                                                       block_size, dynamic_shared_bytes);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T function, int block_size,
                                                                   std::size_t dynamic_shared_bytes,
                                                                   unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(function), block_size, dynamic_shared_bytes, flags);
}
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamic_shared_bytes, T function,
                                                      int blocks, int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(
      dynamic_shared_bytes, reinterpret_cast<const void*>(function), blocks, block_size);
}

template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* function, const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(function), config);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, T* function, const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxPotentialClusterSize(blocks, reinterpret_cast<const void*>(function), config);
}

/// The block size, in threads, that keeps most threads on a multiprocessor, and the smallest grid that fills
/// the device. `shared_bytes_of` maps a block size to its dynamic shared memory.
template <class UnaryFunction, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* min_grid_size, int* block_size,
                                                                    T function, UnaryFunction shared_bytes_of,
                                                                    int block_size_limit = 0,
                                                                    unsigned int flags = 0) {
  if (!min_grid_size || !block_size) return cudaErrorInvalidValue;
  int device = 0, multiprocessors = 0;
  cudaFuncAttributes attributes{};
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  if (cudaError_t e = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device))
    return e;
  if (cudaError_t e = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(function))) return e;
  int largest = attributes.maxThreadsPerBlock;
  if (block_size_limit > 0 && block_size_limit < largest) largest = block_size_limit;
  int best_threads = 0, best_size = 0, best_blocks = 0;
  for (int size = (largest + 31) / 32 * 32; size > 0; size -= 32) {
    const int threads = size < largest ? size : largest;
    int blocks = 0;
    if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, reinterpret_cast<const void*>(function), threads, shared_bytes_of(threads), flags))
      return e;
    if (blocks * threads <= best_threads) continue;
    best_threads = blocks * threads, best_size = threads, best_blocks = blocks;
  }
  *block_size = best_size;
  *min_grid_size = best_blocks * multiprocessors;
  return cudaSuccess;
}
template <class UnaryFunction, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size, int* block_size, T function,
                                                           UnaryFunction shared_bytes_of,
                                                           int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size, function,
                                                                 shared_bytes_of, block_size_limit);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid_size, int* block_size, T function,
                                                        std::size_t dynamic_shared_bytes = 0,
                                                        int block_size_limit = 0, unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      min_grid_size, block_size, function, [dynamic_shared_bytes](int) { return dynamic_shared_bytes; },
      block_size_limit, flags);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, T function,
                                               std::size_t dynamic_shared_bytes = 0,
                                               int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size, block_size, function,
                                                     dynamic_shared_bytes, block_size_limit);
}

inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
  return {width, height, depth};
}
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t width,
                                          std::size_t height) {
  return {pointer, pitch, width, height};
}
