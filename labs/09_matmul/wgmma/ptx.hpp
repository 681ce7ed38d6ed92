#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "common/device/bulk_copy.hpp"
#include "common/device/cluster.hpp"

// What CUDA C++ has no function for: a warpgroup's product (wgmma). PTX ISA 9.0, "wgmma". Needs sm_90a.

/// Where an operand lies in shared memory, in lines of 128 bytes that are swizzled by 128 bytes. @param
/// leading bytes between blocks of 64 columns (B) @param stride bytes between groups of 8 lines
__device__ inline std::uint64_t operand_at(const void* p, unsigned leading, unsigned stride) {
  constexpr std::uint64_t swizzle_128_bytes = std::uint64_t{1} << 62;
  return ((shared_address(p) & 0x3ffff) >> 4) | std::uint64_t{leading >> 4} << 16 |
         std::uint64_t{stride >> 4} << 32 | swizzle_128_bytes;
}

/// sums[i] may be written by products still running: the compiler must not move it across this.
template <int n>
__device__ inline void pin(float (&sums)[n]) {
#pragma unroll
  for (int i = 0; i < n; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}
__device__ inline void products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void products_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Waits until at most `left` groups of products are still running.
template <int left>
__device__ inline void products_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}
/// A warpgroup gives registers back, so that others can have more. @tparam registers per thread
template <int registers>
__device__ inline void registers_down() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ inline void registers_up() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}
