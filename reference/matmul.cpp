#include "reference/matmul.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "common/host/bfloat16.hpp"
#include "common/host/half.hpp"
#include "reference/vectorised.hpp"

namespace warplab::reference {
namespace {

/// An element as the oracle computes with it.
template <class Exact, class T>
Exact exact(T value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<Exact>(value);
  else
    return static_cast<Exact>(
        static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(value));
}

/// sums[j] += factor * row[j]
template <class Exact>
WARPLAB_VECTORISED void add_multiple(Exact* sums, const Exact* row, Exact factor, std::int64_t n) {
  for (std::int64_t j = 0; j < n; ++j) sums[j] += factor * row[j];
}

/// What alpha and beta make of one row of sums.
template <class T, class Sum>
void finish_row(const MatmulProduct<T, Sum>& p, std::int64_t row, MatmulExact<T>* d) {
  using Exact = MatmulExact<T>;
  const auto alpha = exact<Exact>(p.alpha), beta = exact<Exact>(p.beta);
  for (std::int64_t j = 0; j < p.n; ++j) d[j] *= alpha;
  if (p.beta == Sum{}) return;
  for (std::int64_t j = 0; j < p.n; ++j) d[j] += beta * exact<Exact>(p.c[row * p.ldc + j]);
}

}  // namespace

template <class T, class Sum>
void matmul(const MatmulProduct<T, Sum>& p, MatmulExact<T>* d) {
  using Exact = MatmulExact<T>;
  std::vector<Exact> b(static_cast<std::size_t>(p.k * p.n));
  for (std::int64_t l = 0; l < p.k; ++l)
    for (std::int64_t j = 0; j < p.n; ++j)
      b[static_cast<std::size_t>(l * p.n + j)] = exact<Exact>(p.b[l * p.ldb + j]);
#pragma omp parallel for schedule(static) if (p.m * p.n * p.k > 1 << 20)
  for (std::int64_t i = 0; i < p.m; ++i) {
    Exact* const row = d + i * p.n;
    std::fill(row, row + p.n, Exact{});
    for (std::int64_t l = 0; l < p.k; ++l)
      add_multiple(row, b.data() + l * p.n, exact<Exact>(p.a[i * p.lda + l]), p.n);
    finish_row(p, i, row);
  }
}

template <class T, class Sum>
void matmul_row(const MatmulProduct<T, Sum>& p, std::int64_t row, MatmulExact<T>* d) {
  using Exact = MatmulExact<T>;
  std::fill(d, d + p.n, Exact{});
  for (std::int64_t l = 0; l < p.k; ++l) {
    const auto factor = exact<Exact>(p.a[row * p.lda + l]);
    for (std::int64_t j = 0; j < p.n; ++j) d[j] += factor * exact<Exact>(p.b[l * p.ldb + j]);
  }
  finish_row(p, row, d);
}

template <class Sum>
void matrix_applied(const Sum* d, std::int64_t m, std::int64_t n, std::int64_t ldd, const MatmulExact<Sum>* x,
                    MatmulExact<Sum>* y) {
  using Exact = MatmulExact<Sum>;
#pragma omp parallel for schedule(static) if (m * n > 1 << 18)
  for (std::int64_t i = 0; i < m; ++i) {
    std::array<Exact, freivalds_vectors> sums{};
    for (std::int64_t j = 0; j < n; ++j) {
      const auto element = exact<Exact>(d[i * ldd + j]);
      for (std::size_t v = 0; v < sums.size(); ++v)
        sums[v] += element * x[static_cast<std::size_t>(j) * sums.size() + v];
    }
    std::copy(sums.begin(), sums.end(), y + i * freivalds_vectors);
  }
}

template <class T, class Sum>
void matmul_applied(const MatmulProduct<T, Sum>& p, const MatmulExact<T>* x, MatmulExact<T>* y) {
  using Exact = MatmulExact<T>;
  std::vector<Exact> bx(static_cast<std::size_t>(p.k * freivalds_vectors));
  matrix_applied(p.b, p.k, p.n, p.ldb, x, bx.data());
  matrix_applied(p.a, p.m, p.k, p.lda, bx.data(), y);
  const auto alpha = exact<Exact>(p.alpha), beta = exact<Exact>(p.beta);
  const std::int64_t count = p.m * freivalds_vectors;
  for (std::int64_t i = 0; i < count; ++i) y[i] *= alpha;
  if (p.beta == Sum{}) return;
  std::vector<Exact> cx(static_cast<std::size_t>(count));
  matrix_applied(p.c, p.m, p.n, p.ldc, x, cx.data());
  add_multiple(y, cx.data(), beta, count);
}

template <class T, class Sum>
bool matmul_baseline(const MatmulProduct<T, Sum>& p, Sum* d, std::int64_t ldd, [[maybe_unused]] int threads) {
#ifndef _OPENMP
  if (threads > 1) return false;
#endif
  // Sums of int wrap, which the language leaves undefined for int but not for unsigned.
  using Wide = std::conditional_t<std::is_integral_v<Sum>, std::uint32_t, Sum>;
  std::vector<Wide> b(static_cast<std::size_t>(p.k * p.n));
  for (std::int64_t l = 0; l < p.k; ++l)
    for (std::int64_t j = 0; j < p.n; ++j)
      b[static_cast<std::size_t>(l * p.n + j)] = exact<Wide>(p.b[l * p.ldb + j]);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (std::int64_t i = 0; i < p.m; ++i) {
    std::vector<Wide> row(static_cast<std::size_t>(p.n));
    for (std::int64_t l = 0; l < p.k; ++l)
      add_multiple(row.data(), b.data() + l * p.n, exact<Wide>(p.a[i * p.lda + l]), p.n);
    for (std::int64_t j = 0; j < p.n; ++j) {
      Wide value = exact<Wide>(p.alpha) * row[static_cast<std::size_t>(j)];
      if (p.beta != Sum{}) value += exact<Wide>(p.beta) * exact<Wide>(p.c[i * p.ldc + j]);
      d[i * ldd + j] = static_cast<Sum>(value);
    }
  }
  return true;
}

#define INSTANTIATE(T, Sum)                                                                           \
  template void matmul(const MatmulProduct<T, Sum>&, MatmulExact<T>*);                                \
  template void matmul_row(const MatmulProduct<T, Sum>&, std::int64_t, MatmulExact<T>*);              \
  template void matmul_applied(const MatmulProduct<T, Sum>&, const MatmulExact<T>*, MatmulExact<T>*); \
  template bool matmul_baseline(const MatmulProduct<T, Sum>&, Sum*, std::int64_t, int);
INSTANTIATE(std::uint8_t, int)
INSTANTIATE(std::int8_t, int)
INSTANTIATE(int, int)
INSTANTIATE(Half, float)
INSTANTIATE(Bfloat16, float)
INSTANTIATE(float, float)
INSTANTIATE(double, double)

#define INSTANTIATE_APPLIED(T)                                                                            \
  template void matrix_applied(const T*, std::int64_t, std::int64_t, std::int64_t, const MatmulExact<T>*, \
                               MatmulExact<T>*);
INSTANTIATE_APPLIED(int)
INSTANTIATE_APPLIED(float)
INSTANTIATE_APPLIED(double)

}  // namespace warplab::reference
