#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

/// A row of the table: what was counted of one kind of access.
struct Row {
  std::string label, text, requests;
  bool far = false;  ///< from its ideal
};

/// The rows of a source line, as averages over its requests; kinds that did not occur have none.
std::vector<Row> rows_of_line(const Counts& counts, const Launch& launch);

/// The rows of a whole launch, as sums.
std::vector<Row> rows_of_launch(const Launch& launch);

/// Bytes that loads, stores and atomics moved between global memory and the multiprocessor, in whole sectors.
std::uint64_t bytes_moved(const Counts& counts);

/// Whether a count, "branches" or "shared_load.ideal_wavefronts", was taken.
bool measured(const Launch& launch, const std::string& name);

/// "1,048,576"
std::string grouped(std::uint64_t value);

}  // namespace warplab::lens
