#include "common/io/scene.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "scratch_folder.hpp"

namespace warplab {
namespace {

std::uint64_t fnv1a(const HostArray& image) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (std::uint8_t byte : image.as<std::uint8_t>()) hash = (hash ^ byte) * 0x100000001B3u;
  return hash;
}

bool same(const HostArray& a, const HostArray& b) {
  return a.shape() == b.shape() &&
         std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin(), b.bytes().end());
}

/// The mean of |p(x, y) - p(x + 1, y)| over a window of a grey image.
double roughness(const HostArray& image, std::int64_t top, std::int64_t bottom) {
  const std::int64_t width = image.shape()[1];
  const auto pixels = image.as<std::uint8_t>();
  double sum = 0;
  for (std::int64_t y = top; y < bottom; ++y)
    for (std::int64_t x = 0; x + 1 < width; ++x)
      sum += std::abs(pixels[static_cast<std::size_t>(y * width + x)] -
                      pixels[static_cast<std::size_t>(y * width + x + 1)]);
  return sum / static_cast<double>((bottom - top) * (width - 1));
}

TEST(Scene, IsTheSameOnEveryMachine) {
  // Recorded on two cores. 374 250 pixels are shared between up to five, and one
  // thread makes all of the other.
  EXPECT_EQ(fnv1a(photograph_like_scene(750, 499, 3, 1)), 0x127DF0BCC54481C5u);
  EXPECT_EQ(fnv1a(photograph_like_scene(97, 61, 4, 7)), 0x4687D2139155E618u);
}

TEST(Scene, DependsOnTheSeedAlone) {
  const HostArray one = photograph_like_scene(120, 80, 3, 1);
  EXPECT_TRUE(same(one, photograph_like_scene(120, 80, 3, 1)));
  EXPECT_FALSE(same(one, photograph_like_scene(120, 80, 3, 2)));
}

TEST(Scene, TakesAnySizeAndNumberOfChannels) {
  for (int channels : {1, 2, 3, 4})
    for (const auto& [width, height] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 97}, {997, 1}, {31, 33}}) {
      const HostArray image = photograph_like_scene(width, height, channels, 3);
      EXPECT_EQ(image.dtype(), DType::u8);
      EXPECT_EQ(image.shape(), (std::vector<std::int64_t>{height, width, channels}));
    }
  for (int channels : {0, 5})
    EXPECT_EQ(message_of<std::invalid_argument>([&] { photograph_like_scene(1, 1, channels, 0); }),
              "a scene has 1 to 4 channels");
  EXPECT_EQ(message_of<std::invalid_argument>([] { photograph_like_scene(-1, 1, 1, 0); }),
            "a scene has 0 to 1048576 pixels per side");
}

TEST(Scene, HasNoConstantChannel) {
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    for (int channels : {1, 2, 3, 4})
      for (const auto& [width, height] :
           std::vector<std::pair<std::int64_t, std::int64_t>>{{4, 4}, {1, 40}, {40, 1}, {64, 48}}) {
        const HostArray image = photograph_like_scene(width, height, channels, seed);
        const auto pixels = image.as<std::uint8_t>();
        for (int c = 0; c < channels; ++c) {
          std::set<int> values;
          for (std::size_t i = static_cast<std::size_t>(c); i < pixels.size();
               i += static_cast<std::size_t>(channels))
            values.insert(pixels[i]);
          EXPECT_GT(values.size(), 1u) << width << " x " << height << ", channel " << c << ", seed " << seed;
        }
      }
}

TEST(Scene, AddsAlphaWithoutTouchingTheColours) {
  const HostArray rgb = photograph_like_scene(90, 60, 3, 5), rgba = photograph_like_scene(90, 60, 4, 5);
  const auto without = rgb.as<std::uint8_t>(), with = rgba.as<std::uint8_t>();
  for (std::size_t p = 0; p < 90 * 60; ++p)
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(with[4 * p + c], without[3 * p + c]);
  EXPECT_GT(with[4 * (30 * 90 + 45) + 3], 240) << "the middle is opaque";
  EXPECT_LT(with[3], 80) << "the corner is not";
}

TEST(Scene, HasSoftRegionsAndHardEdges) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const HostArray image = photograph_like_scene(600, 400, 1, seed);
    const double sky = roughness(image, 0, 40), ground = roughness(image, 280, 400);
    EXPECT_LT(sky, 8) << "seed " << seed;
    EXPECT_GT(ground, 1.5 * sky) << "seed " << seed;
    const auto pixels = image.as<std::uint8_t>();
    int edges = 0;  // steps over half of a white wall, from one pixel to the one after the next
    for (std::size_t i = 0; i + 2 < pixels.size(); ++i) edges += std::abs(pixels[i] - pixels[i + 2]) > 90;
    EXPECT_GT(edges, 300) << "seed " << seed;
    EXPECT_GT(*std::max_element(pixels.begin(), pixels.end()), 235);
    EXPECT_LT(*std::min_element(pixels.begin(), pixels.end()), 40);
  }
}

}  // namespace
}  // namespace warplab
