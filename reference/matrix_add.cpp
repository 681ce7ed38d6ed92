#include "reference/matrix_add.hpp"

#include <type_traits>

#include "reference/vectorised.hpp"

namespace warplab::reference {
namespace {

/// x + y in T; integers wrap around, where + would be undefined.
template <class T>
T add(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(x) + static_cast<Unsigned>(y));
  } else {
    return x + y;
  }
}

template <class T>
WARPLAB_VECTORISED void add_row(const T* a, const T* b, T* c, std::int64_t row, std::int64_t cols) {
  for (std::int64_t i = row * cols; i < (row + 1) * cols; ++i) c[i] = add(a[i], b[i]);
}

}  // namespace

template <class T>
void matrix_add(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols) {
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col) {
      const std::int64_t i = row * cols + col;
      if constexpr (std::is_floating_point_v<T>)
        c[i] = static_cast<T>(static_cast<double>(a[i]) + static_cast<double>(b[i]));
      else
        c[i] = add(a[i], b[i]);
    }
}

template <class T>
bool matrix_add_baseline(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols,
                         [[maybe_unused]] int threads) {
  if (threads > 1) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t row = 0; row < rows; ++row) add_row(a, b, c, row, cols);
    return true;
#else
    return false;
#endif
  }
  for (std::int64_t row = 0; row < rows; ++row) add_row(a, b, c, row, cols);
  return true;
}

template void matrix_add(const float*, const float*, float*, std::int64_t, std::int64_t);
template void matrix_add(const double*, const double*, double*, std::int64_t, std::int64_t);
template void matrix_add(const int*, const int*, int*, std::int64_t, std::int64_t);
template bool matrix_add_baseline(const float*, const float*, float*, std::int64_t, std::int64_t, int);
template bool matrix_add_baseline(const double*, const double*, double*, std::int64_t, std::int64_t, int);
template bool matrix_add_baseline(const int*, const int*, int*, std::int64_t, std::int64_t, int);

}  // namespace warplab::reference
