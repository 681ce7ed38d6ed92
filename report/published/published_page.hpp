#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/results/run_file.hpp"

namespace warplab::report {

/// The page of all published tables that the runs replayed, beside what they measured.
/// @param labs the folder of labs, each with its published.json
/// @throws BadInput if no run replayed any, or a published.json is broken
std::string published_page(const std::vector<Run>& runs, const std::filesystem::path& labs);

}  // namespace warplab::report
