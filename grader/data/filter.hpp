#pragma once

#include <string>
#include <vector>

#include "grader/data/measured_table.hpp"

namespace warplab {

/// Which measurements are asked for. What is empty takes all.
struct DataFilter {
  std::vector<std::string> rungs, sizes, dtypes;
  std::string device;              ///< a part of its name, in any case: "h200"
  std::vector<std::string> where;  ///< "block=256": a parameter and its value
  std::string sort;                ///< "time", "rate" or "fraction", the best first; "": as they ran
};

/// @throws BadInput naming what was asked for and what there is, if a value occurs in no row at all
std::vector<MeasuredRow> filtered(std::vector<MeasuredRow> rows, const DataFilter& filter);

}  // namespace warplab
