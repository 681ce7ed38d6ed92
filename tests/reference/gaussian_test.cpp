// The oracle of the Gaussian lab, on images small enough to check by hand.
#include "reference/gaussian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace warplab::reference {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes dense(const Bytes& in, const std::vector<double>& weights, const FiltersShape& shape) {
  Bytes out(in.size() * static_cast<std::size_t>(shape.filters), 77);
  gaussian_dense(in.data(), weights.data(), out.data(), shape);
  return out;
}

Bytes by_terms(const Bytes& in, const std::vector<double>& factors, int terms, const FiltersShape& shape) {
  Bytes out(in.size() * static_cast<std::size_t>(shape.filters), 77);
  gaussian_terms(in.data(), factors.data(), terms, out.data(), shape);
  return out;
}

TEST(GaussianReference, AFactorIsWhatTheFormulaSays) {
  // exp(-1/2) = 0.6065: 0.6065 / 2.2131 and 1 / 2.2131.
  const std::vector<double> factor = gaussian_factor(3, 1.0);
  EXPECT_NEAR(factor[0], 0.27406862, 1e-8);
  EXPECT_NEAR(factor[1], 0.45186276, 1e-8);
  EXPECT_EQ(factor[2], factor[0]);
  EXPECT_EQ(gaussian_factor(1, 5.0), std::vector<double>{1.0});
  const std::vector<double> wide = gaussian_factor(81, 13.5);
  EXPECT_NEAR(std::accumulate(wide.begin(), wide.end(), 0.0), 1.0, 1e-14);
}

TEST(GaussianReference, ASinglePixelShowsTheWeightsTurned) {
  // A correlation: the pixel meets the weight that points at it.
  const Bytes out =
      dense({0, 0, 0, 0, 100, 0, 0, 0, 0}, {.01, .02, .03, .04, .05, .06, .07, .08, .64}, {3, 3, 1, 1, 3});
  EXPECT_EQ(out, (Bytes{64, 8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST(GaussianReference, BeyondTheEdgeStandThePixelsOfTheEdge) {
  // A row of 10 20 40 with weights 1/4 1/2 1/4 across: 12.5 to even, 22.5 to even, 35.
  EXPECT_EQ(dense({10, 20, 40}, {0, 0, 0, .25, .5, .25, 0, 0, 0}, {3, 1, 1, 1, 3}), (Bytes{12, 22, 35}));
  EXPECT_EQ(by_terms({10, 20, 40}, {0, 1, 0, .25, .5, .25}, 1, {3, 1, 1, 1, 3}), (Bytes{12, 22, 35}));
  EXPECT_EQ(by_terms({10, 20, 40}, {.25, .5, .25, 0, 1, 0}, 1, {1, 3, 1, 1, 3}), (Bytes{12, 22, 35}));
}

TEST(GaussianReference, ChannelsDoNotMixAndFiltersStandOneAfterTheOther) {
  const Bytes out =
      dense({8, 80, 16, 160}, {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, .5, .5, 0, 0, 0, 0}, {2, 1, 2, 2, 3});
  EXPECT_EQ(out, (Bytes{8, 80, 16, 160, 8, 80, 12, 120}));
}

TEST(GaussianReference, SumsAreSaturated) {
  EXPECT_EQ(dense({0, 255}, {0, 0, 0, -1, 3, -1, 0, 0, 0}, {2, 1, 1, 1, 3}), (Bytes{0, 255}));
}

TEST(GaussianReference, TermsAndWeightsAgree) {
  const FiltersShape shape{37, 23, 3, 2, 7};
  std::vector<double> factors, weights;
  for (int filter = 0; filter < 2; ++filter) {
    std::vector<double> sum(49, 0.0);
    for (int term = 0; term < 2; ++term) {
      std::vector<double> down = gaussian_factor(7, 1 + filter + term),
                          across = gaussian_factor(7, 3 - filter);
      for (double& value : down) value /= 2;
      for (int i = 0; i < 49; ++i)
        sum[static_cast<std::size_t>(i)] +=
            down[static_cast<std::size_t>(i / 7)] * across[static_cast<std::size_t>(i % 7)];
      factors.insert(factors.end(), down.begin(), down.end());
      factors.insert(factors.end(), across.begin(), across.end());
    }
    weights.insert(weights.end(), sum.begin(), sum.end());
  }
  Bytes in(37 * 23 * 3);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * i * 7 % 251);
  EXPECT_EQ(dense(in, weights, shape), by_terms(in, factors, 2, shape));
}

TEST(GaussianReference, TheBaselineIsCloseWithAnyNumberOfThreads) {
  const FiltersShape shape{61, 19, 4, 1, 5};
  const std::vector<double> factor = gaussian_factor(5, 1.2);
  std::vector<double> factors(factor), weights;
  factors.insert(factors.end(), factor.begin(), factor.end());
  for (const double y : factor)
    for (const double x : factor) weights.push_back(y * x);
  Bytes in(61 * 19 * 4), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 37 % 256);
  const Bytes expected = by_terms(in, factors, 1, shape);
  for (const int threads : {1, 3})
    for (const int terms : {0, 1}) {
      out.assign(in.size(), 0);
      if (!gaussian_baseline(in.data(), (terms ? factors : weights).data(), terms, out.data(), shape,
                             threads)) {
        EXPECT_GT(threads, 1) << "only without OpenMP";
        continue;
      }
      for (std::size_t i = 0; i < in.size(); ++i) ASSERT_NEAR(out[i], expected[i], 1) << i;
    }
}

TEST(GaussianReference, NothingIsDoneForNoPixels) {
  unsigned char untouched = 7;
  gaussian_dense(nullptr, gaussian_factor(1, 1).data(), &untouched, {0, 5, 1, 1, 1});
  gaussian_terms(nullptr, std::vector<double>{1, 1}.data(), 1, &untouched, {5, 0, 1, 1, 1});
  EXPECT_EQ(untouched, 7);
}

}  // namespace
}  // namespace warplab::reference
