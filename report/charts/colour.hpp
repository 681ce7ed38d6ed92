#pragma once

#include <array>
#include <cstddef>

namespace warplab::report {

/// What a chart is drawn in.
enum Colour : unsigned { ink, soft, rule, light_line, bar, peer_bar, ideal_mark, first_series };

/// The style sheet's class for a colour.
constexpr const char* name_of(Colour colour) {
  constexpr std::array<const char*, 15> names{"ink",     "soft",    "rule",    "light",   "bar",
                                              "peer",    "ideal",   "series0", "series1", "series2",
                                              "series3", "series4", "series5", "series6", "series7"};
  return names.at(colour);
}

inline constexpr unsigned series_colours = 8;

/// The colour of the i-th of several things.
constexpr Colour series_colour(std::size_t i) {
  return static_cast<Colour>(first_series + i % series_colours);
}

}  // namespace warplab::report
