#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lens/bounds/bounds.hpp"

namespace warplab::bounds {

/// A rung that was timed on a GPU, with the bound of its time.
struct TimedCase {
  std::string run;     ///< the folder of results/
  std::string name;    ///< lab, rung, size, element type, parameters: the key of counts.json
  std::string ladder;  ///< the same without the rung: cases that can be compared
  double measured_us = 0;
  std::optional<lens::Bounds> bounds;
  std::string why;  ///< why there are none

  double share() const { return bounds->us() / measured_us; }  ///< of the time that the bound is; 1 at best
};

/// All timed rungs of the runs that counts.json was made for. Reads only files of the source tree.
std::vector<TimedCase> timed_cases(const std::filesystem::path& source);

/// How good bounds are.
struct Figures {
  std::size_t cases = 0, left_out = 0;
  std::size_t too_high = 0;             ///< more than `tolerance` above the time
  double highest = 0;                   ///< the largest share
  std::size_t within_two = 0;           ///< at least half of the time
  std::size_t pairs = 0, in_order = 0;  ///< of rungs of a ladder whose times differ by a fifth; right ones
};
inline constexpr double tolerance = 0.03, differing = 1.2;
Figures figures_of(const std::vector<TimedCase>& cases);

/// docs/lens-bounds.md
std::string page(const std::vector<TimedCase>& cases);

}  // namespace warplab::bounds
