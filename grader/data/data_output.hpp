#pragma once

#include <string>
#include <vector>

#include "grader/data/measured_table.hpp"

namespace warplab {

/// For a terminal: a line per measurement, with the times' spread. @param most lines; the rest is counted
std::string data_table(const std::vector<MeasuredRow>& rows, std::size_t most);

/// A page with a bar per measurement and the table below it. Bars show GB/s; where those are not measured,
/// GFLOP/s; otherwise times. @param title "transpose on NVIDIA H200"
std::string data_page(const std::vector<MeasuredRow>& rows, const std::string& title);

/// How many bars a chart can have.
constexpr std::size_t max_bars = 60;

}  // namespace warplab
