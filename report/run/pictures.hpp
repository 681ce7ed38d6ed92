#pragma once

#include <filesystem>
#include <string>

namespace warplab::report {

/// The pictures that a lab's program left in the run's folder, side by side: what went in and what came out,
/// by size; "" where there are none.
std::string pictures_html(const std::filesystem::path& run_folder, const std::string& lab);

}  // namespace warplab::report
