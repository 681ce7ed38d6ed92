#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"
#include "common/todo.hpp"
#include "matmul.hpp"

// What the launchers of lab 09 check, and their grids. Host code.

/// Refuses rows that overlap. @throws std::invalid_argument
inline void matmul_check_rows(const char* matrix, std::int64_t leading, std::int64_t width) {
  if (leading < width)
    warplab::refuse("rows of ", matrix, " are ", leading, " elements apart, and have ", width,
                    ": they overlap");
}

/// Whether D has elements to compute. @throws std::invalid_argument for what every launcher refuses
template <class T>
bool matmul_check(const Matmul<T>& product) {
  warplab::check_size("m", product.m);
  warplab::check_size("n", product.n);
  warplab::check_size("k", product.k);
  constexpr std::int64_t max_k = 0x7fffffff - 4096;  // where a loop over k ends is an int too
  if (product.k > max_k) warplab::refuse("k is ", product.k, "; it may be at most ", max_k);
  matmul_check_rows("A", product.lda, product.k);
  matmul_check_rows("B", product.ldb, product.n);
  matmul_check_rows("C", product.ldc, product.n);
  matmul_check_rows("D", product.ldd, product.n);
  if (product.m == 0 || product.n == 0) return false;  // a grid of 0 blocks is an error in CUDA
  const void* const d = product.d;
  if (product.k > 0 && (d == product.a || d == product.b))
    warplab::refuse("D is the buffer of A or of B: in-place products are not supported");
  return true;
}

/// One block per tile of D. A block's tile is blockIdx.x across and matmul_block_down() down, which may lie
/// past the last row.
template <class T>
dim3 matmul_grid(const Matmul<T>& product, int tile_rows, int tile_cols) {
  return warplab::grid_in_layers(warplab::ceil_div(product.n, tile_cols),
                                 warplab::ceil_div(product.m, tile_rows));
}

/// Whether all rows of a matrix start at a multiple of 16 bytes.
template <class T>
bool matmul_rows_at_16_bytes(const T* matrix, std::int64_t leading) {
  return reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && leading * std::int64_t{sizeof(T)} % 16 == 0;
}
