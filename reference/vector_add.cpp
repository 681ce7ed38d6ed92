#include "reference/vector_add.hpp"

#include <algorithm>
#include <type_traits>

#include "reference/vectorised.hpp"

namespace warplab::reference {
namespace {

/// x + y in T; for int modulo 2^32, where + on int would be undefined.
template <class T>
T add(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(x) + static_cast<Unsigned>(y));
  } else {
    return x + y;
  }
}

constexpr std::int64_t part = 1 << 15;  // elements: a thread's share of a loop is many of these

/// The elements [first, first + part).
template <class T>
WARPLAB_VECTORISED void add_part(const T* a, const T* b, T* c, std::int64_t n, std::int64_t first) {
  const std::int64_t end = std::min(first + part, n);
  for (std::int64_t i = first; i < end; ++i) c[i] = add(a[i], b[i]);
}

}  // namespace

template <class T>
void vector_add(const T* a, const T* b, T* c, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_floating_point_v<T>)
      c[i] = static_cast<T>(static_cast<double>(a[i]) + static_cast<double>(b[i]));
    else
      c[i] = add(a[i], b[i]);
  }
}

template <class T>
bool vector_add_baseline(const T* a, const T* b, T* c, std::int64_t n, [[maybe_unused]] int threads) {
  if (threads > 1) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t first = 0; first < n; first += part) add_part(a, b, c, n, first);
    return true;
#else
    return false;
#endif
  }
  for (std::int64_t first = 0; first < n; first += part) add_part(a, b, c, n, first);
  return true;
}

template void vector_add(const float*, const float*, float*, std::int64_t);
template void vector_add(const double*, const double*, double*, std::int64_t);
template void vector_add(const int*, const int*, int*, std::int64_t);
template bool vector_add_baseline(const float*, const float*, float*, std::int64_t, int);
template bool vector_add_baseline(const double*, const double*, double*, std::int64_t, int);
template bool vector_add_baseline(const int*, const int*, int*, std::int64_t, int);

}  // namespace warplab::reference
