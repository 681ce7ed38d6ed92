#pragma once

#include <cstdint>

// The oracles of lab 00, in host memory. Floating point is computed in double and rounded once to float.
namespace warplab::reference {

/// out[i] = y[i] + times * a * x[i]. @param n elements of x, y and out, from 0
void add_multiples(float a, int times, const float* x, const float* y, float* out, std::int64_t n);

/// out[i] = in[i % n]. @param total elements of out
void repeat(const float* in, std::int64_t n, float* out, std::int64_t total);

/// Element (r, c) of a table is column[r] * row[c]. @pre it does not exceed an int
/// @param out element (r, c) is out[r * cols + c]
void outer_product(const int* column, std::int64_t rows, const int* row, std::int64_t cols, int* out);

/// What the lab's kernel does to an element: three steps of a linear congruential generator modulo 2^32 where
/// `index` is even, one step of Marsaglia's xorshift32 where it is odd.
int work_on(std::int64_t index, int value);

/// How many of n elements are above `limit`.
std::int64_t count_above(const float* in, std::int64_t n, float limit);

/// The dot product of vectors of three components: a[3 * i] to a[3 * i + 2] with the same of b.
void dot3(const float* a, const float* b, float* out, std::int64_t n);

}  // namespace warplab::reference
