#pragma once

#include <string>
#include <vector>

#include "report/published/published.hpp"

namespace warplab::report {

/// What a profiler saw, published and here: a line per figure, two columns per row of the table. Ours come
/// from the lens, where the run had Nsight Compute count; the size of the input is named where it is not the
/// published one. "" for a table without such figures.
std::string metrics_html(const PublishedTable& table, const std::vector<const Row*>& rows);

}  // namespace warplab::report
