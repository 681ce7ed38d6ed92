#pragma once

#include <optional>

#include "harness/rung/rung_request.hpp"

namespace warplab {

/// What has run on the device since this process started; nothing on backends that do not count.
std::optional<LaunchCounts> launch_counts();

}  // namespace warplab
