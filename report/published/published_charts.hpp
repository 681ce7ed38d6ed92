#pragma once

#include <string>
#include <vector>

#include "report/charts/chart.hpp"
#include "report/published/published.hpp"

namespace warplab::report {

/// The document's charts, drawn from what was measured, and from what was published where it has numbers. A
/// chart of which the runs have nothing is left out.
std::string published_charts(const PublishedTable& table, const std::vector<Run>& runs,
                             const std::string& lab);

}  // namespace warplab::report
