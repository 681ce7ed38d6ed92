// The oracle of matrix addition on matrices small enough to check by hand.
#include "reference/matrix_add.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace warplab::reference {
namespace {

/// The integers that the lab adds.
using Integer = int;

TEST(MatrixAddReference, AddsElementByElementInBothShapes) {
  const std::vector<Integer> a{1, 2, 3,  //
                               4, 5, 6};
  const std::vector<Integer> b{10, 20, 30,  //
                               -4, 50, 60};
  const std::vector<Integer> expected{11, 22, 33,  //
                                      0,  55, 66};
  std::vector<Integer> wide(6, 99), tall(6, 99);
  matrix_add(a.data(), b.data(), wide.data(), 2, 3);
  matrix_add(a.data(), b.data(), tall.data(), 3, 2);
  EXPECT_EQ(wide, expected);
  EXPECT_EQ(tall, expected);
}

TEST(MatrixAddReference, RoundsAFloatSumToTheNearest) {
  // 2^24 + 1 lies between the floats 2^24 and 2^24 + 2: the tie goes to the even one. 2^24 + 3 goes up to
  // 2^24 + 4.
  const std::vector<float> a{16777216.0f, 16777216.0f}, b{1.0f, 3.0f};
  std::vector<float> c(2, 99);
  matrix_add(a.data(), b.data(), c.data(), 1, 2);
  EXPECT_EQ(c, (std::vector<float>{16777216.0f, 16777220.0f}));
}

TEST(MatrixAddReference, KeepsAllBitsOfADouble) {
  const std::vector<double> a{1.0, 1e16}, b{0x1p-52, 1.0};  // 1e16 + 1 is a tie, and goes to the even 1e16
  std::vector<double> c(2, 99);
  matrix_add(a.data(), b.data(), c.data(), 2, 1);
  EXPECT_EQ(c, (std::vector<double>{1.0 + 0x1p-52, 1e16}));
}

TEST(MatrixAddReference, WrapsIntegersAround) {
  constexpr Integer most = std::numeric_limits<Integer>::max(), least = std::numeric_limits<Integer>::min();
  const std::vector<Integer> a{most, least}, b{1, -1};
  std::vector<Integer> c(2, 99);
  matrix_add(a.data(), b.data(), c.data(), 1, 2);
  EXPECT_EQ(c, (std::vector<Integer>{least, most}));
}

TEST(MatrixAddReference, LeavesAnEmptyMatrixAlone) {
  const Integer a = 1, b = 2;
  Integer untouched = 7;
  matrix_add(&a, &b, &untouched, 0, 5);
  matrix_add(&a, &b, &untouched, 5, 0);
  EXPECT_EQ(untouched, 7);
}

TEST(MatrixAddReference, TheBaselineAgreesOnOneThreadAndOnTwo) {
  const std::vector<double> a{1, 2, 3, 4, 5, 6}, b{0.5, 0.25, -3, 8, 100, -6};  // (3, 2)
  const std::vector<double> expected{1.5, 2.25, 0, 12, 105, 0};
  std::vector<double> alone(6, 99), together(6, 99);
  ASSERT_TRUE(matrix_add_baseline(a.data(), b.data(), alone.data(), 3, 2, 1));
  EXPECT_EQ(alone, expected);
  if (matrix_add_baseline(a.data(), b.data(), together.data(), 3, 2, 2))
    EXPECT_EQ(together, expected);
  else
    EXPECT_EQ(together, std::vector<double>(6, 99));  // no OpenMP: untouched
}

}  // namespace
}  // namespace warplab::reference
