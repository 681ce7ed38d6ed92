#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "gaussian_limits.hpp"
#include "harness/problem/image_problem.hpp"
#include "problem/filter_set.hpp"
#include "reference/gaussian.hpp"

// What a case of lab 12 says: sizes "width" and "height", parameters "channels", "side", "filters", "kind"
// and "pattern", and where filters differ "side 1", "sigma 1" and so on.

namespace warplab {

// What a case's filters are. Mixed ones are half a Gaussian of one shape and half one of another: sums of two
// products, so that no two passes make them, though the oracle needs but four.
inline constexpr const char* kind_names[] = {"gaussian", "mixed", "random", "file"};
enum class FilterKind { gaussian, mixed, random, file };
inline constexpr const char* pattern_names[] = {"scene", "noise", "white", "checkerboard", "point"};
enum class Pattern { scene, noise, white, checkerboard, point };

/// A case without a rung's parameters.
inline Case gaussian_case(std::int64_t width, std::int64_t height, int channels, int side, int filters = 1,
                          FilterKind kind = FilterKind::gaussian, Pattern pattern = Pattern::scene) {
  Case c;
  c.size = {{"width", width}, {"height", height}};
  c.dtype = DType::u8;
  c.set_param("channels", channels);
  c.set_param("side", side);
  c.set_param("filters", filters);
  c.set_param("kind", static_cast<int>(kind), kind_names[static_cast<int>(kind)]);
  if (pattern != Pattern::scene)
    c.set_param("pattern", static_cast<int>(pattern), pattern_names[static_cast<int>(pattern)]);
  return c;
}

/// A case's numbers, checked.
struct GaussianShape {
  std::int64_t width, height;
  int channels, side, filters;
  FilterKind kind;
  Pattern pattern;

  explicit GaussianShape(const Case& c)
      : width(whole_parameter("width", static_cast<double>(c.extent("width")), 0, 1 << 20)),
        height(whole_parameter("height", static_cast<double>(c.extent("height")), 0, 1 << 20)),
        channels(whole_parameter("channels", c.param("channels", 1), 1, max_image_channels)),
        side(whole_parameter("filter size", c.param("side", 1), 1, max_filter_side)),
        filters(whole_parameter("filters", c.param("filters", 1), 1, max_filters)),
        kind(static_cast<FilterKind>(whole_parameter("kind", c.param("kind", 0), 0, 3))),
        pattern(static_cast<Pattern>(whole_parameter("pattern", c.param("pattern", 0), 0, 4))) {
    if (side % 2 == 0) throw std::invalid_argument("a filter's size must be odd: it has a centre");
    if (c.dtype != DType::u8) throw std::invalid_argument("images are of uint8");
  }
  std::int64_t pixels() const { return width * height; }
  std::vector<std::int64_t> extents() const { return {height, width, channels}; }
  reference::FiltersShape of_reference() const { return {width, height, channels, filters, side}; }
};

/// The size and sigma of filter `i`: its own where they were given, else the
/// bank's size, and sigmas that fall.
inline int side_of(const Case& c, int i) {
  return static_cast<int>(c.param("side " + std::to_string(i + 1), c.param("side", 1)));
}
inline double sigma_of(const Case& c, int i) {
  const double given = c.param("sigma " + std::to_string(i + 1), c.param("sigma", 0));
  const double sigma = given != 0 ? given : usual_sigma(side_of(c, i)) / (1 + 0.1 * i);
  if (!(sigma > 0) || !std::isfinite(sigma))
    throw std::invalid_argument("sigma must be a finite number above 0");
  return sigma;
}

}  // namespace warplab
