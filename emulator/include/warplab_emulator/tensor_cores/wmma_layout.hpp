#pragma once

// Which element of a matrix each lane of a warp holds in the operands of tensor core instructions: the
// fragments of nvcuda::wmma and the registers of mma.sync.

namespace warplab::emulator {

enum class MatrixUse { a, b, accumulator };

/// A fragment's matrix is made of blocks of 8 lines of 4 runs. A run is one or more adjacent elements. Lane l
/// holds of every block the run on line l / 4 ("across"), at place l % 4 of the line ("along").
struct WmmaLayout {
  int rows, columns;
  int run;             ///< elements of a run: 4 of a byte, 2 of 16 bits, 1 of more; 2 of every accumulator
  int blocks;          ///< runs that a lane holds
  bool along_columns;  ///< a run lies in one row
  struct Block {
    signed char across, along;
  };
  Block block[8];  ///< by run, in blocks
};

/// @param run elements of a run of the operands
constexpr WmmaLayout wmma_layout(MatrixUse use, int m, int n, int k = 16, int run = 2) {
  // The hardware turns a product of 32 columns round: it multiplies the transposed matrices.
  const bool turned = n == 32;
  WmmaLayout layout{};
  int across = 0, along = 0;
  bool in_pairs = false;  // blocks are ordered as the operand a of 16 rows has them
  if (use == MatrixUse::accumulator) {
    layout = {m, n, 2, 0, !turned, {}};
    across = (turned ? n : m) / 8, along = (turned ? m : n) / 8;
    in_pairs = across == 2;
  } else {
    const bool a = use == MatrixUse::a;
    layout = {a ? m : k, a ? k : n, run, 0, a, {}};
    across = (a ? m : n) / 8, along = k / (4 * run);
    in_pairs = across > 1 && a != turned;
  }
  const int group = in_pairs ? 2 : 1;
  for (int first = 0; first < across; first += group)
    for (int j = 0; j < along; ++j)
      for (int i = first; i < first + group; ++i)
        layout.block[layout.blocks++] = {static_cast<signed char>(i), static_cast<signed char>(j)};
  return layout;
}

/// The row and column of element `i` of lane `lane`.
struct WmmaPlace {
  int row, column;
};
constexpr WmmaPlace wmma_place(const WmmaLayout& layout, int lane, int i) {
  const WmmaLayout::Block block = layout.block[i / layout.run % layout.blocks];
  const int across = 8 * block.across + lane / 4;
  const int along = layout.run * (4 * block.along + lane % 4) + i % layout.run;
  return layout.along_columns ? WmmaPlace{across, along} : WmmaPlace{along, across};
}

}  // namespace warplab::emulator
