#pragma once

#include <cstring>

#include "emulator/src/tensor_cores/wgmma_operands.hpp"
#include "emulator/src/tensor_cores/wmma_arithmetic.hpp"
#include "warplab_emulator/math/float8_formats.hpp"

// The product of a warpgroup. Every source file that includes this has its own, for
// the processor it is compiled for.

namespace warplab::emulator {

/// What a product needs beside its operands. Too much for a thread's stack.
template <class Number>
struct WgmmaScratch {
  static constexpr int rows = 64, max_depth = 32, panel = 16;
  alignas(64) Number a[rows * max_depth];   ///< (row, k)
  alignas(64) Number b[max_depth * panel];  ///< (k, column) of a panel of columns
  alignas(64) Number c[rows * panel];       ///< (row, column)
};

namespace {

/// The numbers of a chunk of 16 bytes. @return how many
template <class Number>
inline __attribute__((always_inline)) int decode_chunk(WgmmaFormat format, Number* to,
                                                       const std::byte* chunk) {
  alignas(16) std::uint8_t bytes[16];
  std::memcpy(bytes, chunk, 16);
  if constexpr (std::is_same_v<Number, unsigned>) {
    const bool is_signed = format == WgmmaFormat::signed_byte;
    for (int i = 0; i < 16; ++i)
      to[i] = is_signed ? static_cast<unsigned>(int{static_cast<std::int8_t>(bytes[i])}) : bytes[i];
    return 16;
  } else {
    alignas(16) std::uint16_t halves[8];
    alignas(16) std::uint32_t words[4];
    switch (format) {
      case WgmmaFormat::half:
        std::memcpy(halves, bytes, 16);
        decode<WmmaFormat::half, 8>(to, halves);
        return 8;
      case WgmmaFormat::bfloat16:
        std::memcpy(halves, bytes, 16);
        decode<WmmaFormat::bfloat16, 8>(to, halves);
        return 8;
      case WgmmaFormat::tf32:
        std::memcpy(words, bytes, 16);
        decode<WmmaFormat::tf32, 4>(to, words);
        return 4;
      case WgmmaFormat::e4m3:
        for (int i = 0; i < 16; ++i) to[i] = E4m3Format::decode(bytes[i]);
        return 16;
      default:
        for (int i = 0; i < 16; ++i) to[i] = E5m2Format::decode(bytes[i]);
        return 16;
    }
  }
}

/// a, decoded: (64, depth).
template <int depth, class Number>
void collect_a(const WgmmaKind& kind, const WgmmaOperands* operands, Number* a) {
  alignas(64) Number chunk[16];
  if (kind.a_in_registers) {
    constexpr int run = depth / 8;  // elements of a register
    for (int t = 0; t < 128; ++t) {
      decode_chunk(kind.a, chunk, reinterpret_cast<const std::byte*>(operands[t].a));
      for (int reg = 0; reg < 4; ++reg)
        std::memcpy(a + (t / 32 * 16 + t % 32 / 4 + reg % 2 * 8) * depth + (t % 4 + reg / 2 * 4) * run,
                    chunk + reg * run, run * sizeof(Number));
    }
  } else {
    const WgmmaMatrix matrix(operands[0].a_matrix, !kind.a_along_rows, 64);
    if (kind.a_along_rows) {
      for (unsigned k = 0; k < depth; ++k)
        for (unsigned group = 0; group < 8; ++group) {
          decode_chunk(kind.a, chunk, matrix.chunk_across(group, k));
          for (unsigned i = 0; i < 8; ++i) a[(8 * group + i) * depth + k] = chunk[i];
        }
    } else {
      for (unsigned row = 0; row < 64; ++row)
        for (unsigned part = 0; part < 2; ++part)
          decode_chunk(kind.a, a + row * depth + part * (depth / 2), matrix.chunk_of_line(row, part));
    }
  }
  if (kind.negate_a != kind.negate_b)
    for (int i = 0; i < 64 * depth; ++i) a[i] = -a[i];
}

/// Columns first to first + width of b, decoded: (depth, width).
template <int depth, int width, class Number>
inline __attribute__((always_inline)) void collect_b(const WgmmaKind& kind, const WgmmaMatrix& matrix,
                                                     unsigned first, Number* b) {
  alignas(64) Number chunk[16];
  if (kind.b_along_columns) {
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned group = 0; group < width / 8; ++group)
        decode_chunk(kind.b, b + k * width + 8 * group, matrix.chunk_across(first / 8 + group, k));
    return;
  }
  for (unsigned column = 0; column < width; ++column)
    for (unsigned part = 0; part < 2; ++part) {
      decode_chunk(kind.b, chunk, matrix.chunk_of_line(first + column, part));
#pragma GCC unroll 16
      for (unsigned i = 0; i < depth / 2; ++i) b[(part * (depth / 2) + i) * width + column] = chunk[i];
    }
}

/// Two neighbouring sums of a thread, in registers that it has from `first` on.
struct SumPair {
  int row, column, index;
};
/// Calls `pair` for the pairs of thread t in a panel of `width` columns.
template <int width, class Pair>
inline __attribute__((always_inline)) void for_each_pair(int t, Pair pair) {
  for (int i = 0; i < width / 4; ++i)
    pair(SumPair{t / 32 * 16 + t % 32 / 4 + i % 2 * 8, i / 2 * 8 + t % 4 * 2, i});
}

template <int width, class Number>
inline __attribute__((always_inline)) void collect_sums(const WgmmaKind& kind, const WgmmaOperands* operands,
                                                        unsigned first, Number* c) {
  if (!operands[0].add) {
    std::memset(c, 0, 64 * width * sizeof(Number));
    return;
  }
  for (int t = 0; t < 128; ++t) {
    const unsigned* sums = operands[t].sums + (kind.sums_are_half ? first / 4 : first / 2);
    for_each_pair<width>(
        t, [&](SumPair at) __attribute__((always_inline)) {
          Number* to = c + at.row * width + at.column;
          if (kind.sums_are_half) {
            to[0] = static_cast<Number>(HalfFormat::decode(static_cast<std::uint16_t>(sums[at.index])));
            to[1] = static_cast<Number>(HalfFormat::decode(static_cast<std::uint16_t>(sums[at.index] >> 16)));
          } else {
            std::memcpy(to, sums + 2 * at.index, sizeof(Number[2]));
          }
        });
  }
}

template <int width, class Number>
inline __attribute__((always_inline)) void give_sums(const WgmmaKind& kind, const WgmmaOperands* operands,
                                                     unsigned first, const Number* c) {
  for (int t = 0; t < 128; ++t) {
    unsigned* sums = operands[t].sums + (kind.sums_are_half ? first / 4 : first / 2);
    for_each_pair<width>(
        t, [&](SumPair at) __attribute__((always_inline)) {
          const Number* from = c + at.row * width + at.column;
          if (kind.sums_are_half)
            sums[at.index] = HalfFormat::encode(static_cast<float>(from[0])) |
                             static_cast<unsigned>(HalfFormat::encode(static_cast<float>(from[1]))) << 16;
          else
            std::memcpy(sums + 2 * at.index, from, sizeof(Number[2]));
        });
  }
}

template <int depth, int width, class Number>
void multiply_panel(const WgmmaKind& kind, const WgmmaOperands* operands, const WgmmaMatrix& matrix,
                    unsigned first, WgmmaScratch<Number>& scratch) {
  collect_b<depth, width>(kind, matrix, first, scratch.b);
  collect_sums<width>(kind, operands, first, scratch.c);
  if constexpr (std::is_same_v<Number, unsigned>) {
    if (kind.saturate) {
      alignas(64) unsigned products[64 * width] = {};
      add_product<64, width, depth>(products, scratch.a, scratch.b);
      for (int i = 0; i < 64 * width; ++i) scratch.c[i] = saturated_sum(scratch.c[i], products[i]);
      return give_sums<width>(kind, operands, first, scratch.c);
    }
  }
  add_product<64, width, depth>(scratch.c, scratch.a, scratch.b);
  give_sums<width>(kind, operands, first, scratch.c);
}

template <int depth, class Number>
void multiply_wgmma(const WgmmaKind& kind, const WgmmaOperands* operands, WgmmaScratch<Number>& scratch) {
  collect_a<depth>(kind, operands, scratch.a);
  const WgmmaMatrix matrix(operands[0].b_matrix, !kind.b_along_columns, kind.n);
  unsigned first = 0;
  for (; first + 16 <= kind.n; first += 16) multiply_panel<depth, 16>(kind, operands, matrix, first, scratch);
  if (first < kind.n) multiply_panel<depth, 8>(kind, operands, matrix, first, scratch);
}

inline void multiply_any_wgmma(const WgmmaKind& kind, const WgmmaOperands* operands,
                               WgmmaScratch<float>& floats, WgmmaScratch<unsigned>& integers) {
  if (is_byte_integer(kind.a)) return multiply_wgmma<32>(kind, operands, integers);
  switch (wgmma_depth(kind.a)) {
    case 8:
      return multiply_wgmma<8>(kind, operands, floats);
    case 16:
      return multiply_wgmma<16>(kind, operands, floats);
    default:
      return multiply_wgmma<32>(kind, operands, floats);
  }
}

}  // namespace
}  // namespace warplab::emulator
