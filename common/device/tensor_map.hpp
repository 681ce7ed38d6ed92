#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"

// How the tensor memory accelerator is told where a matrix lies. Host code.

/// The driver's function; a program that links only the runtime asks the runtime for it. @throws CudaError
inline PFN_cuTensorMapEncodeTiled_v12000 tensor_map_encoder() {
  static const auto encode = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                                &found));
    if (found != cudaDriverEntryPointSuccess) warplab::refuse("this driver has no cuTensorMapEncodeTiled");
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
  }();
  return encode;
}

/// The map of a row-major matrix whose boxes have rows of 128 bytes, swizzled. What a box has outside the
/// matrix becomes 0.
/// @param matrix (rows, cols) of `type`, rows `leading` elements of `element_bytes` apart, device memory; all
/// rows start at multiples of 16 bytes
/// @throws std::invalid_argument for a matrix that the accelerator cannot read
inline CUtensorMap swizzled_tensor_map(CUtensorMapDataType type, unsigned element_bytes, const void* matrix,
                                       std::int64_t rows, std::int64_t cols, std::int64_t leading,
                                       unsigned box_rows) {
  const cuuint64_t extents[] = {static_cast<cuuint64_t>(cols), static_cast<cuuint64_t>(rows)};
  const cuuint64_t row_bytes[] = {static_cast<cuuint64_t>(leading) * element_bytes};
  const cuuint32_t box[] = {128 / element_bytes, box_rows}, every_element[] = {1, 1};
  CUtensorMap map;
  const CUresult result =
      tensor_map_encoder()(&map, type, 2, const_cast<void*>(matrix), extents, row_bytes, box, every_element,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                           CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    warplab::refuse("the tensor memory accelerator takes no matrix of ", rows, "x", cols, " with rows ",
                    leading, " elements apart");
  return map;
}
