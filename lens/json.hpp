#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

using Json = nlohmann::ordered_json;

/// The `lens` object of a measurement: the counts of all launches added up, then "launches" with
/// each one's own counts and lines, and "findings". What was not counted is null, and
/// "not_measured" says why by the same name.
Json measurement_json(const std::vector<Launch>& launches);

/// One launch for the list of WARPLAB_LENS_JSON: {"kernel", "grid", "block", "lens"}, where `lens` is what
/// measurement_json() makes of it, with its "lines" also at the top.
Json launch_json(const Launch& launch);

/// The launches that a `lens` object of either function was made of.
/// @throws std::invalid_argument that names what is missing or of a wrong type
std::vector<Launch> launches_from_json(const Json& lens);

/// The name of a kind of request as the JSON has it, "global_load".
const char* name_of(RequestKind kind);

}  // namespace warplab::lens
