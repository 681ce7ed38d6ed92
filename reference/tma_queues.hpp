#pragma once

#include <cstdint>

namespace warplab::reference {

/// z[i] = factor a[i], a[i] b[i] or a[i] + b[i], each rounded once.
void scale(float factor, const float* a, float* z, std::int64_t n);
void multiply(const float* a, const float* b, float* z, std::int64_t n);
void add(const float* a, const float* b, float* z, std::int64_t n);

/// z (m, n) = a (m, k) b (k, n), added up in double. Rows of a, and columns of b, lie `leading` elements
/// apart; the rows of z follow each other. A dot product has m = n = 1.
void product_of_rows(const float* a, const float* b, float* z, std::int64_t m, std::int64_t n, std::int64_t k,
                     std::int64_t leading);

/// z (cols, rows): z[c][r] is what the four neighbours of a[r][c] add up to, less 4 times a[r][c]. Outside a,
/// whose rows lie `leading` elements apart, is 0.
void transposed_stencil(const float* a, float* z, std::int64_t rows, std::int64_t cols, std::int64_t leading);

}  // namespace warplab::reference
