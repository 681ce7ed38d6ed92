#pragma once

#include <cstdint>
#include <optional>

#include "lens/report.hpp"

namespace warplab::lens {

/// How the lanes of one request lie on memory.
struct AccessPattern {
  unsigned lanes = 0;
  unsigned addresses = 0;  ///< distinct ones
  /// Bytes from each lane's address to its neighbour's, where that is the same for all
  /// (and two lanes or more took part).
  std::optional<std::int64_t> stride;
  /// Where the lanes form runs of the same length, each without gaps but not the
  /// whole: how many lanes a run has.
  std::optional<unsigned> run;
  unsigned past_sector = 0;  ///< bytes from the start of a 32-byte sector to the lowest address
};

AccessPattern pattern_of(const RequestSample& sample);

}  // namespace warplab::lens
