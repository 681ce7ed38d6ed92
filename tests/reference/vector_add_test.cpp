// The oracle of vector addition on vectors small enough to check by hand.
#include "reference/vector_add.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace warplab::reference {
namespace {

template <class T>
std::vector<T> sum(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> c(a.size(), T{99});
  vector_add(a.data(), b.data(), c.data(), static_cast<std::int64_t>(a.size()));
  return c;
}

TEST(VectorAddReference, AddsElementByElement) {
  EXPECT_EQ(sum<int>({1, 2, 3}, {10, -20, 30}), (std::vector<int>{11, -18, 33}));
  EXPECT_EQ(sum<float>({0.5f, -1.25f}, {0.25f, 1.25f}), (std::vector<float>{0.75f, 0.0f}));
  EXPECT_EQ(sum<double>({1e300, 0.125}, {1e300, 2}), (std::vector<double>{2e300, 2.125}));
}

TEST(VectorAddReference, RoundsAFloatSumToTheNearest) {
  // 2^24 + 1 lies between the floats 2^24 and 2^24 + 2: the tie goes to the even one. 2^24 + 3 goes up to
  // 2^24 + 4.
  EXPECT_EQ(sum<float>({16777216.0f, 16777216.0f}, {1.0f, 3.0f}),
            (std::vector<float>{16777216.0f, 16777220.0f}));
}

TEST(VectorAddReference, KeepsSubnormalsAndTheSignOfZero) {
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(sum<float>({least}, {least}), (std::vector<float>{2 * least}));
  EXPECT_TRUE(std::signbit(sum<float>({-0.0f}, {-0.0f})[0]));
}

TEST(VectorAddReference, WrapsIntegersAround) {
  constexpr int most = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();
  EXPECT_EQ(sum<int>({most, least}, {1, -1}), (std::vector<int>{least, most}));
}

TEST(VectorAddReference, LeavesWhatIsPastTheEndAlone) {
  const std::vector<int> a{1, 2}, b{3, 4};
  std::vector<int> c{7, 7};
  vector_add(a.data(), b.data(), c.data(), 0);
  EXPECT_EQ(c, (std::vector<int>{7, 7}));
  vector_add(a.data(), b.data(), c.data(), 1);
  EXPECT_EQ(c, (std::vector<int>{4, 7}));
}

TEST(VectorAddReference, TheBaselineAgreesOnOneThreadAndOnThree) {
  const std::vector<float> a{1, 2, 3, 4, 5}, b{0.5f, 0.25f, -3, 8, 1e8f};
  const std::vector<float> expected{1.5f, 2.25f, 0, 12, 100000008.0f};  // 1e8 + 5 rounds to a multiple of 8
  std::vector<float> alone(5, 99), together(5, 99);
  ASSERT_TRUE(vector_add_baseline(a.data(), b.data(), alone.data(), 5, 1));
  EXPECT_EQ(alone, expected);
  if (vector_add_baseline(a.data(), b.data(), together.data(), 5, 3))
    EXPECT_EQ(together, expected);
  else
    EXPECT_EQ(together, std::vector<float>(5, 99));  // no OpenMP: untouched
}

}  // namespace
}  // namespace warplab::reference
