// The oracle of the Sobel filter, on images small enough to check by hand.
#include "reference/sobel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace warplab::reference {
namespace {

using Levels = std::vector<float>;
constexpr float pi = std::numbers::pi_v<float>;

struct Edges {
  Levels magnitude, angle;
};

Edges sobel_of(const Levels& in, std::int64_t width, Beyond beyond) {
  Edges edges{Levels(in.size(), -1), Levels(in.size(), -1)};
  sobel(in.data(), edges.magnitude.data(), edges.angle.data(), width,
        static_cast<std::int64_t>(in.size()) / width, beyond);
  return edges;
}

TEST(SobelReference, AnEdgePointsToTheLighterSide) {
  // gx = 1*8 + 2*8 + 1*8 in every pixel of the two columns at the edge, gy = 0.
  const Edges upright = sobel_of({0, 0, 8, 8, 0, 0, 8, 8, 0, 0, 8, 8}, 4, Beyond::clamp);
  EXPECT_EQ(upright.magnitude, (Levels{0, 32, 32, 0, 0, 32, 32, 0, 0, 32, 32, 0}));
  EXPECT_EQ(upright.angle, Levels(12, 0));
  const Edges to_the_left = sobel_of({8, 0, 8, 0, 8, 0}, 2, Beyond::clamp);
  EXPECT_EQ(to_the_left.angle, Levels(6, pi));
  const Edges down = sobel_of({0, 0, 0, 8, 8, 8}, 3, Beyond::clamp);
  EXPECT_EQ(down.magnitude, Levels(6, 32));
  EXPECT_EQ(down.angle, Levels(6, pi / 2));
  const Edges up = sobel_of({8, 8, 8, 0, 0, 0}, 3, Beyond::clamp);
  EXPECT_EQ(up.angle, Levels(6, -pi / 2));
}

TEST(SobelReference, OnePixelInTheMiddleOfNineShowsTheWeights) {
  // Around a single 1 the weights are turned by half a turn: seen from the top left
  // it lies at the bottom right.
  const Edges edges = sobel_of({0, 0, 0, 0, 1, 0, 0, 0, 0}, 3, Beyond::zero);
  const float diagonal = std::sqrt(2.0f);
  EXPECT_EQ(edges.magnitude, (Levels{diagonal, 2, diagonal, 2, 0, 2, diagonal, 2, diagonal}));
  EXPECT_EQ(edges.angle, (Levels{pi / 4, pi / 2, 3 * pi / 4, 0, 0, pi, -pi / 4, -pi / 2, -3 * pi / 4}));
}

TEST(SobelReference, EveryBorderRuleSeesAnotherNeighbour) {
  const Levels row{1, 2, 4};
  EXPECT_EQ(sobel_of(row, 3, Beyond::clamp).magnitude,
            (Levels{4, 12, 8}));                                           // 4 * (2-1), 4 * (4-1), 4 * (4-2)
  EXPECT_EQ(sobel_of(row, 3, Beyond::zero).magnitude, (Levels{4, 6, 4}));  // 2 * (2-0), 2 * (4-1), 2 * (0-2)
  EXPECT_EQ(sobel_of(row, 3, Beyond::reflect).magnitude, (Levels{0, 12, 0}));  // the same on both sides
  EXPECT_EQ(sobel_of(row, 3, Beyond::untouched).magnitude, (Levels{-1, -1, -1}));
}

TEST(SobelReference, UntouchedLeavesTheEdgeAsItIs) {
  const Edges edges = sobel_of({0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 8}, 4, Beyond::untouched);
  EXPECT_EQ(edges.magnitude, (Levels{-1, -1, -1, -1, -1, 0, 32, -1, -1, -1, -1, -1}));
  EXPECT_EQ(edges.angle, (Levels{-1, -1, -1, -1, -1, 0, 0, -1, -1, -1, -1, -1}));
}

TEST(SobelReference, BytesAreRoundedAndSaturated) {
  const std::vector<unsigned char> in{0, 0, 0, 0, 60, 0, 0, 200, 0};
  std::vector<unsigned char> out(9);
  sobel(in.data(), out.data(), nullptr, 3, 3, Beyond::zero);
  // The middle has gx = 0 and gy = 2 * 200; the first sees 60 below right: 60 * sqrt(2) = 84.9; the one left
  // of the middle gx = 2 * 60 + 200 and gy = 200: 377.4; the last but one gx = 0 and gy = -2 * 60.
  EXPECT_EQ(out[4], 255);
  EXPECT_EQ(out[0], 85);
  EXPECT_EQ(out[3], 255);
  EXPECT_EQ(out[7], 120);
}

TEST(SobelReference, BaselinesAgreeWithTheOracle) {
  std::vector<unsigned char> in(37 * 29), expected(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * i % 251);
  for (const Beyond beyond : {Beyond::clamp, Beyond::zero, Beyond::reflect, Beyond::untouched})
    for (const int threads : {1, 2}) {
      std::vector<unsigned char> out(in.size());
      expected.assign(in.size(), 0);
      sobel(in.data(), expected.data(), nullptr, 37, 29, beyond);
      if (sobel_baseline(in.data(), out.data(), 37, 29, beyond, threads)) {
        EXPECT_EQ(out, expected);
      }
    }
}

}  // namespace
}  // namespace warplab::reference
