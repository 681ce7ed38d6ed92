#pragma once

#include <cstdint>

#include "warplab_emulator/float16_formats.hpp"
#include "warplab_emulator/wmma_operations.hpp"

// The product of fragments. Every source file that includes this has its own, for the processor it is
// compiled for.

namespace warplab::emulator {
namespace {

constexpr int lanes = 32;
constexpr int depth = 16;  // k of every shape

// Where the elements of the lanes stand in a matrix that is stored row by row.
template <MatrixUse use, int m, int n>
struct Places {
  static constexpr WmmaLayout layout = wmma_layout(use, m, n);
  static constexpr int count = 2 * layout.blocks;
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

// How 8 elements are decoded.
template <class Format>
struct EightOf {
  static inline __attribute__((always_inline)) void decode(float* to, const std::uint16_t* from) {
    for (int i = 0; i < 8; ++i) to[i] = Format::decode(from[i]);
  }
};

#ifdef __F16C__
template <>
struct EightOf<HalfFormat> {
  static inline __attribute__((always_inline)) void decode(float* to, const std::uint16_t* from) {
    _mm256_store_ps(to, _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(from))));
  }
};
#endif

template <class Decoder, int count>
inline __attribute__((always_inline)) void decode(float* to, const std::uint16_t* from) {
  for (int i = 0; i < count; i += 8) Decoder::decode(to + i, from + i);
}

typedef float Eight __attribute__((vector_size(32)));

// Rows of c += rows of a times b, four at a time so that b's rows are read less often.
template <int m, int n>
inline __attribute__((always_inline)) void add_product(Eight* c, const float* a, const Eight* b) {
  constexpr int wide = n / 8;
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

template <int m, int n, class Format>
inline __attribute__((always_inline)) void multiply(const unsigned long long* operands, bool c_is_half,
                                                    bool d_is_half) {
  using PlacesOfC = Places<MatrixUse::accumulator, m, n>;
  alignas(64) std::uint16_t bits[32 * depth];
  alignas(64) float a[m * depth];
  alignas(64) float b[depth * n];
  alignas(64) float c[m * n];
  gather<Places<MatrixUse::a, m, n>>(bits, operands, &WmmaOperands::a);
  decode<EightOf<Format>, m * depth>(a, bits);
  gather<Places<MatrixUse::b, m, n>>(bits, operands, &WmmaOperands::b);
  decode<EightOf<Format>, depth * n>(b, bits);
  if (c_is_half) {
    gather<PlacesOfC>(bits, operands, &WmmaOperands::c);
    decode<EightOf<HalfFormat>, m * n>(c, bits);
  } else {
    gather<PlacesOfC>(c, operands, &WmmaOperands::c);
  }
  add_product<m, n>(reinterpret_cast<Eight*>(c), a, reinterpret_cast<const Eight*>(b));
  if (d_is_half)
    for (int i = 0; i < m * n; ++i) bits[i] = HalfFormat::encode(c[i]);
  for (int lane = 0; lane < lanes; ++lane) {
    auto* mine = reinterpret_cast<WmmaOperands*>(operands[lane]);
    if (d_is_half) {
      auto* x = static_cast<std::uint16_t*>(mine->d);
      PlacesOfC::for_each(
          lane, [&](int place, int i) __attribute__((always_inline)) { x[i] = bits[place]; });
    } else {
      auto* x = static_cast<float*>(mine->d);
      PlacesOfC::for_each(
          lane, [&](int place, int i) __attribute__((always_inline)) { x[i] = c[place]; });
    }
    mine->done = true;
  }
}

inline __attribute__((always_inline)) void multiply_shape(const unsigned long long* operands, int m, int n,
                                                          WmmaFormat format, bool c_is_half, bool d_is_half) {
  if (format == WmmaFormat::half)
    return m == 32   ? multiply<32, 8, HalfFormat>(operands, c_is_half, d_is_half)
           : n == 32 ? multiply<8, 32, HalfFormat>(operands, c_is_half, d_is_half)
                     : multiply<16, 16, HalfFormat>(operands, c_is_half, d_is_half);
  return m == 32   ? multiply<32, 8, Bfloat16Format>(operands, c_is_half, d_is_half)
         : n == 32 ? multiply<8, 32, Bfloat16Format>(operands, c_is_half, d_is_half)
                   : multiply<16, 16, Bfloat16Format>(operands, c_is_half, d_is_half);
}

}  // namespace
}  // namespace warplab::emulator
