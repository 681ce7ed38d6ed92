// The oracle of the transpose on matrices small enough to check by hand.
#include "reference/transpose.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warplab::reference {
namespace {

TEST(TransposeReference, TurnsRowsIntoColumns) {
  const std::vector<int> in{1, 2, 3,  //
                            4, 5, 6};
  std::vector<int> out(6, -1);
  transpose(in.data(), out.data(), 2, 3);
  EXPECT_EQ(out, (std::vector<int>{1, 4,  //
                                   2, 5,  //
                                   3, 6}));
}

TEST(TransposeReference, ARowBecomesAColumnWithTheSameBytes) {
  const std::vector<double> in{0.5, -2.0, 3.25};
  std::vector<double> column(3, 0.0), row(3, 0.0);
  transpose(in.data(), column.data(), 1, 3);
  transpose(in.data(), row.data(), 3, 1);
  EXPECT_EQ(column, in);
  EXPECT_EQ(row, in);
}

TEST(TransposeReference, GoesOnPastABandOfRows) {
  // 17 rows of 2: one more than the oracle moves at a time. in[r][c] = 10 r + c.
  std::vector<float> in, expected_even, expected_odd;
  for (int r = 0; r < 17; ++r) {
    in.push_back(10.0f * r);
    in.push_back(10.0f * r + 1);
    expected_even.push_back(10.0f * r);
    expected_odd.push_back(10.0f * r + 1);
  }
  std::vector<float> out(34, -1.0f);
  transpose(in.data(), out.data(), 17, 2);
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 17), expected_even);
  EXPECT_EQ(std::vector<float>(out.begin() + 17, out.end()), expected_odd);
}

TEST(TransposeReference, LeavesAnEmptyMatrixAlone) {
  int untouched = 7;
  transpose(&untouched, &untouched, 0, 5);
  transpose(&untouched, &untouched, 5, 0);
  EXPECT_EQ(untouched, 7);
}

TEST(TransposeReference, TheBaselineAgreesOnOneThreadAndOnTwo) {
  const std::vector<int> in{1, 2, 3, 4, 5, 6, 7, 8};  // (2, 4)
  const std::vector<int> expected{1, 5, 2, 6, 3, 7, 4, 8};
  std::vector<int> alone(8, -1), together(8, -1);
  ASSERT_TRUE(transpose_baseline(in.data(), alone.data(), 2, 4, 1));
  EXPECT_EQ(alone, expected);
  if (transpose_baseline(in.data(), together.data(), 2, 4, 2))
    EXPECT_EQ(together, expected);
  else
    EXPECT_EQ(together, std::vector<int>(8, -1));  // no OpenMP: untouched
}

}  // namespace
}  // namespace warplab::reference
