#pragma once

#include <string>
#include <string_view>

namespace warplab {

/// Whether a rung was right, in the words of every table: "yes", "not checked", "to do", "FAILED", "refused",
/// "unavailable", "not built".
/// @param status as results.json has it: a name of RungStatus
std::string verdict_text(std::string_view status, bool verified);

}  // namespace warplab
