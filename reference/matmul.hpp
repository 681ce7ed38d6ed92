#pragma once

#include <cstdint>
#include <type_traits>

namespace warplab::reference {

/// What the oracle adds up in: double, or for integers a number modulo 2^32, in which sums of int wrap.
template <class T>
using MatmulExact = std::conditional_t<std::is_integral_v<T>, std::uint32_t, double>;

/// D = alpha A B + beta C in host memory. All matrices are row-major.
/// T is std::uint8_t, std::int8_t, int, Half, Bfloat16, float or double; Sum is what D holds.
template <class T, class Sum>
struct MatmulProduct {
  const T* a;    ///< (m, k), rows lda elements apart
  const T* b;    ///< (k, n), rows ldb elements apart
  const Sum* c;  ///< (m, n), rows ldc elements apart; not read if beta is 0
  std::int64_t m, n, k;
  std::int64_t lda, ldb, ldc;
  Sum alpha, beta;
};

/// The oracle: every element of D. @param d (m, n), without gaps
template <class T, class Sum>
void matmul(const MatmulProduct<T, Sum>& product, MatmulExact<T>* d);

/// One row of D. @param d (n)
template <class T, class Sum>
void matmul_row(const MatmulProduct<T, Sum>& product, std::int64_t row, MatmulExact<T>* d);

/// How many vectors Freivalds' check multiplies by at once.
inline constexpr int freivalds_vectors = 8;

/// alpha A (B x) + beta C x for 8 vectors x: D x without D, in O(m k + k n + m n) operations.
/// @param x (n, 8). @param y (m, 8), written
template <class T, class Sum>
void matmul_applied(const MatmulProduct<T, Sum>& product, const MatmulExact<T>* x, MatmulExact<T>* y);

/// D x for 8 vectors x. @param d (m, n), rows ldd elements apart. @param x (n, 8). @param y (m, 8), written
template <class Sum>
void matrix_applied(const Sum* d, std::int64_t m, std::int64_t n, std::int64_t ldd, const MatmulExact<Sum>* x,
                    MatmulExact<Sum>* y);

/// The CPU baseline, compiled with -O3, summing in Sum.
/// @param d (m, n), rows ldd elements apart. @param threads OpenMP threads; 1 runs on the calling thread
/// @return false, with d untouched, if more than one thread was asked for and the compiler had no OpenMP
template <class T, class Sum>
bool matmul_baseline(const MatmulProduct<T, Sum>& product, Sum* d, std::int64_t ldd, int threads);

}  // namespace warplab::reference
