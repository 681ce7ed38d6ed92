#pragma once

#include "warplab_emulator/async_copies.hpp"
#include "warplab_emulator/wmma_operations.hpp"

// How nvcuda::wmma's fragments are loaded and stored. While it is recorded, a lane makes the accesses that
// sm_90 makes: they differ from what it gets where the hardware exchanges words between lanes afterwards. All
// is inlined, so that an access counts for the kernel's line. "Lines" are what lies together in memory: rows
// or columns.

namespace warplab::emulator {

template <class T>
void check_wmma_matrix(const T* matrix, unsigned stride, const Site& site) {
  if (reinterpret_cast<std::size_t>(matrix) % 32 != 0 || stride * sizeof(T) % 16 != 0) [[unlikely]]
    report_wmma_matrix(stride, 16 / sizeof(T), site);
}

template <bool by_rows>
constexpr std::size_t wmma_offset(int row, int column, unsigned stride) {
  return by_rows ? static_cast<std::size_t>(row) * stride + static_cast<unsigned>(column)
                 : static_cast<std::size_t>(column) * stride + static_cast<unsigned>(row);
}

/// Where, in an 8 x 8 block of 16-bit elements, lane `lane` reads or writes its two: line lane / 4 of memory.
template <WmmaLayout layout, bool by_rows>
std::size_t wmma_line_offset(int block, int lane, unsigned stride) {
  constexpr bool transposed = by_rows != layout.along_columns;
  const int across = 8 * layout.block[block].across, along = 8 * layout.block[block].along;
  const int line = (transposed ? along : across) + lane / 4;
  const int element = (transposed ? across : along) + 2 * (lane % 4);
  return static_cast<std::size_t>(line) * stride + static_cast<unsigned>(element);
}

/// The accesses of a load of 16-bit elements: LDSM, 16 bytes a lane, for an operand in shared memory, else
/// 4 bytes a lane and block.
template <WmmaLayout layout, bool by_rows, bool operand, class T>
[[gnu::always_inline]] inline void touch_wmma_pairs(const T* matrix, unsigned stride) {
  constexpr bool transposed = by_rows != layout.along_columns;
  const int me = lane();
  if (operand && is_shared(matrix)) {
    for (int first = 0; first < layout.blocks; first += 4) {
      const int block = first + me / 8;
      if (block >= layout.blocks) continue;
      const int across = 8 * layout.block[block].across, along = 8 * layout.block[block].along;
      const int line = (transposed ? along : across) + me % 8, element = transposed ? across : along;
      const auto words = read_piece<16>(matrix + static_cast<std::size_t>(line) * stride + element);
      asm volatile("" : : "x"(words));
    }
  } else {
    for (int block = 0; block < layout.blocks; ++block) {
      const unsigned word = read_piece<4>(matrix + wmma_line_offset<layout, by_rows>(block, me, stride));
      asm volatile("" : : "r"(word));
    }
  }
}

/// The pairs of a lane, of 16-bit elements.
template <WmmaLayout layout, bool by_rows, class T>
__attribute__((no_sanitize("thread"))) void read_wmma_pairs(unsigned* pairs, const T* matrix, unsigned stride,
                                                            int me) {
  constexpr bool transposed = by_rows != layout.along_columns;
#pragma GCC unroll 8
  for (int block = 0; block < layout.blocks; ++block) {
    const WmmaPlace at = wmma_place(layout, me, 2 * block);
    const T* first = matrix + wmma_offset<by_rows>(at.row, at.column, stride);
    lens_permit(first, 4);
    if constexpr (transposed) lens_permit(first + stride, 2);
    if constexpr (transposed)  // no function here: it would be recorded
      pairs[block] = *reinterpret_cast<const Piece<2>::type*>(first) |
                     static_cast<unsigned>(*reinterpret_cast<const Piece<2>::type*>(first + stride)) << 16;
    else
      pairs[block] = *reinterpret_cast<const Piece<4>::type*>(first);
  }
}

template <WmmaLayout layout, bool by_rows, bool operand, class T>
[[gnu::always_inline]] inline void load_wmma_pairs(unsigned* pairs, const T* matrix, unsigned stride,
                                                   const Site& site) {
  check_wmma_matrix(matrix, stride, site);
  if (is_recorded()) [[unlikely]]
    touch_wmma_pairs<layout, by_rows, operand>(matrix, stride);
  read_wmma_pairs<layout, by_rows>(pairs, matrix, stride, lane());
}

template <WmmaLayout layout, bool by_rows, class T>
[[gnu::always_inline]] inline void store_wmma_pairs(const unsigned* pairs, T* matrix, unsigned stride,
                                                    const Site& site) {
  check_wmma_matrix(matrix, stride, site);
  WmmaExchange exchange;
  __builtin_memcpy(exchange.pairs, pairs, sizeof(unsigned) * layout.blocks);
  exchange_wmma_words(exchange, layout.blocks, by_rows != layout.along_columns, site);
  for (int block = 0; block < layout.blocks; ++block)
    *reinterpret_cast<Piece<4>::type*>(matrix + wmma_line_offset<layout, by_rows>(block, lane(), stride)) =
        exchange.words[block];
}

/// The floats of a lane: in pairs where a pair lies in one line, else one by one.
template <WmmaLayout layout, bool by_rows>
[[gnu::always_inline]] inline void load_wmma_floats(float* x, const float* matrix, unsigned stride,
                                                    const Site& site) {
  check_wmma_matrix(matrix, stride, site);
  const int me = lane();
  for (int i = 0; i < 2 * layout.blocks; ++i) {
    const WmmaPlace at = wmma_place(layout, me, i);
    const float* from = matrix + wmma_offset<by_rows>(at.row, at.column, stride);
    if constexpr (by_rows != layout.along_columns) {
      x[i] = *from;
    } else {
      const auto pair = read_piece<8>(from);
      __builtin_memcpy(x + i++, &pair, 8);
    }
  }
}

template <WmmaLayout layout, bool by_rows>
[[gnu::always_inline]] inline void store_wmma_floats(const float* x, float* matrix, unsigned stride,
                                                     const Site& site) {
  check_wmma_matrix(matrix, stride, site);
  WmmaExchange exchange;
  exchange_wmma_words(exchange, 0, false, site);
  const int me = lane();
  for (int i = 0; i < 2 * layout.blocks; ++i) {
    const WmmaPlace at = wmma_place(layout, me, i);
    float* to = matrix + wmma_offset<by_rows>(at.row, at.column, stride);
    if constexpr (by_rows != layout.along_columns) {
      *to = x[i];
    } else {
      Piece<8>::type pair;
      __builtin_memcpy(&pair, x + i++, 8);
      *reinterpret_cast<Piece<8>::type*>(to) = pair;
    }
  }
}

}  // namespace warplab::emulator
