#pragma once

#include "warplab_emulator/ptx/ptx_memory.hpp"
#include "warplab_emulator/tensor_cores/wmma_operations.hpp"

// PTX's instructions for tensor cores: ldmatrix, stmatrix and mma.sync.

namespace warplab::emulator::ptx {

/// What all 32 lanes bring.
inline Exchanged gather_warp(unsigned long long value, const Site& site) {
  if (live_lanes() != ~0u)
    device_fault(illegal_instruction, "%s at %s:%d needs all 32 lanes of a warp; here are %d", site.what,
                 site.file, site.line, __builtin_popcount(live_lanes()));
  return exchange(~0u, value, site);
}

/// movmatrix: lane i holds elements 2 (i % 4) and the next of row i / 4 of 8 x 8, and gets those of the
/// transposed matrix.
inline unsigned movmatrix(unsigned word, const Site& site) {
  const Exchanged all = gather_warp(word, site);
  const unsigned me = static_cast<unsigned>(lane()), row = me / 4, column = 2 * (me % 4);
  const auto element = [&](unsigned r, unsigned c) {
    return static_cast<unsigned>(all.values[4 * r + c / 2] >> 16 * (c % 2)) & 0xffffu;
  };
  return element(column, row) | element(column + 1, row) << 16;
}

/// The words of a lane: of matrix i, row lane / 4, elements 2 * (lane % 4) and the next; transposed: column
/// lane / 4 instead. Lane 8 i + r has brought the address of row r of matrix i.
template <int n, bool transposed>
__attribute__((no_sanitize("thread"))) void read_matrices(unsigned* words, const unsigned long long* rows,
                                                          int me) {
  for (int i = 0; i < n; ++i) {
    if constexpr (transposed) {
      const char* lower = reinterpret_cast<const char*>(rows[8 * i + 2 * (me % 4)]) + 2 * (me / 4);
      const char* upper = reinterpret_cast<const char*>(rows[8 * i + 2 * (me % 4) + 1]) + 2 * (me / 4);
      header_calls::lens_permit(lower, 2);
      header_calls::lens_permit(upper, 2);
      words[i] = *reinterpret_cast<const Piece<2>::type*>(lower) |
                 static_cast<unsigned>(*reinterpret_cast<const Piece<2>::type*>(upper)) << 16;
    } else {
      const char* from = reinterpret_cast<const char*>(rows[8 * i + me / 4]) + 4 * (me % 4);
      header_calls::lens_permit(from, 4);
      words[i] = *reinterpret_cast<const Piece<4>::type*>(from);
    }
  }
}

/// Loads n matrices of 8 x 8 elements of 16 bits. To the lens, each of the first 8 n lanes reads its row.
template <int n, bool transposed>
WARPLAB_PTX void ldmatrix(unsigned (&words)[n], unsigned long long address, const Site& site) {
  const int me = lane();
  const char* row = nullptr;
  if (me < 8 * n) {
    row = shared(address, site);
    require_aligned<16>(row, site);
    if (is_recorded()) [[unlikely]] {
      const auto piece = read_piece<16>(row);
      asm volatile("" : : "x"(piece));
    }
  }
  const Exchanged all = gather_warp(reinterpret_cast<unsigned long long>(row), site);
  read_matrices<n, transposed>(words, all.values, me);
}

/// Words of all lanes on their way to the rows that lanes write.
template <int n>
struct MatrixWords {
  unsigned words[n];
};

template <int n, bool transposed>
__attribute__((no_sanitize("thread"))) void collect_row(unsigned short* row, const unsigned long long* all,
                                                        int me) {
  for (int j = 0; j < 8; ++j) {
    const int line = transposed ? j : me % 8, element = transposed ? me % 8 : j;
    const auto* from = reinterpret_cast<const MatrixWords<n>*>(all[4 * line + element / 2]);
    header_calls::lens_permit(from->words + me / 8, 4);
    row[j] = static_cast<unsigned short>(from->words[me / 8] >> 16 * (element % 2));
  }
}

template <int n, bool transposed>
WARPLAB_PTX void stmatrix(unsigned long long address, const unsigned (&words)[n], const Site& site) {
  MatrixWords<n> mine;
  for (int i = 0; i < n; ++i) mine.words[i] = words[i];
  const Exchanged all = gather_warp(reinterpret_cast<unsigned long long>(&mine), site);
  const int me = lane();
  if (me < 8 * n) {
    char* row = shared(address, site);
    require_aligned<16>(row, site);
    alignas(16) unsigned short elements[8];
    collect_row<n, transposed>(elements, all.values, me);
    Piece<16>::type piece;
    __builtin_memcpy(&piece, elements, 16);
    *reinterpret_cast<Piece<16>::type*>(row) = piece;
  }
  gather_warp(0, site);  // nobody goes on while its words are read
}

/// mma.sync: every register array holds what the PTX instruction's vector operand does.
template <int kind, class A, class B, class C, class D>
WARPLAB_PTX void mma(D& d, const A& a, const B& b, const C& c, bool c_is_half, bool d_is_half, bool saturate,
                     const Site& site) {
  static_assert(kind >= 0);
  WmmaOperands operands{a, b, c, d, c_is_half, d_is_half, saturate, false};
  multiply_fragments(operands, kind, site);
}

}  // namespace warplab::emulator::ptx
