#pragma once

#include <string>
#include <vector>

#include "harness/console/text_table.hpp"
#include "harness/problem/problem.hpp"
#include "harness/results/measurement.hpp"
#include "harness/rung/device_info.hpp"

namespace warplab {

/// The console table of a lab, a row at a time: times with their spread on a GPU, counts on the emulator.
class Table {
 public:
  /// @param widest_rung, widest_size the number of characters that these columns need
  Table(bool emulator, std::size_t widest_rung, std::size_t widest_size);

  std::string header() const;
  /// A row, with the reason below it where the status is not ok, and what the rung printed.
  std::string row(const Measurement& measurement) const;

 private:
  bool emulator_;
  TextTable columns_;
};

/// The table of rungs for `--list`.
std::string list_text(const Problem& problem);

/// A line about where and how the rows below it are taken.
std::string conditions_text(const DeviceInfo& device);

}  // namespace warplab
