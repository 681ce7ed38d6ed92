#pragma once

#include <optional>
#include <string>

#include "harness/rung/rung_request.hpp"

namespace warplab {

/// How a rung ended, as readers see it: its name in results, but "to do" and "not built"; "not measured"
/// without a status.
std::string status_text(const std::optional<RungStatus>& status);

/// Whether a rung is wrong, or has nothing that could run.
bool is_failure(const std::optional<RungStatus>& status);

/// Whether a rung was right, in the words of every table: "yes", "not checked", or how it ended. One that
/// failed, or whose end is not known, is "FAILED".
std::string verdict_text(const std::optional<RungStatus>& status, bool verified);

}  // namespace warplab
