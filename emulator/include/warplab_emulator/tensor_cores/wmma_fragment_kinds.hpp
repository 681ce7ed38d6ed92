#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "warplab_emulator/tensor_cores/wmma_memory.hpp"

// Which fragments nvcuda::wmma has, and how many elements of one each lane holds. mma.h has the functions.

namespace nvcuda::wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

namespace details {
// By their names, so that no other part of the emulator can be reached through this namespace.
using warplab::emulator::load_wmma_elements, warplab::emulator::load_wmma_words;
using warplab::emulator::MatrixUse, warplab::emulator::WmmaFormat, warplab::emulator::WmmaLayout;
using warplab::emulator::Site, warplab::emulator::WmmaOperands;
using warplab::emulator::store_wmma_elements, warplab::emulator::store_wmma_pairs;
using warplab::emulator::wmma_element_bytes, warplab::emulator::multiply_fragments;
using warplab::emulator::wmma_layout, warplab::emulator::wmma_run, warplab::emulator::wmma_kind;

template <class Use>
inline constexpr MatrixUse use_of = std::is_same_v<Use, matrix_a>   ? MatrixUse::a
                                    : std::is_same_v<Use, matrix_b> ? MatrixUse::b
                                                                    : MatrixUse::accumulator;

template <class T>
constexpr WmmaFormat format_of() {
  if (std::is_same_v<T, __half>) return WmmaFormat::half;
  if (std::is_same_v<T, __nv_bfloat16>) return WmmaFormat::bfloat16;
  if (std::is_same_v<T, precision::tf32>) return WmmaFormat::tf32;
  if (std::is_same_v<T, signed char>) return WmmaFormat::signed_byte;
  if (std::is_same_v<T, unsigned char>) return WmmaFormat::unsigned_byte;
  return WmmaFormat::float64;
}

/// What is in memory and in a fragment: float for tf32.
template <class T>
struct Storage {
  using type = T;
};
template <>
struct Storage<precision::tf32> {
  using type = float;
};
template <class T>
using storage_of = typename Storage<T>::type;

template <class T, class... Types>
inline constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);

/// Whether the hardware has such fragments.
template <class Use, int M, int N, int K, class T>
constexpr bool has_fragment() {
  constexpr bool sums = std::is_same_v<Use, accumulator>;
  if (K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32)))
    return sums ? is_one_of<T, float, __half, int>
                : is_one_of<T, __half, __nv_bfloat16, signed char, unsigned char>;
  if (M == 16 && N == 16 && K == 8)
    return std::is_same_v<T, std::conditional_t<sums, float, precision::tf32>>;
  return M == 8 && N == 8 && K == 4 && std::is_same_v<T, double>;
}

template <class Use, int M, int N, int K, class T>
inline constexpr WmmaLayout layout_of = wmma_layout(use_of<Use>, M, N, K, wmma_run(format_of<T>()));

// Operands of __half hold 16 elements in every shape, some of them twice.
template <class Use, int M, int N, int K, class T>
constexpr int elements_of() {
  if (std::is_same_v<T, __half> && use_of<Use> != MatrixUse::accumulator) return 16;
  return layout_of<Use, M, N, K, T>.run * layout_of<Use, M, N, K, T>.blocks;
}

/// A lane's words as its elements, repeated up to the last.
template <class Fragment>
void spread_words(Fragment& fragment, const unsigned* words, int blocks) {
  constexpr int per_word = 4 / sizeof(fragment.x[0]);
  for (int i = 0; i < Fragment::num_elements; i += per_word * blocks)
    __builtin_memcpy(fragment.x + i, words, 4u * static_cast<unsigned>(blocks));
}
}  // namespace details

}  // namespace nvcuda::wmma
