#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/chart.hpp"

namespace warplab::report {

/// The gnuplot program on the PATH, if there is one.
std::optional<std::filesystem::path> find_gnuplot();

/// Draws all charts in one go of gnuplot. @return a drawing for each script, "" where gnuplot made none
std::vector<std::string> draw(const std::filesystem::path& gnuplot, const std::vector<ChartScript>& scripts);

}  // namespace warplab::report
