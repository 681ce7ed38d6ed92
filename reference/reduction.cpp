#include "reference/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "reference/vectorised.hpp"

namespace warplab::reference {

template <class T>
double compensated_sum(const T* x, std::int64_t n) {
  double sum = 0, lost = 0;  // what rounding took away, exactly
  for (std::int64_t i = 0; i < n; ++i) {
    const double next = x[i], rounded = sum + next;
    lost += std::fabs(sum) >= std::fabs(next) ? (sum - rounded) + next : (next - rounded) + sum;
    sum = rounded;
  }
  return sum + lost;
}

std::int64_t exact_sum(const int* x, std::int64_t n) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

template <class T>
T minimum(const T* x, std::int64_t n) {
  return *std::min_element(x, x + n);
}

template <class T>
T maximum(const T* x, std::int64_t n) {
  return *std::max_element(x, x + n);
}

namespace {

constexpr std::int64_t part = 1 << 15;  // elements

/// Combines x[first], ..., x[first + part - 1] by `step`, in several chains side by side: one chain would
/// wait for each step's result.
template <class A, class T, class Step>
WARPLAB_VECTORISED A fold_part(const T* x, std::int64_t n, std::int64_t first, A identity, Step step) {
  constexpr std::int64_t chains = 32;
  A totals[chains];
  std::fill_n(totals, chains, identity);
  const std::int64_t end = std::min(first + part, n), whole = first + (end - first) / chains * chains;
  for (std::int64_t i = first; i < whole; i += chains)
    for (std::int64_t chain = 0; chain < chains; ++chain)
      totals[chain] = step(totals[chain], static_cast<A>(x[i + chain]));
  for (std::int64_t i = whole; i < end; ++i) totals[0] = step(totals[0], static_cast<A>(x[i]));
  for (std::int64_t chain = 1; chain < chains; ++chain) totals[0] = step(totals[0], totals[chain]);
  return totals[0];
}

/// Combines x[0], ..., x[n - 1] by `step`, in parts of neighbours if there are several threads.
template <class A, class T, class Step>
A fold(const T* x, std::int64_t n, [[maybe_unused]] int threads, A identity, Step step) {
  A total = identity;
#ifdef _OPENMP
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    {
      A mine = identity;
#pragma omp for schedule(static) nowait
      for (std::int64_t first = 0; first < n; first += part)
        mine = step(mine, fold_part(x, n, first, identity, step));
#pragma omp critical
      total = step(total, mine);
    }
    return total;
  }
#endif
  for (std::int64_t first = 0; first < n; first += part)
    total = step(total, fold_part(x, n, first, identity, step));
  return total;
}

}  // namespace

template <class T>
bool reduction_baseline(Reduction reduction, const T* x, void* out, std::int64_t n, int threads) {
#ifndef _OPENMP
  if (threads > 1) return false;
#endif
  using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  using Modular = std::conditional_t<std::is_integral_v<T>, unsigned, T>;  // int may not overflow
  using limits = std::numeric_limits<T>;
  constexpr T highest = limits::has_infinity ? limits::infinity() : limits::max();
  constexpr T lowest = limits::has_infinity ? -limits::infinity() : limits::min();
  const auto add = [](auto a, auto b) { return a + b; };
  T* const result = static_cast<T*>(out);
  switch (reduction) {
    case Reduction::sum:
      *result = static_cast<T>(fold<Modular>(x, n, threads, 0, add));
      break;
    case Reduction::min:
      *result = fold<T>(x, n, threads, highest, [](T a, T b) { return b < a ? b : a; });
      break;
    case Reduction::max:
      *result = fold<T>(x, n, threads, lowest, [](T a, T b) { return a < b ? b : a; });
      break;
    case Reduction::mean:
      *static_cast<double*>(out) =
          static_cast<double>(fold<Wide>(x, n, threads, 0, add)) / static_cast<double>(n);
  }
  return true;
}

template double compensated_sum(const float*, std::int64_t);
template double compensated_sum(const double*, std::int64_t);
template int minimum(const int*, std::int64_t);
template float minimum(const float*, std::int64_t);
template double minimum(const double*, std::int64_t);
template int maximum(const int*, std::int64_t);
template float maximum(const float*, std::int64_t);
template double maximum(const double*, std::int64_t);
template bool reduction_baseline(Reduction, const int*, void*, std::int64_t, int);
template bool reduction_baseline(Reduction, const float*, void*, std::int64_t, int);
template bool reduction_baseline(Reduction, const double*, void*, std::int64_t, int);

}  // namespace warplab::reference
