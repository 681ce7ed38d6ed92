#pragma once

#include <string>
#include <vector>

#include "report/published.hpp"

namespace warplab::report {

/// What a profiler saw, published and here: a line per figure, two columns per row of the table. Ours come
/// from the lens, where the run had Nsight Compute count. "" for a table without such figures.
std::string metrics_html(const PublishedTable& table, const std::vector<const Row*>& rows);

}  // namespace warplab::report
