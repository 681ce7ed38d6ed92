#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/vector16.hpp"
#include "matmul.hpp"
#include "matmul_store.hpp"

// Pieces of 16 bytes: what lab 09's rungs move at a time from `vectorized` on. Device code.

/// The CUDA type of 16 bytes by which T's are moved.
template <class T>
struct MatmulVector {
  using type = uint4;  // of bytes and of 16-bit numbers
};
template <class T>
requires(sizeof(T) >= 4) struct MatmulVector<T> : warplab::Vector16<T> {
};

/// As many neighbouring elements as 16 bytes hold.
template <class T>
struct alignas(16) MatmulPiece {
  static constexpr int width = 16 / sizeof(T);
  T x[width];
};

/// Reads a piece in one access. @pre `from` is a multiple of 16 bytes
template <class T>
__device__ MatmulPiece<T> matmul_get(const T* from) {
  using Vector = typename MatmulVector<T>::type;
  MatmulPiece<T> piece;
  *reinterpret_cast<Vector*>(&piece) = *reinterpret_cast<const Vector*>(from);
  return piece;
}

/// Writes a piece in one access. @pre `to` is a multiple of 16 bytes
template <class T>
__device__ void matmul_put(T* to, const MatmulPiece<T>& piece) {
  using Vector = typename MatmulVector<T>::type;
  *reinterpret_cast<Vector*>(to) = *reinterpret_cast<const Vector*>(&piece);
}

/// The elements at, at + 1, ... of a row that ends at `end`, and zeros beyond. @param vectors whether rows
/// start at multiples of 16 bytes. @pre `at` is a multiple of the piece's width
template <class T>
__device__ MatmulPiece<T> matmul_load(const T* row, std::int64_t at, std::int64_t end, bool vectors) {
  if (vectors && at + MatmulPiece<T>::width <= end) return matmul_get(row + at);
  MatmulPiece<T> piece;
#pragma unroll
  for (int i = 0; i < MatmulPiece<T>::width; ++i) piece.x[i] = at + i < end ? row[at + i] : T{};
  return piece;
}

/// Writes `count` neighbouring elements of a row of D, as far as D has them. @param vectors whether D's rows
/// start at multiples of 16 bytes. @pre col and count are multiples of the piece's width
template <int count, class T>
__device__ void matmul_store_row(const Matmul<T>& product, std::int64_t row, std::int64_t col,
                                 const MatmulSum<T>* sums, bool vectors) {
  using Piece = MatmulPiece<MatmulSum<T>>;
  if (row >= product.m) return;
#pragma unroll
  for (int first = 0; first < count; first += Piece::width) {
    if (vectors && col + first + Piece::width <= product.n) {
      Piece piece;
#pragma unroll
      for (int i = 0; i < Piece::width; ++i)
        piece.x[i] = matmul_result(product, row, col + first + i, sums[first + i]);
      matmul_put(product.d + row * product.ldd + col + first, piece);
    } else {
#pragma unroll
      for (int i = 0; i < Piece::width; ++i)
        if (col + first + i < product.n) matmul_store(product, row, col + first + i, sums[first + i]);
    }
  }
}
