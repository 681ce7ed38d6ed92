// The oracles of lab 00, on literals that can be checked by hand.
#include "reference/first_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warplab::reference {
namespace {

TEST(FirstProgramReference, AddsMultiples) {
  const float x[] = {1, 2, 3}, y[] = {10, 20, 30};
  std::vector<float> out(3);
  add_multiples(2, 1, x, y, out.data(), 3);
  EXPECT_EQ(out, (std::vector<float>{12, 24, 36}));
  add_multiples(0.5f, 4, x, y, out.data(), 3);
  EXPECT_EQ(out, (std::vector<float>{12, 24, 36}));
}

TEST(FirstProgramReference, RepeatsFromTheBeginning) {
  const float in[] = {1, 2, 3};
  std::vector<float> out(6);
  repeat(in, 3, out.data(), 6);
  EXPECT_EQ(out, (std::vector<float>{1, 2, 3, 1, 2, 3}));
}

TEST(FirstProgramReference, MultipliesEachByEach) {
  const int column[] = {1, 2}, row[] = {3, 4, 5};
  std::vector<int> out(6), lines;
  outer_product(column, 2, row, 3, out.data());
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c) lines.push_back(out[r * 3 + c]);
  EXPECT_EQ(lines, (std::vector<int>{3, 4, 5, 6, 8, 10}));
}

TEST(FirstProgramReference, WorksDifferentlyOnEvenAndOddElements) {
  // 0 -> 1013904223 -> 1196435762 -> 3519870697, as in "Numerical Recipes", section 7.1
  EXPECT_EQ(static_cast<std::uint32_t>(work_on(0, 0)), 3519870697u);
  // 1 -> 8193 -> 8193 -> 8193 ^ 262176
  EXPECT_EQ(work_on(1, 1), 270369);
  EXPECT_EQ(work_on(3, 0), 0);
  EXPECT_NE(work_on(2, 7), work_on(3, 7));
}

TEST(FirstProgramReference, CountsWhatIsAboveAndNotWhatIsEqual) {
  const float in[] = {0.25f, 0.5f, 0.75f, 1};
  EXPECT_EQ(count_above(in, 4, 0.5f), 2);
  EXPECT_EQ(count_above(in, 4, 0.5f), std::count_if(in, in + 4, [](float x) { return x > 0.5f; }));
  EXPECT_EQ(count_above(in, 0, 0.5f), 0);
}

TEST(FirstProgramReference, DotsTriples) {
  const float a[] = {1, 2, 3, 1, 0, 0}, b[] = {4, 5, 6, 0, 1, 0};
  std::vector<float> out(2);
  dot3(a, b, out.data(), 2);
  EXPECT_EQ(out, (std::vector<float>{32, 0}));
}

}  // namespace
}  // namespace warplab::reference
