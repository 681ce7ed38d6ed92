#pragma once

#include <cuda_fp16.h>

#include <type_traits>

#include "common/device/tensor_map.hpp"

/// The map of an operand, whose boxes have 64 columns: 128 bytes per line, swizzled.
/// @param matrix (rows, cols), rows `leading` elements apart, device memory; all rows
/// start at multiples of 16 bytes
/// @throws std::invalid_argument for a matrix that the accelerator cannot read
template <class T>
CUtensorMap tensor_map(const T* matrix, std::int64_t rows, std::int64_t cols, std::int64_t leading,
                       unsigned box_rows) {
  static_assert(sizeof(T) == 2);
  constexpr auto type =
      std::is_same_v<T, __half> ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  return swizzled_tensor_map(type, sizeof(T), matrix, rows, cols, leading, box_rows);
}
