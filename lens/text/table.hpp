#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lens/bounds/device_rates.hpp"
#include "lens/report.hpp"

namespace warplab::lens {

/// How the table is printed.
struct TableOptions {
  bool colour = false;      ///< with the escape sequences of a terminal
  std::size_t width = 110;  ///< characters; only a long word stands out
  /// What the whole call must move between the device's memory and its multiprocessors, at least.
  std::optional<std::uint64_t> bytes_that_must_move;
  /// The GPU that times are bounded for; null: for none.
  const DeviceRates* rates = nullptr;
  std::size_t max_launches = 8;   ///< tables; launches alike are one
  std::size_t max_findings = 20;  ///< of each launch
};

/// The launches of a call for a person to read: for each its lines in source order with their counts and,
/// where a line is far from its ideal, a sentence of advice; its totals; its findings. Launches with the same
/// kernel and shape are added up. Source lines are read from their files, where these are there.
std::string table(const std::vector<Launch>& launches, const TableOptions& options = {});

}  // namespace warplab::lens
