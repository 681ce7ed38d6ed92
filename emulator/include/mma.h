#pragma once

// CUDA on the CPU: nvcuda::wmma, in place of the CUDA Toolkit's header of this name: fragments of __half and
// __nv_bfloat16 with accumulators of float or __half, in the shapes 16x16x16, 32x8x16 and 8x32x16.

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "warplab_emulator/wmma_memory.hpp"

namespace nvcuda::wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace details {
using namespace warplab::emulator;

template <class Use>
inline constexpr MatrixUse use_of = std::is_same_v<Use, matrix_a>   ? MatrixUse::a
                                    : std::is_same_v<Use, matrix_b> ? MatrixUse::b
                                                                    : MatrixUse::accumulator;
// Operands of __half hold 16 elements in every shape, some of them twice.
template <class Use, int M, int N, class T>
constexpr int elements_of() {
  if (std::is_same_v<T, __half> && use_of<Use> != MatrixUse::accumulator) return 16;
  return 2 * wmma_layout(use_of<Use>, M, N).blocks;
}

template <class T>
inline constexpr WmmaFormat format_of = std::is_same_v<T, __half> ? WmmaFormat::half : WmmaFormat::bfloat16;

/// A lane's pairs as its elements, repeated up to the last.
template <class Fragment>
void spread_pairs(Fragment& fragment, const unsigned* pairs, int blocks) {
  for (int i = 0; i < Fragment::num_elements; i += 2 * blocks)
    __builtin_memcpy(fragment.x + i, pairs, 4u * blocks);
}
}  // namespace details

/// A warp's part of a matrix: `x` is what the calling lane holds of it. Until it is filled it holds NaNs.
template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
  static_assert(K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32)),
                "the emulator has the shapes 16x16x16, 32x8x16 and 8x32x16");
  static_assert(
      std::is_same_v<Use, accumulator> ? std::is_same_v<T, float> || std::is_same_v<T, __half>
                                       : std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>,
      "the emulator has operands of __half and __nv_bfloat16, and accumulators of float and __half");
  static_assert(std::is_same_v<Use, accumulator> == std::is_void_v<Layout>,
                "an operand has a layout, an accumulator has none");

 public:
  using element_type = T;
  using storage_element_type = T;
  static constexpr int num_elements = details::elements_of<Use, M, N, T>();
  static constexpr int num_storage_elements = num_elements;

  fragment() { __builtin_memset(x, 0xff, sizeof x); }

  T x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout>
void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const T& value) {
  for (T& element : f.x) element = value;
}

/// Loads an operand; `stride` is the distance of its rows (row_major) or columns in elements.
template <class Use, int M, int N, int K, class T, class Layout>
[[gnu::always_inline]] inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const T* matrix,
                                                    unsigned stride, WARPLAB_CALLER) {
  constexpr auto layout = details::wmma_layout(details::use_of<Use>, M, N);
  unsigned pairs[8];
  details::load_wmma_pairs<layout, std::is_same_v<Layout, row_major>, true>(pairs, matrix, stride,
                                                                            {"load_matrix_sync", file, line});
  details::spread_pairs(f, pairs, layout.blocks);
}

namespace details {
template <bool by_rows, int M, int N, int K, class T>
[[gnu::always_inline]] inline void load(fragment<accumulator, M, N, K, T>& f, const T* matrix,
                                        unsigned stride, const Site& site) {
  constexpr auto layout = wmma_layout(MatrixUse::accumulator, M, N);
  if constexpr (std::is_same_v<T, float>) {
    load_wmma_floats<layout, by_rows>(f.x, matrix, stride, site);
  } else {
    unsigned pairs[8];
    load_wmma_pairs<layout, by_rows, false>(pairs, matrix, stride, site);
    spread_pairs(f, pairs, layout.blocks);
  }
}

template <bool by_rows, int M, int N, int K, class T>
[[gnu::always_inline]] inline void store(T* matrix, const fragment<accumulator, M, N, K, T>& f,
                                         unsigned stride, const Site& site) {
  constexpr auto layout = wmma_layout(MatrixUse::accumulator, M, N);
  if constexpr (std::is_same_v<T, float>) {
    store_wmma_floats<layout, by_rows>(f.x, matrix, stride, site);
  } else {
    unsigned pairs[8];
    __builtin_memcpy(pairs, f.x, sizeof f.x);
    store_wmma_pairs<layout, by_rows>(pairs, matrix, stride, site);
  }
}
}  // namespace details

template <int M, int N, int K, class T>
[[gnu::always_inline]] inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* matrix,
                                                    unsigned stride, layout_t lines, WARPLAB_CALLER) {
  const warplab::emulator::Site site{"load_matrix_sync", file, line};
  if (lines == mem_row_major)
    details::load<true>(f, matrix, stride, site);
  else
    details::load<false>(f, matrix, stride, site);
}

template <int M, int N, int K, class T>
[[gnu::always_inline]] inline void store_matrix_sync(T* matrix, const fragment<accumulator, M, N, K, T>& f,
                                                     unsigned stride, layout_t lines, WARPLAB_CALLER) {
  const warplab::emulator::Site site{"store_matrix_sync", file, line};
  if (lines == mem_row_major)
    details::store<true>(matrix, f, stride, site);
  else
    details::store<false>(matrix, f, stride, site);
}

/// d = a * b + c; d and c may be the same. See multiply_fragments for how sums are rounded.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class C, class D>
void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, LayoutA>& a,
              const fragment<matrix_b, M, N, K, T, LayoutB>& b, const fragment<accumulator, M, N, K, C>& c,
              WARPLAB_CALLER) {
  static_assert(std::is_same_v<T, __half> || (std::is_same_v<C, float> && std::is_same_v<D, float>),
                "operands of __nv_bfloat16 need accumulators of float");
  details::WmmaOperands operands{a.x,  b.x, c.x, d.x, std::is_same_v<C, __half>, std::is_same_v<D, __half>,
                                 false};
  details::multiply_fragments(operands, M, N, details::format_of<T>, {"mma_sync", file, line});
}

}  // namespace nvcuda::wmma
