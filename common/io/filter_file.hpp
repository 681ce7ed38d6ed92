#pragma once

#include <string>
#include <vector>

namespace warplab {

/// The coefficients of a square filter, row by row.
struct FilterFile {
  int side = 0;
  std::vector<double> coefficients;
};

/// What a lab takes.
struct FilterLimits {
  int side;
  long coefficient;      ///< at most, and at least its negative
  const char* accepted;  ///< what --filter takes: "mean, sharpen and a file of numbers"
};

/// Reads a filter: one row per line, numbers separated by blanks or commas, lines without numbers skipped.
/// @throws BadInput naming the file, unless it holds as many rows as columns, an
/// odd number, within the limits
FilterFile read_filter(const std::string& path, const FilterLimits& limits);

/// What people read where a filter came from a file: its name without folder and ending,
/// in letters, digits and hyphens.
std::string filter_label(const std::string& path);

}  // namespace warplab
