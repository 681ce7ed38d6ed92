#pragma once

// Which element of a matrix each lane of a warp holds in nvcuda::wmma's fragments, as measured on sm_90.

namespace warplab::emulator {

enum class MatrixUse { a, b, accumulator };

/// A fragment's matrix is made of blocks of 8 x 8 elements. Lane l holds, of every block, the two elements at
/// l / 4 along one axis ("across") and 2 * (l % 4) and the next along the other ("along").
struct WmmaLayout {
  int rows, columns;
  int blocks;          ///< pairs that a lane holds; its other elements repeat them
  bool along_columns;  ///< the pair lies in one row
  struct Block {
    signed char across, along;
  };
  Block block[8];  ///< by pair, in blocks of 8
};

constexpr WmmaLayout wmma_layout(MatrixUse use, int m, int n) {
  constexpr WmmaLayout square_a{16, 16, 4, true, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}};
  constexpr WmmaLayout square_b{16, 16, 4, false, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}};
  constexpr WmmaLayout square_c{16, 16, 4, true, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}};
  constexpr WmmaLayout tall_a{
      32, 16, 8, true, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}, {2, 1}, {3, 1}}};
  constexpr WmmaLayout tall_b{16, 8, 2, false, {{0, 0}, {0, 1}}};
  constexpr WmmaLayout tall_c{32, 8, 4, true, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}};
  constexpr WmmaLayout wide_a{8, 16, 2, true, {{0, 0}, {0, 1}}};
  constexpr WmmaLayout wide_b{
      16, 32, 8, false, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}, {2, 1}, {3, 1}}};
  constexpr WmmaLayout wide_c{8, 32, 4, false, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}};
  if (use == MatrixUse::a) return m == 32 ? tall_a : n == 32 ? wide_a : square_a;
  if (use == MatrixUse::b) return m == 32 ? tall_b : n == 32 ? wide_b : square_b;
  return m == 32 ? tall_c : n == 32 ? wide_c : square_c;
}

/// Where element `i` of lane `lane` stands.
struct WmmaPlace {
  int row, column;
};
constexpr WmmaPlace wmma_place(const WmmaLayout& layout, int lane, int i) {
  const WmmaLayout::Block block = layout.block[i / 2 % layout.blocks];
  const int across = 8 * block.across + lane / 4, along = 8 * block.along + 2 * (lane % 4) + i % 2;
  return layout.along_columns ? WmmaPlace{across, along} : WmmaPlace{along, across};
}

}  // namespace warplab::emulator
