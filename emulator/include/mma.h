#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: nvcuda::wmma, in place of the CUDA Toolkit's header of this name. Operands of __half,
// __nv_bfloat16, signed char and unsigned char have the shapes 16x16x16, 32x8x16 and 8x32x16; tf32 has
// 16x16x8, and double has 8x8x4.

#include "warplab_emulator/tensor_cores/wmma_fragment_kinds.hpp"

namespace nvcuda::wmma {

/// A float rounded to tf32's 10 bits of fraction: to nearest, ties away from zero.
inline float __float_to_tf32(float x) {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  return __builtin_bit_cast(float, (finite ? bits + 0x1000u : bits) & 0xffffe000u);
}

/// A warp's part of a matrix: `x` is what the calling lane holds of it. Until it is filled, all its bits are
/// set: floating-point elements are NaNs.
template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
  static_assert(details::has_fragment<Use, M, N, K, T>(),
                "wmma has 16x16x16, 32x8x16 and 8x32x16 for __half, __nv_bfloat16, signed char and unsigned "
                "char (sums: float, __half, int), 16x16x8 for precision::tf32 (float), and 8x8x4 for double");
  static_assert(std::is_same_v<Use, accumulator> == std::is_void_v<Layout>,
                "an operand has a layout, an accumulator has none");

 public:
  using element_type = T;
  using storage_element_type = details::storage_of<T>;
  static constexpr int num_elements = details::elements_of<Use, M, N, K, T>();
  static constexpr int num_storage_elements = num_elements;

  fragment() { __builtin_memset(x, 0xff, sizeof x); }

  storage_element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout>
void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const details::storage_of<T>& value) {
  for (auto& element : f.x) element = value;
}

/// Loads an operand; `stride` is the distance of its rows (row_major) or columns in elements.
template <class Use, int M, int N, int K, class T, class Layout>
[[gnu::always_inline]] inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f,
                                                    const details::storage_of<T>* matrix, unsigned stride,
                                                    WARPLAB_CALLER) {
  constexpr const auto& layout = details::layout_of<Use, M, N, K, T>;
  constexpr bool by_rows = std::is_same_v<Layout, row_major>;
  const warplab::emulator::Site site{"load_matrix_sync", file, line};
  if constexpr (std::is_same_v<T, double>) {
    details::load_wmma_elements<layout, by_rows>(f.x, matrix, stride, site);
  } else {
    unsigned words[8];
    details::load_wmma_words<layout, by_rows, true>(words, matrix, stride, site);
    details::spread_words(f, words, layout.blocks);
  }
}

namespace details {
template <int M, int N>
inline constexpr WmmaLayout accumulator_layout = wmma_layout(MatrixUse::accumulator, M, N);

template <bool by_rows, int M, int N, int K, class T>
[[gnu::always_inline]] inline void load(fragment<accumulator, M, N, K, T>& f, const T* matrix,
                                        unsigned stride, const Site& site) {
  constexpr const WmmaLayout& layout = accumulator_layout<M, N>;
  if constexpr (!std::is_same_v<T, __half>) {
    load_wmma_elements<layout, by_rows>(f.x, matrix, stride, site);
  } else {
    unsigned words[8];
    load_wmma_words<layout, by_rows, false>(words, matrix, stride, site);
    spread_words(f, words, layout.blocks);
  }
}

template <bool by_rows, int M, int N, int K, class T>
[[gnu::always_inline]] inline void store(T* matrix, const fragment<accumulator, M, N, K, T>& f,
                                         unsigned stride, const Site& site) {
  constexpr const WmmaLayout& layout = accumulator_layout<M, N>;
  if constexpr (!std::is_same_v<T, __half>) {
    store_wmma_elements<layout, by_rows>(f.x, matrix, stride, site);
  } else {
    unsigned pairs[8];
    __builtin_memcpy(pairs, f.x, sizeof f.x);
    store_wmma_pairs<layout, by_rows>(pairs, matrix, stride, site);
  }
}

template <class T, class D, class A, class B, class C>
void multiply(D& d, const A& a, const B& b, const C& c, int kind, bool saturate, const Site& site) {
  WmmaOperands operands{a.x,
                        b.x,
                        c.x,
                        d.x,
                        std::is_same_v<typename C::element_type, __half>,
                        std::is_same_v<typename D::element_type, __half>,
                        saturate,
                        false};
  multiply_fragments(operands, kind, site);
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
requires(!details::is_one_of<T, signed char, unsigned char>) void mma_sync(
    fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, LayoutA>& a,
    const fragment<matrix_b, M, N, K, T, LayoutB>& b, const fragment<accumulator, M, N, K, C>& c,
    WARPLAB_CALLER) {
  using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
  static_assert((std::is_same_v<C, Sum> && std::is_same_v<D, Sum>) ||
                    (std::is_same_v<T, __half> && details::is_one_of<C, float, __half> &&
                     details::is_one_of<D, float, __half>),
                "operands of __half need accumulators of float or __half, those of double need double, and "
                "all others need float");
  constexpr int kind = details::wmma_kind(M, N, K, details::format_of<T>(), details::format_of<T>());
  details::multiply<T>(d, a, b, c, kind, false, {"mma_sync", file, line});
}

/// The same for bytes, whose sums are int: they wrap, or with `satf` stop at the ends of int's range.
template <int M, int N, int K, class T, class LayoutA, class LayoutB>
requires details::is_one_of<T, signed char, unsigned char>
void mma_sync(fragment<accumulator, M, N, K, int>& d, const fragment<matrix_a, M, N, K, T, LayoutA>& a,
              const fragment<matrix_b, M, N, K, T, LayoutB>& b, const fragment<accumulator, M, N, K, int>& c,
              bool satf = false, WARPLAB_CALLER) {
  constexpr int kind = details::wmma_kind(M, N, K, details::format_of<T>(), details::format_of<T>());
  details::multiply<T>(d, a, b, c, kind, satf, {"mma_sync", file, line});
}

}  // namespace nvcuda::wmma

#include "warplab_emulator/user_macros_back.inc"
