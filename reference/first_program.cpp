#include "reference/first_program.hpp"

namespace warplab::reference {

void add_multiples(float a, int times, const float* x, const float* y, float* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = static_cast<float>(double{y[i]} + static_cast<double>(times) * double{a} * double{x[i]});
}

void repeat(const float* in, std::int64_t n, float* out, std::int64_t total) {
  for (std::int64_t i = 0; i < total; ++i) out[i] = in[i % n];
}

void outer_product(const int* column, std::int64_t rows, const int* row, std::int64_t cols, int* out) {
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c) {
      const std::int64_t at = r * cols + c;
      out[at] = column[r] * row[c];
    }
}

int work_on(std::int64_t index, int value) {
  constexpr std::uint64_t modulus = std::uint64_t{1} << 32;
  std::uint64_t x = static_cast<std::uint32_t>(value);
  if (index % 2 == 0) {
    for (int step = 0; step < 3; ++step) x = (1664525 * x + 1013904223) % modulus;
  } else {
    x ^= (x << 13) % modulus;
    x ^= x >> 17;
    x ^= (x << 5) % modulus;
  }
  return static_cast<int>(static_cast<std::uint32_t>(x));
}

std::int64_t count_above(const float* in, std::int64_t n, float limit) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i)
    if (in[i] > limit) ++count;
  return count;
}

void dot3(const float* a, const float* b, float* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t k = 3 * i; k < 3 * i + 3; ++k) sum += double{a[k]} * double{b[k]};
    out[i] = static_cast<float>(sum);
  }
}

}  // namespace warplab::reference
