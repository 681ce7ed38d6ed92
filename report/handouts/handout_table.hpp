#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/results/run_file.hpp"

namespace warplab::report {

/// Parts between separators, without spaces around them.
std::vector<std::string> split(std::string_view text, char separator);

/// The cells of a table's row in Markdown: "| a | b |" as a, b.
std::vector<std::string> cells_of(const std::string& line);

/// The rung that a cell names: "`tiled`" as tiled.
std::string rung_in(const std::string& cell);

/// "64x32 int": the input of a row, but for its parameters.
std::string size_and_type(const Row& row);

/// Whether a row has the parameter of "side 3" with that value.
bool meets(const Row& row, const std::string& condition);

}  // namespace warplab::report
