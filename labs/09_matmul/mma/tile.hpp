#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "matmul_store.hpp"
#include "mma/ptx.hpp"

// A tile of 16-bit elements on its way from global to shared memory, in pieces of 16 bytes. Device code.

/// A matrix in global memory, and where the tile begins in it.
template <class T>
struct MatmulSource {
  const T* matrix;  // (rows, cols)
  std::int64_t leading;
  int rows, cols;
};

/// Where a tile of rows x cols lies in shared memory: row by row, the pieces of a row in another order in
/// each row. Eight rows' pieces of one column lie in different banks: ldmatrix reads them in one wavefront.
template <int rows, int cols>
struct MatmulTile {
  static constexpr int width = 8;              // elements of a piece
  static constexpr int pieces = cols / width;  // of a row
  static_assert(pieces == 4 || pieces % 8 == 0, "rows of 64 bytes, or of a multiple of 128");
  static constexpr int bytes = rows * cols * 2;

  /// The offset of a piece in bytes.
  static __device__ unsigned place(unsigned row, unsigned piece) {
    const unsigned turn = pieces == 4 ? row / 2 % 4 : row % 8;  // two rows of 64 bytes share the banks
    return (row * pieces + (piece ^ turn)) * 16;
  }

  /// Calls f(i, row, piece) for each piece that this thread of `threads` moves.
  template <unsigned threads, class F>
  static __device__ void for_each_piece(F f) {
    static_assert(threads % pieces == 0 && rows * pieces % threads == 0, "all threads move as many pieces");
#pragma unroll
    for (unsigned i = 0; i < rows * pieces / threads; ++i)
      f(i, threadIdx.x / pieces + i * (threads / pieces), threadIdx.x % pieces);
  }

  /// Starts to copy the tile at (row, col). What lies past the matrix becomes 0.
  /// @pre rows of the matrix begin at multiples of 16 bytes, and col is a multiple of 8
  template <unsigned threads, class T>
  static __device__ void copy_async(unsigned to, const MatmulSource<T>& source, std::int64_t row,
                                    std::int64_t col) {
    const T* const corner = source.matrix + row * source.leading + col;
    if (row + rows <= source.rows && col + cols <= source.cols) {
      const T* from = corner + threadIdx.x / pieces * source.leading + threadIdx.x % pieces * width;
      for_each_piece<threads>([&](unsigned i, unsigned r, unsigned piece) {
        matmul_copy_async(to + place(r, piece), from + i * (threads / pieces * source.leading));
      });
      return;
    }
    for_each_piece<threads>([&](unsigned, unsigned r, unsigned piece) {
      const std::int64_t left = row + r < source.rows ? source.cols - (col + piece * width) : 0;
      const int bytes_left = left >= width ? 16 : left > 0 ? static_cast<int>(left) * 2 : 0;
      const T* const from = bytes_left > 0 ? corner + r * source.leading + piece * width : source.matrix;
      matmul_copy_async(to + place(r, piece), from, bytes_left);
    });
  }

  /// A thread's pieces of a tile on their way through registers, for rows that begin anywhere: the two
  /// pieces at multiples of 16 bytes that each lies in. They are shifted when they are stored, or the thread
  /// would wait for them at once.
  template <unsigned threads>
  struct Held {
    struct Piece {
      uint4 low, high;
      unsigned shift;
    };
    Piece pieces[rows * MatmulTile::pieces / threads];
  };

  template <unsigned threads, class T>
  static __device__ void load(Held<threads>& held, const MatmulSource<T>& source, std::int64_t row,
                              std::int64_t col) {
    for_each_piece<threads>([&](unsigned i, unsigned r, unsigned piece) {
      load_piece(held.pieces[i], source, row + r, col + piece * width);
    });
  }
  template <unsigned threads>
  static __device__ void store(char* to, const Held<threads>& held) {
    for_each_piece<threads>([&](unsigned i, unsigned r, unsigned piece) {
      const auto& from = held.pieces[i];
      *reinterpret_cast<uint4*>(to + place(r, piece)) = shifted(from.low, from.high, from.shift);
    });
  }

 private:
  /// At the edges, where the two pieces would leave the matrix, elements are loaded one by one.
  template <class Piece, class T>
  static __device__ void load_piece(Piece& piece, const MatmulSource<T>& source, std::int64_t row,
                                    std::int64_t col) {
    piece = {};
    if (row >= source.rows || col >= source.cols) return;
    const T* const from = source.matrix + row * source.leading + col;
    const T* const end = source.matrix + (source.rows - 1) * source.leading + source.cols;
    const unsigned shift = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) % 16);
    const T* const begin = from - shift / 2;
    if (col + width <= source.cols && begin >= source.matrix && begin + 2 * width <= end) {
      piece.low = *reinterpret_cast<const uint4*>(begin);
      piece.high = *reinterpret_cast<const uint4*>(begin + width);
      piece.shift = shift;
      return;
    }
    unsigned words[4] = {};
#pragma unroll
    for (int i = 0; i < width; ++i)
      if (col + i < source.cols)
        words[i / 2] |= static_cast<unsigned>(*reinterpret_cast<const unsigned short*>(from + i))
                        << i % 2 * 16;
    piece.low = {words[0], words[1], words[2], words[3]};
  }

  /// Bytes shift to shift + 15 of the 32.
  static __device__ uint4 shifted(const uint4& low, const uint4& high, unsigned shift) {
    unsigned w[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
    for (int i = 0; i < 6; ++i) w[i] = shift & 8 ? w[i + 2] : w[i];
#pragma unroll
    for (int i = 0; i < 5; ++i) w[i] = shift & 4 ? w[i + 1] : w[i];
    const unsigned bits = shift % 4 * 8;
    return {__funnelshift_r(w[0], w[1], bits), __funnelshift_r(w[1], w[2], bits),
            __funnelshift_r(w[2], w[3], bits), __funnelshift_r(w[3], w[4], bits)};
  }
};

/// Writes two neighbouring elements of a row of D, as far as D has them.
template <class T>
__device__ void matmul_store_pair(const Matmul<T>& product, std::int64_t row, std::int64_t col,
                                  const float* sums) {
  if (row >= product.m || col >= product.n) return;
  float* const to = product.d + row * product.ldd + col;
  if (col + 1 < product.n && reinterpret_cast<std::uintptr_t>(to) % 8 == 0) {
    *reinterpret_cast<float2*>(to) = {matmul_result(product, row, col, sums[0]),
                                      matmul_result(product, row, col + 1, sums[1])};
  } else {
    matmul_store(product, row, col, sums[0]);
    if (col + 1 < product.n) matmul_store(product, row, col + 1, sums[1]);
  }
}
