#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "report/results/run_file.hpp"

namespace warplab::report {

/// The measurements of one lab, run and input, by rung or peer.
using RungRows = std::map<std::string, Row>;

/// @param run a folder with a results.json, or a file that a lab's program wrote by --json
/// @param input "SIZE TYPE[, PARAMETER VALUE]..."
/// @throws BadInput if the run cannot be read
RungRows rung_rows_of(const std::filesystem::path& run, const std::string& lab, const std::string& input);

/// Whether a count at one input may be set beside a time at another: the type and the parameters are equal,
/// and each extent of the timed input is a whole multiple of the counted one's. Vectors and tiles that are
/// whole in one are then whole in the other, so that both take the same code path.
/// @throws BadInput naming what differs
void require_comparable(const Row& counted, const Row& timed);

}  // namespace warplab::report
