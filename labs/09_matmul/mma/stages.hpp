#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "mma/tile.hpp"

// The tiles of A and B that a block multiplies, in a ring of stages in shared memory. Device code.

/// @param aligned rows of A and B begin at multiples of 16 bytes: cp.async brings the tiles. Otherwise they
///   come through registers, and there are two stages.
template <class T, bool aligned, int rows, int cols, int depth, int stages, unsigned threads>
class MatmulStages {
  using TileA = MatmulTile<rows, depth>;
  using TileB = MatmulTile<depth, cols>;
  static_assert(aligned || stages == 2, "registers hold one tile");

 public:
  static constexpr int bytes = stages * (TileA::bytes + TileB::bytes);
  static constexpr int ahead = aligned ? stages - 1 : 2;  ///< tiles that are fetched before they are needed

  /// @param memory `bytes` bytes of shared memory
  __device__ MatmulStages(char* memory, const Matmul<T>& product, std::int64_t row, std::int64_t col)
      : a_{product.a, product.lda, product.m, product.k},
        b_{product.b, product.ldb, product.k, product.n},
        row_(row),
        col_(col),
        memory_(memory) {}

  /// How many tiles there are along k.
  __device__ int count() const { return (b_.rows + depth - 1) / depth; }

  /// Starts to bring a tile, if there is one.
  __device__ void fetch(int tile) {
    const std::int64_t k = std::int64_t{tile} * depth;
    if constexpr (aligned) {
      if (tile < count()) {
        TileA::template copy_async<threads>(a(tile), a_, row_, k);
        TileB::template copy_async<threads>(b(tile), b_, k, col_);
      }
      matmul_copies_commit();
    } else if (tile < count()) {
      TileA::template load<threads>(held_a_, a_, row_, k);
      TileB::template load<threads>(held_b_, b_, k, col_);
    }
  }
  /// Writes the tile that registers hold to its stage. @pre no thread reads the tile before the last any more
  __device__ void keep(int tile) {
    if constexpr (!aligned) {
      if (tile >= count()) return;
      TileA::store(memory_ + place(tile), held_a_);
      TileB::store(memory_ + place(tile) + TileA::bytes, held_b_);
    }
  }
  /// Waits for this thread's copies of all tiles but the last `stages - 2` that it has fetched.
  __device__ void wait() {
    if constexpr (aligned) matmul_copies_wait<stages - 2>();
  }

  /// Loads 16 x 16 elements of A's tile: the operand a of mma.sync.
  __device__ void load_a(unsigned (&words)[4], int tile, int row, int k) const {
    const unsigned lane = threadIdx.x % 32;
    matmul_ldmatrix(words, a(tile) + TileA::place(row + lane % 16, k / 8 + lane / 16));
  }
  /// Loads 16 x 16 elements of B's tile: two operands b, of 8 columns each.
  __device__ void load_b(unsigned (&words)[4], int tile, int k, int col) const {
    const unsigned lane = threadIdx.x % 32;
    matmul_ldmatrix_transposed(words, b(tile) + TileB::place(k + lane % 16, col / 8 + lane / 16));
  }

 private:
  struct Nothing {};
  template <class Tile>
  using Held = std::conditional_t<aligned, Nothing, typename Tile::template Held<threads>>;

  static __device__ unsigned place(int tile) {
    return static_cast<unsigned>(tile % stages * (TileA::bytes + TileB::bytes));
  }
  __device__ unsigned a(int tile) const { return matmul_shared_address(memory_) + place(tile); }
  __device__ unsigned b(int tile) const { return a(tile) + TileA::bytes; }

  MatmulSource<T> a_, b_;
  std::int64_t row_, col_;
  char* memory_;
  Held<TileA> held_a_;
  Held<TileB> held_b_;
};
