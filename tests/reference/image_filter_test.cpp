// The oracle of the image filter on images small enough to check by hand.
#include "reference/image_filter.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warplab::reference {
namespace {

using Bytes = std::vector<unsigned char>;
const std::vector<float> mean(9, 1.0f / 9), sharpen{0, -1, 0, -1, 5, -1, 0, -1, 0};
const std::vector<float> right_neighbour{0, 0, 0, 0, 0, 1, 0, 0, 0};  // out(x) = in(x + 1)

/// Filters an image of 3 columns, of bytes that were 77 before.
Bytes filtered(const Bytes& in, const std::vector<float>& filter, Beyond beyond, int channels = 1,
               std::int64_t width = 3, int radius = 1) {
  Bytes out(in.size(), 77);
  const auto height = static_cast<std::int64_t>(in.size()) / width / channels;
  image_filter(in.data(), filter.data(), out.data(), {width, height, channels, radius, beyond});
  return out;
}

TEST(ImageFilterReference, IndexBeyondTheEdgeFollowsTheRule) {
  const auto row = [](Beyond rule, std::int64_t n) {
    std::vector<std::int64_t> indices;
    for (std::int64_t i = -3; i < n + 3; ++i) indices.push_back(index_beyond(i, n, rule));
    return indices;
  };
  using Indices = std::vector<std::int64_t>;
  EXPECT_EQ(row(Beyond::clamp, 2), (Indices{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(row(Beyond::zero, 2), (Indices{-1, -1, -1, 0, 1, -1, -1, -1}));
  EXPECT_EQ(row(Beyond::reflect, 4), (Indices{3, 2, 1, 0, 1, 2, 3, 2, 1, 0}));
  EXPECT_EQ(row(Beyond::reflect, 2), (Indices{1, 0, 1, 0, 1, 0, 1, 0}));  // back and forth
  EXPECT_EQ(row(Beyond::reflect, 1), (Indices{0, 0, 0, 0, 0, 0, 0}));
}

TEST(ImageFilterReference, CorrelatesWithoutTurningTheFilterRound) {
  const Bytes in{1, 2, 3,  //
                 4, 5, 6};
  EXPECT_EQ(filtered(in, right_neighbour, Beyond::clamp), (Bytes{2, 3, 3,  //
                                                                 5, 6, 6}));
  EXPECT_EQ(filtered(in, right_neighbour, Beyond::zero), (Bytes{2, 3, 0,  //
                                                                5, 6, 0}));
  EXPECT_EQ(filtered(in, right_neighbour, Beyond::reflect), (Bytes{2, 3, 2,  //
                                                                   5, 6, 5}));
}

TEST(ImageFilterReference, UntouchedWritesOnlyWholeNeighbourhoods) {
  const Bytes in{9, 9, 9,  //
                 9, 0, 9,  //
                 9, 9, 9};
  EXPECT_EQ(filtered(in, mean, Beyond::untouched), (Bytes{77, 77, 77,  //
                                                          77, 8, 77,   //
                                                          77, 77, 77}));
  EXPECT_EQ(filtered({1, 2, 3, 4, 5, 6}, mean, Beyond::untouched), Bytes(6, 77));  // smaller than the filter
}

TEST(ImageFilterReference, RoundsToTheNearestByteHalfToEvenAndSaturates) {
  const auto weighed = [](float weight, unsigned char value) {
    return filtered({value}, {weight}, Beyond::clamp, 1, 1, 0)[0];
  };
  EXPECT_EQ(weighed(0.5f, 1), 0);  // 0.5
  EXPECT_EQ(weighed(0.5f, 3), 2);  // 1.5
  EXPECT_EQ(weighed(0.5f, 5), 2);  // 2.5
  EXPECT_EQ(weighed(0.75f, 1), 1);
  EXPECT_EQ(weighed(2.0f, 200), 255);
  EXPECT_EQ(weighed(-1.0f, 200), 0);
  // 5 * 60 - 4 * 10 = 260 and 5 * 10 - (60 + 3 * 10) = -40, both past the ends of a byte.
  const Bytes in{10, 10, 10,  //
                 10, 60, 10,  //
                 10, 10, 10};
  EXPECT_EQ(filtered(in, sharpen, Beyond::clamp), (Bytes{10, 0, 10,  //
                                                         0, 255, 0,  //
                                                         10, 0, 10}));
}

TEST(ImageFilterReference, FiltersEachChannelAndKeepsAlpha) {
  // Two pixels per row: grey and alpha.
  EXPECT_EQ(filtered({1, 200, 3, 100}, right_neighbour, Beyond::clamp, 2, 2), (Bytes{3, 200, 3, 100}));
  EXPECT_EQ(filtered({1, 2, 3, 4, 5, 6}, right_neighbour, Beyond::clamp, 3, 2), (Bytes{4, 5, 6, 4, 5, 6}));
  EXPECT_EQ(filtered({1, 2, 3, 50, 4, 5, 6, 60}, right_neighbour, Beyond::clamp, 4, 2),
            (Bytes{4, 5, 6, 50, 4, 5, 6, 60}));
}

TEST(ImageFilterReference, FloatsAreNeitherRoundedNorSaturated) {
  const std::vector<float> in{100.5f, -200.0f, 300.0f};
  std::vector<float> out(3, -1.0f);
  image_filter(in.data(), sharpen.data(), out.data(), {3, 1, 1, 1, Beyond::zero});
  EXPECT_EQ(out, (std::vector<float>{5 * 100.5f + 200, -1000 - 100.5f - 300, 1500 + 200}));
}

TEST(ImageFilterReference, TheBaselineAgreesOnOneThreadAndOnTwo) {
  const Bytes in{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};  // (4, 3)
  for (const Beyond beyond : {Beyond::untouched, Beyond::clamp, Beyond::zero, Beyond::reflect}) {
    const FilterShape shape{3, 4, 1, 1, beyond};
    Bytes alone(12, 77), together(12, 77);
    ASSERT_TRUE(image_filter_baseline(in.data(), mean.data(), alone.data(), shape, 1));
    EXPECT_EQ(alone, filtered(in, mean, beyond));
    if (image_filter_baseline(in.data(), mean.data(), together.data(), shape, 2))
      EXPECT_EQ(together, alone);
    else
      EXPECT_EQ(together, Bytes(12, 77));  // no OpenMP: untouched
  }
}

TEST(ImageFilterReference, TheBaselineAgreesOnRowsOfManyLanes) {
  for (const int channels : {1, 2, 3, 4})
    for (const int width : {2, 33, 71})
      for (const Beyond beyond : {Beyond::untouched, Beyond::clamp, Beyond::zero, Beyond::reflect}) {
        const FilterShape shape{width, 5, channels, 1, beyond};
        Bytes in(static_cast<std::size_t>(width * 5 * channels));
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * i % 251);
        Bytes expected(in.size(), 77), out(in.size(), 77);
        image_filter(in.data(), sharpen.data(), expected.data(), shape);
        ASSERT_TRUE(image_filter_baseline(in.data(), sharpen.data(), out.data(), shape, 1));
        EXPECT_EQ(out, expected) << channels << " channels, " << width << " wide";
      }
}

TEST(ImageFilterReference, LeavesAnEmptyImageAlone) {
  unsigned char untouched = 7;
  image_filter(&untouched, mean.data(), &untouched, {0, 5, 1, 1, Beyond::reflect});
  image_filter(&untouched, mean.data(), &untouched, {5, 0, 1, 1, Beyond::clamp});
  EXPECT_EQ(untouched, 7);
}

}  // namespace
}  // namespace warplab::reference
