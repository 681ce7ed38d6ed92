#pragma once

#include <array>

namespace warplab::report {

/// What pages of runs add to the style of every page.
const char* style_sheet();

/// What a chart is drawn in: the names of the style sheet's colours. gnuplot gets a number for each, and the
/// drawing the name.
inline constexpr std::array<const char*, 16> colour_names{
    "--ink",     "--soft",    "--line",    "--light",   "--bar",     "--peer",    "--ideal",   "--box",
    "--series0", "--series1", "--series2", "--series3", "--series4", "--series5", "--series6", "--series7"};

enum Colour : unsigned { ink, soft, rule, light_line, bar, peer_bar, ideal_mark, box, first_series };

inline constexpr unsigned series_colours = 8;

/// The colour of the i-th of several things.
constexpr unsigned series_colour(std::size_t i) {
  return first_series + static_cast<unsigned>(i % series_colours);
}

}  // namespace warplab::report
