#pragma once

#include <initializer_list>
#include <string_view>

#include "common/host/dtype.hpp"

// Which rung of lab 09 takes which elements: read by the adapter, which calls no kernel that was not
// compiled, and by the problem. Host code.

/// A rung and the types of its elements.
struct MatmulTypes {
  std::string_view rung;
  std::initializer_list<warplab::DType> dtypes;  ///< the first is the one that it shows best
};

namespace matmul_types {
using enum warplab::DType;
inline constexpr MatmulTypes table[] = {
    {"naive", {f32, i32, f64, f16, bf16, i8}},
    {"coalesced", {f32, i32, f64, f16, bf16, i8}},
    {"tiled", {f32, i32, f64, f16, bf16, i8}},
    {"registers_1d", {f32, i32, f64}},
    {"registers_2d", {f32, i32, f64}},
    {"vectorized", {f32, i32, f64}},
    {"async", {f32, f64}},
    {"wmma", {f16, bf16, i8, u8}},
    {"mma_ldmatrix", {f16, bf16}},
    {"split_k", {f32, f64}},
    {"vector", {f32, f64}},
    {"wgmma_tma", {f16, bf16}},
    {"auto", {f32, i32, f64, f16, bf16, i8}},
    {"cublas", {f32, f64, f16, bf16, i8}},
};
}  // namespace matmul_types

/// Whether `rung` has a kernel for elements of this type.
constexpr bool matmul_takes(std::string_view rung, warplab::DType dtype) {
  for (const MatmulTypes& row : matmul_types::table)
    if (row.rung == rung)
      for (const warplab::DType taken : row.dtypes)
        if (taken == dtype) return true;
  return false;
}
