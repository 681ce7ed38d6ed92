// Ask the runtime: what is this device?
//
// cudaGetDeviceProperties fills a structure with everything that the runtime knows, cudaDeviceGetAttribute
// answers one question at a time. CUDA 13 dropped the clocks from the structure (they change while a
// program runs); the attributes still give them. Check every call: a query that ignores an error prints
// what happened to be in memory. Print the error too: it names the reason, such as no driver, no GPU or a
// wrong number.
// Cost: the first call of the runtime in a process takes a tenth of a second or
// more, later ones microseconds.
// Source: CUDA Runtime API, Device Management.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "device_query.hpp"

/// An attribute, or `unknown` where this runtime or driver does not give it.
[[maybe_unused]] static std::int64_t attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, device) == cudaSuccess) return value;
  (void)cudaGetLastError();  // so that no later check reports this error
  return unknown;
}

void device_query_query(const int* devices, int count, std::int64_t* fields, std::uint8_t* names) {
  int present = 0;
  CUDA_CHECK(cudaGetDeviceCount(&present));
  for (int i = 0; i < count; ++i) {
    const int device = devices[i];
    if (device < 0 || device >= present)
      throw std::invalid_argument("device " + std::to_string(device) + " does not exist; there are " +
                                  std::to_string(present) + ", counted from 0");
    [[maybe_unused]] std::int64_t* f = fields + std::int64_t{i} * field_count;  // (field_count)
    // BEGIN SOLUTION
    cudaDeviceProp prop;
    CUDA_CHECK(cudaGetDeviceProperties(&prop, device));
    f[compute_major] = prop.major;
    f[compute_minor] = prop.minor;
    f[clock_khz] = attribute(cudaDevAttrClockRate, device);
    f[memory_clock_khz] = attribute(cudaDevAttrMemoryClockRate, device);
    f[memory_bus_bits] = prop.memoryBusWidth;
    f[global_memory_bytes] = static_cast<std::int64_t>(prop.totalGlobalMem);
    f[constant_memory_bytes] = static_cast<std::int64_t>(prop.totalConstMem);
    f[l2_cache_bytes] = prop.l2CacheSize;
    f[multiprocessors] = prop.multiProcessorCount;
    f[warp_size] = prop.warpSize;
    f[shared_memory_per_block_bytes] = static_cast<std::int64_t>(prop.sharedMemPerBlock);
    f[shared_memory_per_block_optin_bytes] = static_cast<std::int64_t>(prop.sharedMemPerBlockOptin);
    f[shared_memory_per_multiprocessor_bytes] = static_cast<std::int64_t>(prop.sharedMemPerMultiprocessor);
    f[registers_per_block] = prop.regsPerBlock;
    f[registers_per_multiprocessor] = prop.regsPerMultiprocessor;
    f[max_threads_per_block] = prop.maxThreadsPerBlock;
    f[max_threads_per_multiprocessor] = prop.maxThreadsPerMultiProcessor;
    for (int axis = 0; axis < 3; ++axis) {
      f[max_block_x + axis] = prop.maxThreadsDim[axis];
      f[max_grid_x + axis] = prop.maxGridSize[axis];
    }
    std::uint8_t* name = names + std::int64_t{i} * name_bytes;  // (name_bytes)
    std::memset(name, 0, name_bytes);
    std::memcpy(name, prop.name, std::min<std::size_t>(std::strlen(prop.name), name_bytes - 1));
    // STUB warplab::todo(
    // STUB     "device_query_query: one call of cudaGetDeviceProperties, and `attribute` for the two clocks");
    // END SOLUTION
  }
}
