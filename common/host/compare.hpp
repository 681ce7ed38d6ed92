#pragma once

#include <cstdint>
#include <string>

#include "common/host/host_array.hpp"

namespace warplab {

/// Acceptance bound: an element x passes if it is finite and |x - expected| <= atol + rtol * |expected|; or,
/// for what only moves elements, if its bits are those of the expected one, NaN or not.
struct Tolerance {
  double atol = 0;
  double rtol = 0;
  bool bits = false;
};

/// How an output compares with its expected values.
struct Comparison {
  bool accepted = false;
  std::int64_t count = 0;       ///< elements compared
  std::int64_t mismatches = 0;  ///< elements not accepted
  double max_abs_error = 0;     ///< over finite elements
  double max_rel_error = 0;     ///< over finite elements with expected != 0
  double mean_abs_error = 0;    ///< over finite elements
  double mean_error = 0;        ///< likewise, signed: below 0 where what was computed is too small on average
  Tolerance tolerance = {};     ///< the bound that was applied
  std::string report;           ///< empty if accepted; else the count, the worst element and the first five
};

/// Compares element by element. Accepts only what is finite and within the bound, so NaN fails; integers are
/// compared exactly unless the bound allows more. Elements are named by their index in the array's shape.
/// @throws std::invalid_argument if type or shape differ.
Comparison compare(const HostArray& actual, const HostArray& expected, Tolerance tolerance);

}  // namespace warplab
