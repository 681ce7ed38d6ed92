// The oracle of lab 13 on literals that are small enough to check by hand.
#include "reference/tma_queues.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace warplab::reference {
namespace {

constexpr float gap = std::numeric_limits<float>::quiet_NaN();  // between rows: nobody reads it

TEST(TmaQueuesReference, ElementwiseKernelsRoundOnce) {
  const std::array<float, 3> a = {1, -2, 16'777'216}, b = {3, 0.5f, 1};
  std::array<float, 3> z{};
  scale(2.5f, a.data(), z.data(), 3);
  EXPECT_EQ(z, (std::array<float, 3>{2.5f, -5, 41'943'040}));
  multiply(a.data(), b.data(), z.data(), 3);
  EXPECT_EQ(z, (std::array<float, 3>{3, -1, 16'777'216}));
  add(a.data(), b.data(), z.data(), 3);
  EXPECT_EQ(z, (std::array<float, 3>{4, -1.5f, 16'777'216}));  // 2^24 + 1 is a tie, and rounds to even
}

TEST(TmaQueuesReference, MultipliesRowsByColumns) {
  const std::array<float, 8> a = {1, 2, 3, gap, 4, 5, 6, gap}, b = {1, 0, 2, gap, 0, 1, 0, gap};
  std::array<float, 4> z{};
  product_of_rows(a.data(), b.data(), z.data(), 2, 2, 3, 4);
  EXPECT_EQ(z, (std::array<float, 4>{7, 2, 16, 5}));
}

TEST(TmaQueuesReference, AddsUpInDouble) {
  const std::array<float, 3> a = {16'777'216, 1, 1}, ones = {1, 1, 1};
  float z = 0;
  product_of_rows(a.data(), ones.data(), &z, 1, 1, 3, 3);
  EXPECT_EQ(z, 16'777'218);  // in float each 1 would be lost
}

TEST(TmaQueuesReference, TheStencilIsTransposedAndHasZerosOutside) {
  const std::array<float, 8> a = {1, 2, 3, gap, 4, 5, 6, gap};
  std::array<float, 6> z{};
  transposed_stencil(a.data(), z.data(), 2, 3, 4);
  EXPECT_EQ(z, (std::array<float, 6>{2, -10, 1, -8, -4, -16}));
}

}  // namespace
}  // namespace warplab::reference
