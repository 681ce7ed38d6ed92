#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/problem/problem.hpp"

// The rows of published tables, which labs/NN_LAB/published.json holds: see docs/published.md.

namespace warplab {

/// The units that a figure's name may end with: "v100_gpu_ms" is in milliseconds.
/// @return whether `name` ends with one
bool names_a_figure(std::string_view name);

/// labs/NN_LAB/published.json in this source tree; "" where the lab has none.
std::filesystem::path published_file(const std::string& lab);

/// The content of a published.json. @throws BadInput naming the file, and the line where it is not JSON or
/// the table that has an unknown key
nlohmann::ordered_json read_published_file(const std::filesystem::path& file);

/// The rows of a published.json as experiments. A field of a row is a flag of the lab's program, or a figure:
/// so whoever adds a row writes what a user would type. Sizes and notes of the emulator are left out on a
/// GPU, and the other way round. @throws BadInput naming the file, the table, the row and the field
std::vector<Experiment> published_rows(const Problem& problem, const std::filesystem::path& file);

}  // namespace warplab
