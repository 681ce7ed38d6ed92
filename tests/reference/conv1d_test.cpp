// The oracle of the one-dimensional convolution on vectors small enough to check by hand.
#include "reference/conv1d.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warplab::reference {
namespace {

template <class T>
std::vector<T> convolved(const std::vector<T>& in, const std::vector<T>& filter) {
  std::vector<T> out(in.size(), T(-99));
  conv1d(in.data(), filter.data(), out.data(), static_cast<std::int64_t>(in.size()),
         static_cast<std::int64_t>(filter.size()));
  return out;
}

TEST(Conv1dReference, SumsTheProductsFromEachElementOn) {
  // 1*1 + 10*2, 1*2 + 10*3, 1*3 + 10*4, and 1*4 + 10*0: beyond the end there are zeros.
  EXPECT_EQ(convolved<float>({1, 2, 3, 4}, {1, 10}), (std::vector<float>{21, 32, 43, 4}));
  EXPECT_EQ(convolved<double>({1, 2, 3, 4}, {1, 10}), (std::vector<double>{21, 32, 43, 4}));
}

TEST(Conv1dReference, DoesNotTurnTheFilterRound) {
  // A signal-processing convolution would give 0 5 6 7 at an impulse; this one is a correlation.
  EXPECT_EQ(convolved<float>({0, 0, 0, 1}, {5, 6, 7}), (std::vector<float>{0, 7, 6, 5}));
}

TEST(Conv1dReference, OneTapScales) {
  EXPECT_EQ(convolved<double>({1, -2, 0.5}, {-4}), (std::vector<double>{-4, 8, -2}));
}

TEST(Conv1dReference, AFilterMayBeLongerThanTheInput) {
  EXPECT_EQ(convolved<double>({1, 2}, {1, 10, 100, 1000, 10000}), (std::vector<double>{21, 2}));
  EXPECT_EQ(convolved<float>({3}, {2, 7, 7, 7}), (std::vector<float>{6}));
}

TEST(Conv1dReference, FloatsAreSummedInDouble) {
  // 2^24 + 1 - 2^24: in float the 1 is lost, in double it is not.
  EXPECT_EQ(convolved<float>({16777216, 1, -16777216}, {1, 1, 1})[0], 1.0f);
  // (1 + 2^-12)^2 - 1 - 2^-11 = 2^-24: the product itself must not be rounded to float.
  const float x = 1 + 0x1p-12f;
  EXPECT_EQ(convolved<float>({x, 1, 0x1p-11f}, {x, -1, -1})[0], 0x1p-24f);
}

TEST(Conv1dReference, GoesOnPastABandOfOutputs) {
  // 1100 outputs, more than two bands of 512. in[j] = j, so out[j] = j + 2 (j + 1)
  // = 3 j + 2, but for the last.
  std::vector<float> in, expected;
  for (int j = 0; j < 1100; ++j) {
    in.push_back(static_cast<float>(j));
    expected.push_back(static_cast<float>(j == 1099 ? 1099 : 3 * j + 2));
  }
  EXPECT_EQ(convolved<float>(in, {1, 2}), expected);
}

TEST(Conv1dReference, LeavesAnEmptyOutputAlone) {
  float untouched = 7;
  const float filter = 2;
  conv1d(&filter, &filter, &untouched, 0, 1);
  EXPECT_EQ(untouched, 7);
}

TEST(Conv1dReference, TheBaselineAgreesOnOneThreadAndOnTwo) {
  std::vector<double> in, expected;
  for (int j = 0; j < 1300; ++j) {
    in.push_back(j);
    expected.push_back(j < 1298 ? 111.0 * j + 210 : j == 1298 ? 11.0 * j + 10 : j);  // 1, 10 and 100 times
  }
  const std::vector<double> filter{1, 10, 100};
  std::vector<double> alone(1300, -1), together(1300, -1);
  ASSERT_TRUE(conv1d_baseline(in.data(), filter.data(), alone.data(), 1300, 3, 1));
  EXPECT_EQ(alone, expected);
  if (conv1d_baseline(in.data(), filter.data(), together.data(), 1300, 3, 2))
    EXPECT_EQ(together, expected);
  else
    EXPECT_EQ(together, std::vector<double>(1300, -1));  // no OpenMP: untouched
}

}  // namespace
}  // namespace warplab::reference
