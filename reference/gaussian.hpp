#pragma once

#include <cstdint>
#include <vector>

namespace warplab::reference {

/// The shape of an image and of its filters.
struct FiltersShape {
  std::int64_t width, height;
  int channels;
  int filters;
  int side;  ///< odd
};

/// `side` samples of a normal distribution around the one in the middle, divided by their sum. Its outer
/// product with itself is the Gaussian filter. @pre side is odd, sigma > 0
std::vector<double> gaussian_factor(int side, double sigma);

/// The oracle of the Gaussian lab, a correlation in double: out(i, y, x, c) = sum of weights(i, r + dy, r +
/// dx) * in(y + dy, x + dx, c), rounded to the nearest integer, half to even, and saturated to 0..255. Beyond
/// the edges, the pixels at the edge repeat.
/// @param in (height, width, channels) @param weights (filters, side, side) @param out
/// (filters, height, width, channels)
void gaussian_dense(const unsigned char* in, const double* weights, unsigned char* out,
                    const FiltersShape& shape);

/// The same for filters that are sums of outer products: weights(i) = sum over terms t of
/// factors(i, t, 0) (the columns) times factors(i, t, 1) (the rows). Two passes per term instead
/// of side * side products per pixel.
/// @param factors (filters, terms, 2, side)
void gaussian_terms(const unsigned char* in, const double* factors, int terms, unsigned char* out,
                    const FiltersShape& shape);

/// The CPU baseline, compiled with -O3, in float: two passes for one term, else the
/// sum over the filter. @param terms 1 or 0 @param filter as above: factors for one term, else weights
/// @param threads OpenMP threads; 1 runs the loops on the calling thread
/// @return false, with out untouched, if more than one thread was asked for and the compiler had no OpenMP
bool gaussian_baseline(const unsigned char* in, const double* filter, int terms, unsigned char* out,
                       const FiltersShape& shape, int threads);

}  // namespace warplab::reference
