#include "common/io/scene.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "common/host/parallel.hpp"
#include "common/host/random.hpp"

// Only +, -, *, / and sqrt: IEEE 754 gives these the same result everywhere, and the build
// switches the fusing of multiplications and additions off for this file. Lengths are in
// heights of the picture; y points down.
namespace warplab {
namespace {

struct Colour {
  float r = 0, g = 0, b = 0;
};
Colour operator+(Colour a, Colour b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
Colour operator*(Colour a, float f) { return {a.r * f, a.g * f, a.b * f}; }
Colour mix(Colour a, Colour b, float t) { return a * (1 - t) + b * t; }

/// The next whole number below; std::floor is a call where the processor may be old.
float whole(float x) {
  const auto cut = static_cast<float>(static_cast<std::int32_t>(x));
  return cut > x ? cut - 1 : cut;
}
float clamp01(float x) { return std::min(1.0f, std::max(0.0f, x)); }
float smooth(float low, float high, float x) {
  const float t = clamp01((x - low) / (high - low));
  return t * t * (3 - 2 * t);
}

/// 32 mixed bits of a lattice point. Source: Chris Wellons, "Prospecting for hash functions" (lowbias32).
std::uint32_t lattice_bits(std::int32_t x, std::int32_t y, std::uint32_t salt) {
  std::uint32_t h =
      static_cast<std::uint32_t>(x) * 0x9E3779B9u + static_cast<std::uint32_t>(y) * 0x85EBCA6Bu + salt;
  h = (h ^ (h >> 16)) * 0x7FEB352Du;
  h = (h ^ (h >> 15)) * 0x846CA68Bu;
  return h ^ (h >> 16);
}
float lattice(std::int32_t x, std::int32_t y, std::uint32_t salt) {
  return static_cast<float>(lattice_bits(x, y, salt) >> 8) * 0x1p-24f;
}

/// Value noise in [0, 1]: random at the points of a lattice, smooth between them.
float noise(float x, float y, std::uint32_t salt) {
  const float fx = whole(x), fy = whole(y);
  const auto ix = static_cast<std::int32_t>(fx), iy = static_cast<std::int32_t>(fy);
  const float tx = x - fx, ty = y - fy;
  const float sx = tx * tx * (3 - 2 * tx), sy = ty * ty * (3 - 2 * ty);
  const float top = lattice(ix, iy, salt) * (1 - sx) + lattice(ix + 1, iy, salt) * sx;
  const float bottom = lattice(ix, iy + 1, salt) * (1 - sx) + lattice(ix + 1, iy + 1, salt) * sx;
  return top * (1 - sy) + bottom * sy;
}

/// Octaves of noise, each half as strong and twice as fine, turned so that their
/// lattices do not line up; [0, 1].
float fractal(float x, float y, int octaves, std::uint32_t salt) {
  float sum = 0, weight = 0.5f, total = 0;
  for (int i = 0; i < octaves; ++i) {
    sum += weight * noise(x, y, salt + static_cast<std::uint32_t>(i) * 0x632BE5ABu);
    total += weight;
    weight *= 0.5f;
    const float turned = 1.6f * x - 1.2f * y;
    y = 1.2f * x + 1.6f * y;
    x = turned;
  }
  return sum / total;
}

/// What is different from seed to seed, and constant in one picture.
struct View {
  std::uint32_t salt;
  float aspect, pixel;         ///< width in heights, and height of a pixel
  float sun_x, sun_y, warmth;  ///< where the sun is, and how red its light is
  float horizon, shore;        ///< the far and the near shore of the lake
  float house_x, house_scale;
  bool mirrored;  ///< the house is on the right, the sun on the left

  View(std::int64_t width, std::int64_t height, std::uint64_t seed) {
    const auto unit = [&](std::uint64_t i) { return static_cast<float>(random_unit(seed, i)); };
    salt = static_cast<std::uint32_t>(random_bits(seed, 0));
    aspect = static_cast<float>(width) / static_cast<float>(height);
    pixel = 1.0f / static_cast<float>(height);
    mirrored = unit(1) < 0.5f;
    sun_x = aspect * (0.66f + 0.16f * unit(2));
    sun_y = 0.20f + 0.10f * unit(3);
    warmth = unit(4);
    horizon = 0.50f + 0.05f * unit(5);
    shore = horizon + 0.17f + 0.03f * unit(6);
    house_x = aspect * (0.22f + 0.08f * unit(7));
    house_scale = (0.92f + 0.16f * unit(8)) * std::min(1.0f, aspect / 1.2f);
  }
  /// How much of a pixel lies inside a shape whose edge is `distance` away (negative inside).
  float cover(float distance) const { return clamp01(0.5f - distance / pixel); }
};

constexpr int mountain_ranges = 3;

/// Heights of the ridges in each column: what depends only on x is computed once.
struct Ridges {
  std::vector<float> range[mountain_ranges], forest, shore, meadow;

  Ridges(const View& view, std::int64_t width) {
    for (auto& r : range) r.resize(static_cast<std::size_t>(width));
    forest.resize(static_cast<std::size_t>(width));
    shore = meadow = forest;
    for (std::int64_t i = 0; i < width; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const float x = (static_cast<float>(i) + 0.5f) * view.pixel;
      constexpr float lift[] = {0.215f, 0.130f, 0.060f}, swing[] = {0.30f, 0.20f, 0.11f},
                      rate[] = {1.5f, 2.1f, 2.6f};
      for (int r = 0; r < mountain_ranges; ++r) {
        const std::uint32_t salt = view.salt + 101u * static_cast<std::uint32_t>(r + 1);
        // Folding the noise at its middle makes peaks out of hills.
        const float folded = 1 - std::fabs(2 * fractal(x * rate[r], 7.3f, 2, salt) - 1);
        const float rough = fractal(x * rate[r] * 5, 3.1f, 7, salt + 50) - 0.5f;
        range[r][at] = view.horizon - lift[r] - swing[r] * (0.75f * (folded - 0.62f) + 0.22f * rough);
      }
      // Firs: pointed crowns of different heights, side by side.
      float crown = 0;
      for (int row = 0; row < 3; ++row) {
        const float width_of_fir = 0.011f + 0.003f * static_cast<float>(row);
        const float along = x / width_of_fir + 0.37f * static_cast<float>(row);
        const float fir = whole(along), within = std::fabs(2 * (along - fir) - 1);
        const float tall = lattice(static_cast<std::int32_t>(fir), row, view.salt + 11);
        crown = std::max(crown, (0.012f + 0.030f * tall) * (1 - within));
      }
      const float bank = fractal(x * 2.2f, 1.7f, 4, view.salt + 21);
      forest[at] = view.horizon - 0.004f - 0.045f * clamp01(2.2f * bank - 0.75f) - crown;
      shore[at] = view.shore + 0.035f * (fractal(x * 1.9f, 4.4f, 6, view.salt + 31) - 0.5f);
      meadow[at] = 0.004f * noise(x * 160, 0, view.salt + 41) + 0.008f * noise(x * 57, 0, view.salt + 42);
    }
  }
};

class Painter {
 public:
  Painter(std::int64_t width, std::int64_t height, std::uint64_t seed)
      : width_(width), view_(width, height, seed), ridges_(view_, width) {
    light_ = mix({1.00f, 0.86f, 0.66f}, {1.00f, 0.74f, 0.52f}, view_.warmth);
  }

  /// The colour of a pixel in linear light, grain and vignette included.
  Colour at(std::int64_t i, std::int64_t j) const {
    const std::int64_t column = view_.mirrored ? width_ - 1 - i : i;
    const float x = (static_cast<float>(column) + 0.5f) * view_.pixel;
    const float y = (static_cast<float>(j) + 0.5f) * view_.pixel;
    const auto at = static_cast<std::size_t>(column);
    const float near = ridges_.shore[at] - ridges_.meadow[at];
    Colour colour;
    if (y < view_.horizon)
      colour = beyond_the_lake(x, y, at);
    else if (y < near)
      colour = lake(x, y, at);
    else
      colour = meadow(x, y, near);
    if (y > view_.shore - 0.42f && x < view_.house_x + 0.45f) colour = house(colour, x, y);
    if (y > view_.shore) colour = fence(colour, x, y);
    return colour;
  }

  /// 0 in the middle, 1 in the corners.
  float off_centre(std::int64_t i, std::int64_t j) const {
    const float dx = (static_cast<float>(i) + 0.5f) * view_.pixel / view_.aspect - 0.5f;
    const float dy = (static_cast<float>(j) + 0.5f) * view_.pixel - 0.5f;
    return 2 * (dx * dx + dy * dy);
  }
  /// Film grain in levels: nearly normal, two pixels of the same roll never alike.
  float grain(std::int64_t i, std::int64_t j) const {
    const std::uint32_t h =
        lattice_bits(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), view_.salt + 5);
    const auto byte = [&](int k) { return static_cast<float>(h >> (8 * k) & 0xFF); };
    return (byte(0) + byte(1) + byte(2) + byte(3) - 510) * (2.6f / 148);
  }

 private:
  Colour sky(float x, float y) const {
    const float up = clamp01(1 - y / view_.horizon);  // 1 at the top
    Colour c = mix({0.86f, 0.62f, 0.44f}, {0.44f, 0.56f, 0.72f}, smooth(0.02f, 0.42f, up));
    c = mix(c, {0.10f, 0.22f, 0.46f}, smooth(0.25f, 1.1f, up));
    const float dx = x - view_.sun_x, dy = y - view_.sun_y, away = dx * dx + dy * dy;
    c = c + light_ * (0.010f / (away + 0.012f) * 0.55f);
    const float billow = fractal(x * 2.3f, y * 6.5f, 5, view_.salt + 61);
    const float wisp = fractal(x * 1.1f + 9, y * 11 + 3, 3, view_.salt + 62);
    const float cloud = smooth(0.50f, 0.74f, billow * 0.72f + wisp * 0.28f) * smooth(0.0f, 0.25f, up + 0.04f);
    // Clouds are bright towards the sun and grey below.
    const float lit = 0.52f + 0.06f / (away + 0.12f) + 0.5f * (billow - 0.62f);
    c = mix(c, mix({0.50f, 0.50f, 0.58f}, light_, clamp01(lit)) * (0.55f + 0.45f * lit), 0.85f * cloud);
    const float disc = std::sqrt(away) - 0.030f;
    return mix(c, {1.9f, 1.7f, 1.35f}, view_.cover(disc) * (1 - 0.75f * cloud));
  }

  Colour beyond_the_lake(float x, float y, std::size_t column) const {
    const Colour haze = mix({0.66f, 0.60f, 0.58f}, light_ * 0.8f, 0.35f);
    if (y > ridges_.forest[column]) {  // firs: dark, lit at their tips
      const float leaf = fractal(x * 150, y * 90, 3, view_.salt + 71);
      const float tip = smooth(0.05f, 0.0f, y - ridges_.forest[column]);
      const Colour fir = mix({0.030f, 0.050f, 0.036f}, {0.14f, 0.15f, 0.07f}, leaf * (0.35f + 0.65f * tip));
      return mix(fir, haze, 0.10f + 0.25f * smooth(view_.horizon - 0.03f, view_.horizon, y));
    }
    Colour sum;
    float open = 1;  // how much of the pixel shows what is behind
    for (int r = mountain_ranges; r-- > 0;) {
      const float depth = y - ridges_.range[r][column], share = view_.cover(-depth);
      if (share <= 0) continue;
      sum = sum + mix(mountains(r, x, y, depth), haze, haziness(r, y)) * (open * share);
      open *= 1 - share;
      if (open <= 0) return sum;
    }
    return sum + sky(x, y) * open;
  }

  float haziness(int r, float y) const {
    constexpr float far[] = {0.24f, 0.24f, 0.14f};
    return clamp01(far[r] + 0.45f * smooth(view_.horizon - 0.10f, view_.horizon, y));
  }

  Colour mountains(int r, float x, float y, float depth) const {
    const std::uint32_t salt = view_.salt + 80 + 10 * static_cast<std::uint32_t>(r);
    const float scale = 9 + 5 * static_cast<float>(r);
    // Light from the sun's side: the slope of the relief, as the difference of two samples across it.
    const float here = fractal(x * scale, y * scale, 6, salt);
    const float there = fractal((x + 0.010f) * scale, (y - 0.008f) * scale, 6, salt);
    const float slope = clamp01(0.45f + 6.0f * (here - there));
    const Colour rock = mix({0.055f, 0.065f, 0.095f}, {0.50f, 0.39f, 0.29f}, slope);
    if (r == 0) {
      const Colour snow = mix({0.30f, 0.37f, 0.54f}, {1.05f, 0.95f, 0.84f}, slope);
      return mix(rock, snow, smooth(-0.012f, 0.02f, 0.30f * here - 0.05f - depth));
    }
    const Colour wooded = Colour{0.05f, 0.09f, 0.06f} + rock * 0.35f;
    return mix(rock, wooded, smooth(0.35f, 0.65f, here + 2.2f * depth));
  }

  Colour lake(float x, float y, std::size_t column) const {
    const float depth = y - view_.horizon;  // farther waves look finer
    const float scale = 1 / (depth + 0.012f);
    const float ripple =
        noise(x * 9 * std::min(scale, 30.0f) * 0.35f, 9 * scale * 0.55f, view_.salt + 91) - 0.5f;
    const float wave = noise(x * 55, y * 330, view_.salt + 92) - 0.5f;
    const float away =
        view_.horizon - 1.25f * depth + (0.020f + 0.30f * depth) * (0.55f * ripple + 0.45f * wave) * 0.5f;
    // The image of the other shore, upside down.
    const float shift = (ripple + wave) * 0.10f * depth / view_.pixel;
    const auto from = static_cast<std::size_t>(std::clamp<std::int64_t>(
        static_cast<std::int64_t>(column) + static_cast<std::int64_t>(shift), 0, width_ - 1));
    const Colour image = beyond_the_lake((static_cast<float>(from) + 0.5f) * view_.pixel,
                                         std::min(view_.horizon - 0.001f, std::max(0.0f, away)), from);
    Colour c = mix(image * 0.80f, {0.05f, 0.11f, 0.15f}, 0.22f + 0.9f * depth);
    const float path = (x - view_.sun_x) / (0.03f + 0.22f * depth);  // the sun's glitter
    c = c + light_ * (0.95f * smooth(0.08f, 0.42f, ripple * 0.5f + wave) / (1 + 4 * path * path));
    return mix(c, {0.70f, 0.66f, 0.60f}, 0.5f * smooth(0.008f, 0.0f, depth));
  }

  /// How much of the light is left on the ground: trees and the house cast long shadows, away from the sun.
  float ground_light(float x, float y) const {
    const float s = view_.house_scale, ground = view_.shore + 0.075f;
    const float along = (y - ground) / (0.26f * s);
    const float middle = view_.house_x - 0.16f * s * along;
    const float half = (0.155f - 0.02f * along) * s, soft = 0.006f + 0.05f * clamp01(along);
    const float house = smooth(half + soft, half - soft, std::fabs(x - middle)) *
                        smooth(-0.02f, 0.005f, y - ground) * smooth(1.15f, 0.6f, along);
    const float clouds = fractal(x * 1.4f, y * 4.5f, 3, view_.salt + 102);
    return (1 - 0.62f * house) * (0.62f + 0.50f * smooth(0.30f, 0.62f, clouds));
  }

  Colour meadow(float x, float y, float edge) const {
    const float depth = y - edge, near = clamp01((y - view_.shore) / (1 - view_.shore));
    // Perspective: the texture grows towards the viewer.
    const float fine = 240 / (0.35f + 2.4f * near);
    const float blades = fractal((x + 0.02f * noise(x * 30, y * 30, view_.salt + 110)) * fine * 1.7f,
                                 y * fine * 0.5f, 3, view_.salt + 111);
    const float patches = fractal(x * 4.2f, y * 9, 4, view_.salt + 112);
    Colour c = mix({0.055f, 0.095f, 0.025f}, {0.30f, 0.33f, 0.085f}, clamp01(1.7f * blades - 0.35f));
    c = mix(c, Colour{0.42f, 0.34f, 0.14f} * (0.45f + 0.9f * blades), 0.75f * smooth(0.46f, 0.66f, patches));
    // Flowers: a dot in some cells of a lattice.
    const float cells = 75 / (0.45f + 1.3f * near);
    const float fx = whole(x * cells), fy = whole(y * cells * 1.6f);
    const auto cx = static_cast<std::int32_t>(fx), cy = static_cast<std::int32_t>(fy);
    if (lattice(cx, cy, view_.salt + 121) < 0.16f * smooth(0.42f, 0.60f, 1 - patches) + 0.02f) {
      const float dx = x * cells - fx - 0.3f - 0.4f * lattice(cx, cy, view_.salt + 122);
      const float dy = y * cells * 1.6f - fy - 0.3f - 0.4f * lattice(cx, cy, view_.salt + 123);
      const float hue = lattice(cx, cy, view_.salt + 124);
      const Colour flower = hue < 0.4f   ? Colour{0.92f, 0.88f, 0.80f}
                            : hue < 0.7f ? Colour{0.95f, 0.68f, 0.10f}
                                         : Colour{0.72f, 0.16f, 0.13f};
      c = mix(c, flower, 0.9f * smooth(0.20f, 0.12f, std::sqrt(dx * dx + dy * dy)));
    }
    // A path of gravel from the door to the viewer.
    const float bend =
        view_.house_x + 0.085f * view_.house_scale + (0.16f + 0.34f * near) * near + 0.010f * (blades - 0.5f);
    const float beside = std::fabs(x - bend) - (0.016f + 0.055f * near);
    const Colour gravel =
        Colour{0.50f, 0.43f, 0.34f} * (0.62f + 0.55f * fractal(x * fine, y * fine, 3, view_.salt + 131));
    c = mix(c, gravel, smooth(0.012f, -0.004f, beside) * smooth(0.070f, 0.085f, y - view_.shore));
    const float bank = smooth(0.014f, 0.002f, depth);  // wet stones at the water
    c = mix(c, Colour{0.20f, 0.18f, 0.16f} * (0.5f + noise(x * 220, y * 320, view_.salt + 132)),
            0.85f * bank);
    return Colour{c.r * light_.r, c.g * light_.g, c.b * light_.b} * (1.18f * ground_light(x, y));
  }

  /// A place of the house's front, in its own units. v points up.
  struct Front {
    const View& view;
    float s, u, v;
    float box(float left, float right, float low, float high) const {
      return view.cover(std::max(std::max(left - u, u - right), std::max(low - v, v - high)) * s);
    }
  };

  Colour house(Colour behind, float x, float y) const {
    const float s = view_.house_scale, ground = view_.shore + 0.075f;
    const Front at{view_, s, (x - view_.house_x) / s, (ground - y) / s};
    if (at.u < -0.26f || at.u > 0.26f || at.v < -0.02f || at.v > 0.38f) return behind;
    Colour c = behind;
    // Soft shade where the wall meets the grass.
    c = c * (1 - 0.55f * smooth(0.024f, 0.0f, std::max(std::fabs(at.u) - 0.17f, std::fabs(at.v))));
    c = roof(door(windows(wall(chimney(c, at), at), at), at), at);
    return mix(c, {0.20f, 0.13f, 0.09f}, at.box(-0.229f, 0.229f, 0.184f, 0.192f));  // the gutter
  }

  /// Behind the roof.
  Colour chimney(Colour c, const Front& at) const {
    const float brick_row = whole(at.v * 130),
                brick = lattice(static_cast<std::int32_t>(
                                    whole(at.u * 65 + 0.5f * (brick_row - 2 * whole(brick_row / 2)))),
                                static_cast<std::int32_t>(brick_row), view_.salt + 141);
    c = mix(c, Colour{0.36f, 0.15f, 0.10f} * (0.7f + 0.5f * brick) * (at.u > 0.090f ? 1.25f : 0.7f),
            at.box(0.065f, 0.110f, 0.20f, 0.360f));
    c = mix(c, {0.30f, 0.28f, 0.26f}, at.box(0.060f, 0.115f, 0.350f, 0.360f));
    return c;
  }

  /// Plastered, with boards at its corners.
  Colour wall(Colour c, const Front& at) const {
    const float plaster = fractal(at.u * 60, at.v * 60, 4, view_.salt + 142);
    const Colour plastered =
        Colour{0.74f, 0.64f, 0.50f} * (0.78f + 0.30f * plaster) * (0.86f + 0.5f * (at.u + 0.17f)) *
        (0.55f + 0.45f * smooth(0.205f, 0.165f, at.v - 0.04f * at.u));  // the eaves' soft shadow
    c = mix(c, plastered, at.box(-0.17f, 0.17f, 0.0f, 0.20f));
    c = mix(c, Colour{0.24f, 0.21f, 0.19f} * (0.7f + 0.6f * noise(at.u * 70, at.v * 70, view_.salt + 143)),
            at.box(-0.173f, 0.173f, 0.0f, 0.022f));
    for (float corner : {-0.166f, 0.158f})
      c = mix(c, {0.20f, 0.13f, 0.08f}, at.box(corner, corner + 0.008f, 0.022f, 0.20f));
    return c;
  }

  /// Two, with panes, one of them lit from inside.
  Colour windows(Colour c, const Front& at) const {
    for (float left : {-0.130f, -0.030f}) {
      c = mix(c, {0.80f, 0.78f, 0.72f}, at.box(left - 0.007f, left + 0.067f, 0.072f, 0.157f));
      const bool lit = left < -0.1f;
      const float shine = clamp01((at.u - left) * 9 + (at.v - 0.08f) * 6);
      const Colour glass = lit ? mix({1.0f, 0.62f, 0.22f}, {0.85f, 0.42f, 0.12f}, shine)
                               : mix({0.05f, 0.07f, 0.10f}, {0.34f, 0.40f, 0.48f}, shine * shine);
      c = mix(c, glass, at.box(left, left + 0.060f, 0.079f, 0.150f));
      c = mix(c, {0.80f, 0.78f, 0.72f}, at.box(left + 0.028f, left + 0.032f, 0.079f, 0.150f));
      c = mix(c, {0.80f, 0.78f, 0.72f}, at.box(left, left + 0.060f, 0.118f, 0.122f));
      c = mix(c, {0.62f, 0.58f, 0.52f}, at.box(left - 0.011f, left + 0.071f, 0.066f, 0.072f));
    }
    return c;
  }

  Colour door(Colour c, const Front& at) const {
    c = mix(c, {0.70f, 0.68f, 0.62f}, at.box(0.058f, 0.120f, 0.0f, 0.148f));
    const float plank = (at.u - 0.064f) / 0.0125f, groove = std::fabs(plank - whole(plank) - 0.5f);
    c = mix(c,
            Colour{0.10f, 0.24f, 0.22f} *
                (groove > 0.44f ? 0.5f : 0.9f + 0.3f * noise(at.u * 300, at.v * 25, view_.salt + 144)),
            at.box(0.064f, 0.114f, 0.0f, 0.142f));
    c = mix(c, {0.75f, 0.62f, 0.25f},
            view_.cover(
                (std::sqrt((at.u - 0.107f) * (at.u - 0.107f) + (at.v - 0.065f) * (at.v - 0.065f)) - 0.0035f) *
                at.s));
    return c;
  }

  /// Tiles in rows, between two slanted sides.
  Colour roof(Colour c, const Front& at) const {
    const float slant = 0.225f - 0.50f * (at.v - 0.19f),
                distance = std::max(std::fabs(at.u) - slant, std::max(0.19f - at.v, at.v - 0.315f));
    const float row = whole(at.v * 95), part = at.v * 95 - row;
    const float tile_x = at.u * 62 + 0.5f * (row - 2 * whole(row / 2));
    const float tile =
        lattice(static_cast<std::int32_t>(whole(tile_x)), static_cast<std::int32_t>(row), view_.salt + 145);
    const float gap = std::fabs(tile_x - whole(tile_x) - 0.5f) > 0.46f ? 0.72f : 1.0f;
    c = mix(c,
            Colour{0.48f, 0.185f, 0.10f} * (0.62f + 0.42f * tile) * (0.62f + 0.5f * part) * gap *
                (0.85f + 0.9f * (at.u + 0.2f)),
            view_.cover(distance * at.s));
    return c;
  }

  /// Posts and two rails in the foreground, with a gate's width left for the path.
  Colour fence(Colour behind, float x, float y) const {
    const float spacing = 0.150f, top = 0.735f + 0.030f * x / view_.aspect, foot = top + 0.150f;
    const float start = view_.house_x + 0.50f;
    if (x < start - 0.04f) return behind;
    Colour c = behind;
    const float along = (x - start) / spacing, number = std::max(0.0f, whole(along + 0.5f));
    const auto post = static_cast<std::int32_t>(number);
    const float lean = 0.03f * (lattice(post, 1, view_.salt + 151) - 0.5f);
    const float from_post = x - start - number * spacing - lean * (foot - y);
    // Shadows fall towards the viewer, softer the farther they fall.
    const float fall = (y - foot) / 0.09f, slanted = x - start - number * spacing + 0.05f * fall;
    if (fall > 0 && fall < 1)
      c = c * (1 - 0.5f * smooth(0.014f + 0.010f * fall, 0.006f - 0.005f * fall, std::fabs(slanted)) *
                       (1 - 0.6f * fall));
    const Colour wood =
        Colour{0.40f, 0.31f, 0.22f} * (0.55f + 0.75f * fractal(x * 60, y * 420, 3, view_.salt + 152));
    for (float rail : {0.030f, 0.085f}) {
      const float sag =
          0.004f * (lattice(static_cast<std::int32_t>(whole(along)), 2, view_.salt + 153) - 0.5f);
      const float off = y - (top + rail + sag);
      if (x >= start)
        c = mix(c, wood * (off < -0.004f ? 1.5f : 0.85f), view_.cover(std::fabs(off) - 0.0085f));
    }
    const float tall = top - 0.012f * lattice(post, 3, view_.salt + 154);
    const float outside =
        std::max(std::fabs(from_post) - 0.012f, std::max(tall - y + std::fabs(from_post) * 0.5f, y - foot));
    const Colour grain =
        Colour{0.46f, 0.36f, 0.26f} * (0.50f + 0.80f * fractal(x * 420, y * 50, 3, view_.salt + 155));
    return mix(c, grain * (1.05f + 32 * from_post), view_.cover(outside));
  }

  std::int64_t width_;
  View view_;
  Ridges ridges_;
  Colour light_;
};

/// Linear light to a film's levels: bright parts roll off, then gamma 2. In [0, 255].
float develop(float light) {
  const float exposed = std::max(0.0f, light) * 1.12f;
  return 255 * std::sqrt(exposed * (1 + exposed * 0.16f) / (1 + 0.28f * exposed + exposed * exposed * 0.05f));
}

std::uint8_t level(float value) {
  return static_cast<std::uint8_t>(std::min(255.0f, std::max(0.0f, value + 0.5f)));
}

}  // namespace

HostArray photograph_like_scene(std::int64_t width, std::int64_t height, int channels, std::uint64_t seed) {
  constexpr std::int64_t largest = 1 << 20;
  if (width < 0 || height < 0 || width > largest || height > largest)
    throw std::invalid_argument("a scene has 0 to 1048576 pixels per side");
  if (channels < 1 || channels > 4) throw std::invalid_argument("a scene has 1 to 4 channels");
  HostArray image(DType::u8, {height, width, channels});
  if (image.count() == 0) return image;
  const Painter painter(width, height, seed);
  std::uint8_t* const pixels = image.as<std::uint8_t>().data();
  parallel_ranges(width * height, [&](std::int64_t begin, std::int64_t end, unsigned) {
    for (std::int64_t p = begin; p < end; ++p) {
      const std::int64_t i = p % width, j = p / width;
      const float corner = painter.off_centre(i, j), grain = painter.grain(i, j);
      const Colour light = painter.at(i, j) * (1 - 0.42f * corner * corner);
      const float r = develop(light.r) + grain, g = develop(light.g) + grain, b = develop(light.b) + grain;
      std::uint8_t* const to = pixels + p * channels;
      if (channels >= 3) {
        to[0] = level(r);
        to[1] = level(g);
        to[2] = level(b);
      } else {
        to[0] = level(0.299f * r + 0.587f * g + 0.114f * b);
      }
      if (channels % 2 == 0) to[channels - 1] = level(255 * (1 - 0.85f * smooth(0.12f, 0.95f, corner)));
    }
  });
  return image;
}

}  // namespace warplab
