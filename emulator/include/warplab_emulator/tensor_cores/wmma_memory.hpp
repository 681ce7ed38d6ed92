#pragma once

#include "warplab_emulator/copies/async_copies.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"
#include "warplab_emulator/tensor_cores/wmma_operations.hpp"

// How nvcuda::wmma's fragments are loaded and stored. While it is recorded, a lane makes the accesses
// that sm_90 makes: they differ from what it gets where the hardware exchanges words between lanes
// afterwards. All is inlined, so that an access counts for the kernel's line. "Lines" are what lies
// together in memory: rows or columns.

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

/// Whether the runs of a lane lie across the lines of memory.
template <const WmmaLayout& layout, bool by_rows>
inline constexpr bool wmma_transposed = by_rows != layout.along_columns;

/// Where, in an 8 x 8 block of 16-bit elements, lane `lane` reads or writes its two: line lane / 4 of memory.
template <const WmmaLayout& layout, bool by_rows>
std::size_t wmma_line_offset(int block, int lane, unsigned stride) {
  const int across = 8 * layout.block[block].across, along = 8 * layout.block[block].along;
  const int line = (wmma_transposed<layout, by_rows> ? along : across) + lane / 4;
  const int element = (wmma_transposed<layout, by_rows> ? across : along) + 2 * (lane % 4);
  return static_cast<std::size_t>(line) * stride + static_cast<unsigned>(element);
}

/// Where the first element of a lane's run of a block is.
template <const WmmaLayout& layout, bool by_rows>
std::size_t wmma_run_offset(int block, int lane, unsigned stride) {
  const WmmaPlace at = wmma_place(layout, lane, layout.run * block);
  return wmma_offset<by_rows>(at.row, at.column, stride);
}

/// LDSM: lane l reads 16 bytes, line l % 8 of block l / 8 of each four.
template <const WmmaLayout& layout, bool by_rows, class T>
[[gnu::always_inline]] inline void touch_wmma_blocks(const T* matrix, unsigned stride) {
  const int me = lane();
  for (int first = 0; first < layout.blocks; first += 4) {
    const int block = first + me / 8;
    if (block >= layout.blocks) continue;
    const int across = 8 * layout.block[block].across, along = 4 * layout.run * layout.block[block].along;
    const int line = (wmma_transposed<layout, by_rows> ? along : across) + me % 8;
    const int element = wmma_transposed<layout, by_rows> ? across : along;
    const auto words = read_piece<16>(matrix + static_cast<std::size_t>(line) * stride + element);
    asm volatile("" : : "x"(words));
  }
}

/// The accesses of a load of elements of at most 4 bytes: LDSM for an operand in shared memory, else 4 bytes
/// per lane and block. Bytes whose runs lie across the lines are read one by one.
template <const WmmaLayout& layout, bool by_rows, bool operand, class T>
[[gnu::always_inline]] inline void touch_wmma_words(const T* matrix, unsigned stride) {
  constexpr bool transposed = wmma_transposed<layout, by_rows>;
  const int me = lane();
  if (operand && (!transposed || sizeof(T) == 2) && is_shared(matrix))
    return touch_wmma_blocks<layout, by_rows>(matrix, stride);
  for (int block = 0; block < layout.blocks; ++block) {
    if constexpr (transposed && sizeof(T) == 1) {
      const T* first = matrix + wmma_run_offset<layout, by_rows>(block, me, stride);
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned byte = read_piece<1>(first + i * stride);
        asm volatile("" : : "r"(byte));
      }
    } else {
      const std::size_t at = sizeof(T) == 2 ? wmma_line_offset<layout, by_rows>(block, me, stride)
                                            : wmma_run_offset<layout, by_rows>(block, me, stride);
      const unsigned word = read_piece<4>(matrix + at);
      asm volatile("" : : "r"(word));
    }
  }
}

/// The runs of a lane, of elements of at most 4 bytes: each is one word.
template <const WmmaLayout& layout, bool by_rows, class T>
__attribute__((no_sanitize("thread"))) void read_wmma_words(unsigned* words, const T* matrix, unsigned stride,
                                                            int me) {
  static_assert(sizeof(T) * layout.run == 4);
  constexpr bool across_lines = wmma_transposed<layout, by_rows> && layout.run > 1;
#pragma GCC unroll 8
  for (int block = 0; block < layout.blocks; ++block) {
    const T* first = matrix + wmma_run_offset<layout, by_rows>(block, me, stride);
    if constexpr (across_lines) {  // no function here: it would be recorded
      words[block] = 0;
      for (unsigned i = 0; i < layout.run; ++i) {
        header_calls::lens_permit(first + i * stride, sizeof(T));
        words[block] |= static_cast<unsigned>(
                            *reinterpret_cast<const typename Piece<sizeof(T)>::type*>(first + i * stride))
                        << 8 * sizeof(T) * i;
      }
    } else {
      header_calls::lens_permit(first, 4);
      words[block] = *reinterpret_cast<const Piece<4>::type*>(first);
    }
  }
}

template <const WmmaLayout& layout, bool by_rows, bool operand, class T>
[[gnu::always_inline]] inline void load_wmma_words(unsigned* words, const T* matrix, unsigned stride,
                                                   const Site& site) {
  check_wmma_matrix(matrix, stride, site);
  if (is_recorded()) [[unlikely]]
    touch_wmma_words<layout, by_rows, operand>(matrix, stride);
  read_wmma_words<layout, by_rows>(words, matrix, stride, lane());
}

template <const WmmaLayout& layout, bool by_rows, class T>
[[gnu::always_inline]] inline void store_wmma_pairs(const unsigned* pairs, T* matrix, unsigned stride,
                                                    const Site& site) {
  check_wmma_matrix(matrix, stride, site);
  WmmaExchange exchange;
  __builtin_memcpy(exchange.pairs, pairs, sizeof(unsigned) * layout.blocks);
  header_calls::exchange_wmma_words(exchange, layout.blocks, by_rows != layout.along_columns, site);
  for (int block = 0; block < layout.blocks; ++block)
    *reinterpret_cast<Piece<4>::type*>(matrix + wmma_line_offset<layout, by_rows>(block, lane(), stride)) =
        exchange.words[block];
}

/// A lane's elements of 4 or 8 bytes: in pairs where a pair lies in one line, else one by one.
template <const WmmaLayout& layout, bool by_rows, class T>
[[gnu::always_inline]] inline void load_wmma_elements(T* x, const T* matrix, unsigned stride,
                                                      const Site& site) {
  check_wmma_matrix(matrix, stride, site);
  const int me = lane();
  for (int i = 0; i < layout.run * layout.blocks; ++i) {
    const WmmaPlace at = wmma_place(layout, me, i);
    const T* from = matrix + wmma_offset<by_rows>(at.row, at.column, stride);
    if constexpr (wmma_transposed<layout, by_rows> || layout.run == 1) {
      x[i] = *from;
    } else {
      const auto pair = read_piece<2 * sizeof(T)>(from);
      __builtin_memcpy(x + i++, &pair, sizeof pair);
    }
  }
}

template <const WmmaLayout& layout, bool by_rows, class T>
[[gnu::always_inline]] inline void store_wmma_elements(const T* x, T* matrix, unsigned stride,
                                                       const Site& site) {
  check_wmma_matrix(matrix, stride, site);
  WmmaExchange exchange;
  header_calls::exchange_wmma_words(exchange, 0, false, site);
  const int me = lane();
  for (int i = 0; i < layout.run * layout.blocks; ++i) {
    const WmmaPlace at = wmma_place(layout, me, i);
    T* to = matrix + wmma_offset<by_rows>(at.row, at.column, stride);
    if constexpr (wmma_transposed<layout, by_rows>) {
      *to = x[i];
    } else {
      typename Piece<2 * sizeof(T)>::type pair;
      __builtin_memcpy(&pair, x + i++, sizeof pair);
      *reinterpret_cast<typename Piece<2 * sizeof(T)>::type*>(to) = pair;
    }
  }
}

}  // namespace warplab::emulator
