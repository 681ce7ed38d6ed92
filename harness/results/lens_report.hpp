#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/results/measurement.hpp"

namespace warplab {

/// What the lens counted, as "lens" of a measurement in results.json, with each line as its file has it now.
nlohmann::ordered_json lens_json(std::vector<lens::Launch> launches);

/// For the console: below a heading for each measurement that has counts, its table of lines, its findings
/// and advice; for the others, why they have none.
std::string lens_text(const std::vector<Measurement>& measurements);

/// "\n" and a line for each finding, to go below a reason; "" without findings.
std::string findings_text(const std::vector<lens::Launch>& launches);

/// "transpose/naive: 1 finding\n" for each measurement that has any; "" where there are none.
std::string finding_lines(const std::vector<Measurement>& measurements);

/// Draws the requests of what was measured into `path`; of several measurements, each into a file of its own,
/// named after the rung ("map-naive.svg", with the case's number where a rung has several). @return the files
/// @throws BadInput if a file cannot be written
std::vector<std::filesystem::path> write_maps(const std::filesystem::path& path,
                                              const std::vector<Measurement>& measurements);

/// Draws the tree of launches of each measurement in which a kernel launched another, into files named
/// likewise.
/// @return the files @throws BadInput if a file cannot be written
std::vector<std::filesystem::path> write_trees(const std::filesystem::path& path,
                                               const std::vector<Measurement>& measurements);

}  // namespace warplab
