#pragma once

#include <cstdint>

#include "warplab_emulator/math/float16_formats.hpp"
#include "warplab_emulator/tensor_cores/wmma_operations.hpp"

// The product of fragments. Every source file that includes this has its own, for
// the processor it is compiled for.

namespace warplab::emulator {
namespace {

constexpr int lanes = 32;
/// Where the elements of the lanes are in a matrix that is stored row by row.
template <MatrixUse use, int m, int n, int k, int run>
struct Places {
  static constexpr WmmaLayout layout = wmma_layout(use, m, n, k, run);
  static constexpr int count = layout.run * layout.blocks;
  static constexpr int offset(int lane, int i) {
    const WmmaPlace at = wmma_place(layout, lane, i);
    return at.row * layout.columns + at.column;
  }
  /// Calls `element(place, i)` for each element of a lane.
  template <class Element>
  static inline __attribute__((always_inline)) void for_each(int lane, Element element) {
    const int first = offset(lane, 0);
#pragma GCC unroll 16
    for (int i = 0; i < count; ++i) element(first + offset(0, i), i);
  }
};

template <class Places, class Element>
inline __attribute__((always_inline)) void gather(Element* matrix, const unsigned long long* operands,
                                                  const void* WmmaOperands::*part) {
  for (int lane = 0; lane < lanes; ++lane) {
    const auto* x = static_cast<const Element*>(reinterpret_cast<const WmmaOperands*>(operands[lane])->*part);
    Places::for_each(
        lane, [=](int place, int i) __attribute__((always_inline)) { matrix[place] = x[i]; });
  }
}

// How elements of a format are kept by a lane, and as what numbers they are multiplied and added.
template <WmmaFormat format>
struct Numbers;
/// Formats of 16 bits are multiplied as floats.
template <class Encoding>
struct SixteenBits {
  using Stored = std::uint16_t;
  using Number = float;
  static float decode(std::uint16_t x) { return Encoding::decode(x); }
};
template <>
struct Numbers<WmmaFormat::half> : SixteenBits<HalfFormat> {};
template <>
struct Numbers<WmmaFormat::bfloat16> : SixteenBits<Bfloat16Format> {};
template <>
struct Numbers<WmmaFormat::tf32> {  // the lower bits of a float do not count
  using Stored = std::uint32_t;
  using Number = float;
  static float decode(std::uint32_t x) { return __builtin_bit_cast(float, x & 0xffffe000u); }
};
template <>
struct Numbers<WmmaFormat::signed_byte> {  // as unsigned: sums wrap
  using Stored = std::int8_t;
  using Number = unsigned;
  static unsigned decode(std::int8_t x) { return static_cast<unsigned>(int{x}); }
};
template <>
struct Numbers<WmmaFormat::unsigned_byte> {
  using Stored = std::uint8_t;
  using Number = unsigned;
  static unsigned decode(std::uint8_t x) { return x; }
};
template <>
struct Numbers<WmmaFormat::float64> {
  using Stored = double;
  using Number = double;
  static double decode(double x) { return x; }
};

template <WmmaFormat format, int count, class Stored, class Number>
inline __attribute__((always_inline)) void decode(Number* to, const Stored* from) {
#ifdef __F16C__
  if constexpr (format == WmmaFormat::half) {
    for (int i = 0; i < count; i += 8)
      _mm256_store_ps(to + i, _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(from + i))));
    return;
  }
#endif
  for (int i = 0; i < count; ++i) to[i] = Numbers<format>::decode(from[i]);
}

/// A vector of eight numbers, for the compiler to compute with.
template <class Number>
struct EightOf {
  typedef Number type __attribute__((vector_size(8 * sizeof(Number))));
};

// Rows of c += rows of a times b, four at a time so that b's rows are read less often.
template <int m, int n, int depth, class Number>
inline __attribute__((always_inline)) void add_product(Number* c_, const Number* a, const Number* b_) {
  using Eight = typename EightOf<Number>::type;
  constexpr int wide = n / 8;
  auto* c = reinterpret_cast<Eight*>(c_);
  const auto* b = reinterpret_cast<const Eight*>(b_);
  for (int row = 0; row < m; row += 4) {
    Eight sum[4][wide];
    for (int r = 0; r < 4; ++r)
      for (int j = 0; j < wide; ++j) sum[r][j] = c[(row + r) * wide + j];
    for (int k = 0; k < depth; ++k)
      for (int r = 0; r < 4; ++r)
        for (int j = 0; j < wide; ++j) sum[r][j] += a[(row + r) * depth + k] * b[k * wide + j];
    for (int r = 0; r < 4; ++r)
      for (int j = 0; j < wide; ++j) c[(row + r) * wide + j] = sum[r][j];
  }
}
template <int m, int n, int depth>
inline void add_product(double* c, const double* a, const double* b) {
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column)
      for (int k = 0; k < depth; ++k)
        c[row * n + column] = __builtin_fma(a[row * depth + k], b[k * n + column], c[row * n + column]);
}

inline unsigned saturated_sum(unsigned a, unsigned b) {
  const long long sum = static_cast<long long>(static_cast<int>(a)) + static_cast<int>(b);
  return static_cast<unsigned>(static_cast<int>(sum > INT32_MAX   ? INT32_MAX
                                                : sum < INT32_MIN ? INT32_MIN
                                                                  : sum));
}

template <int kind>
inline __attribute__((always_inline)) void multiply(const unsigned long long* operands,
                                                    const WmmaOperands& first) {
  constexpr WmmaKind of = wmma_kinds[kind];
  constexpr int m = of.m, n = of.n, depth = of.k, run = wmma_run(of.a);
  using Number = typename Numbers<of.a>::Number;
  using PlacesOfC = Places<MatrixUse::accumulator, m, n, depth, run>;
  alignas(64) typename Numbers<of.a>::Stored stored_a[m * depth];
  alignas(64) typename Numbers<of.b>::Stored stored_b[depth * n];
  alignas(64) std::uint16_t halves[m * n];
  alignas(64) Number a[m * depth];
  alignas(64) Number b[depth * n];
  alignas(64) Number c[m * n];
  gather<Places<MatrixUse::a, m, n, depth, run>>(stored_a, operands, &WmmaOperands::a);
  decode<of.a, m * depth>(a, stored_a);
  gather<Places<MatrixUse::b, m, n, depth, run>>(stored_b, operands, &WmmaOperands::b);
  decode<of.b, depth * n>(b, stored_b);
  constexpr bool has_halves = of.a == WmmaFormat::half;
  const bool c_is_half = has_halves && first.c_is_half, d_is_half = has_halves && first.d_is_half;
  if (c_is_half) {
    if constexpr (has_halves) {
      gather<PlacesOfC>(halves, operands, &WmmaOperands::c);
      decode<WmmaFormat::half, m * n>(c, halves);
    }
  } else {
    gather<PlacesOfC>(c, operands, &WmmaOperands::c);
  }
  if constexpr (std::is_same_v<Number, unsigned>) {
    if (first.saturate) {
      alignas(64) unsigned products[m * n] = {};
      add_product<m, n, depth>(products, a, b);
      for (int i = 0; i < m * n; ++i) c[i] = saturated_sum(c[i], products[i]);
    } else {
      add_product<m, n, depth>(c, a, b);
    }
  } else {
    add_product<m, n, depth>(c, a, b);
  }
  if constexpr (has_halves)
    if (d_is_half)
      for (int i = 0; i < m * n; ++i) halves[i] = HalfFormat::encode(c[i]);
  for (int lane = 0; lane < lanes; ++lane) {
    auto* mine = reinterpret_cast<WmmaOperands*>(operands[lane]);
    if (d_is_half) {
      auto* x = static_cast<std::uint16_t*>(mine->d);
      PlacesOfC::for_each(
          lane, [&](int place, int i) __attribute__((always_inline)) { x[i] = halves[place]; });
    } else {
      auto* x = static_cast<Number*>(mine->d);
      PlacesOfC::for_each(
          lane, [&](int place, int i) __attribute__((always_inline)) { x[i] = c[place]; });
    }
    mine->done = true;
  }
}

template <int kind = 0>
inline __attribute__((always_inline)) void multiply_kind(int wanted, const unsigned long long* operands,
                                                         const WmmaOperands& first) {
  if (wanted == kind) return multiply<kind>(operands, first);
  if constexpr (kind + 1 < wmma_kind_count) multiply_kind<kind + 1>(wanted, operands, first);
}

}  // namespace
}  // namespace warplab::emulator
