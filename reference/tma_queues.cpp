#include "reference/tma_queues.hpp"

namespace warplab::reference {

// A product or a sum of two floats is exact in double, or rounded so finely that rounding it again to float
// gives what one rounding would.
void scale(float factor, const float* a, float* z, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) z[i] = static_cast<float>(double{factor} * double{a[i]});
}
void multiply(const float* a, const float* b, float* z, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) z[i] = static_cast<float>(double{a[i]} * double{b[i]});
}
void add(const float* a, const float* b, float* z, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) z[i] = static_cast<float>(double{a[i]} + double{b[i]});
}

void product_of_rows(const float* a, const float* b, float* z, std::int64_t m, std::int64_t n, std::int64_t k,
                     std::int64_t leading) {
#pragma omp parallel for
  for (std::int64_t row = 0; row < m; ++row)
    for (std::int64_t col = 0; col < n; ++col) {
      double sum = 0;
      for (std::int64_t i = 0; i < k; ++i) sum += double{a[row * leading + i]} * double{b[col * leading + i]};
      z[row * n + col] = static_cast<float>(sum);
    }
}

void transposed_stencil(const float* a, float* z, std::int64_t rows, std::int64_t cols,
                        std::int64_t leading) {
  const auto at = [&](std::int64_t row, std::int64_t col) {
    const bool inside = row >= 0 && row < rows && col >= 0 && col < cols;
    return inside ? double{a[row * leading + col]} : 0.0;
  };
#pragma omp parallel for
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col)
      z[col * rows + row] = static_cast<float>(at(row - 1, col) + at(row + 1, col) + at(row, col - 1) +
                                               at(row, col + 1) - 4 * at(row, col));
}

}  // namespace warplab::reference
