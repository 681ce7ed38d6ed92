#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cuda/barrier>

#include "tests/emulator/findings/case.hpp"

// What the cases about tensor maps and wgmma share: a matrix of halves, and tiles of 64 rows and 8 columns of
// it, which are operands of wgmma.

#pragma nv_diag_suppress static_var_with_dynamic_init  // a barrier in shared memory

namespace findings {

/// The map of a matrix (64, 8 * tiles) whose boxes are tiles.
inline CUtensorMap map_of_tiles(void* matrix, unsigned tiles) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                         &found));
  const cuuint64_t extent[] = {8ull * tiles, 64}, row_bytes[] = {16ull * tiles};
  const cuuint32_t box[] = {8, 64}, every[] = {1, 1};
  CUtensorMap map{};
  if (reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function)(
          &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, matrix, extent, row_bytes, box, every,
          CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    std::exit(4);
  return map;
}

constexpr unsigned tile_bytes = 64 * 8 * 2;

/// The descriptor of two such tiles, one after the other: 64 rows by 16 along k.
__device__ inline std::uint64_t operand_at(const void* tiles) {
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(tiles));
  return (address & 0x3ffff) >> 4 | std::uint64_t{tile_bytes >> 4} << 16 | std::uint64_t{128 >> 4} << 32;
}

__device__ inline void products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void products_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ inline void products_wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }

using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

/// One thread arrives at a barrier; its phases end when bytes have come.
__device__ inline void begin(Barrier& barrier) {
  if (threadIdx.x == 0) {
    init(&barrier, 1);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
}

}  // namespace findings
