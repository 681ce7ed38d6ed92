#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplab::parity {

/// The counts that both sides have: the name, such as "global_load.sectors", and the pointer to it in the
/// lens's JSON of a launch.
const std::vector<std::pair<std::string, std::string>>& metrics();

/// What the hardware counted. Asynchronous copies have no page of their own: their wavefronts are what
/// remains of the sum of shared memory.
/// @param counted the metrics of a launch, as recorded
/// @return nothing where the hardware has no such count
std::optional<double> hardware_count(const nlohmann::json& counted, const std::string& metric);

}  // namespace warplab::parity
