#pragma once

#include "common/device/tensor_map.hpp"
#include "tma_queues.hpp"

/// The map of a's boxes for the rung stencil: stencil_box_rows rows of 32 elements, swizzled, with 0 outside
/// a. Host code. @return nothing of use for a matrix without elements, whose launcher does nothing
/// @throws std::invalid_argument for a matrix that the tensor memory accelerator cannot read
inline CUtensorMap stencil_map(const StencilWork& work) {
  if (work.rows < 1 || work.cols < 1) return {};
  return swizzled_tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, sizeof(float), work.a, work.rows, work.cols,
                             work.leading, stencil_box_rows);
}
