#pragma once

#include <cstddef>

namespace warplab::emulator {

/// Whether the system has this much memory to give at the moment; small amounts are not asked about.
bool host_can_provide(std::size_t bytes);

}  // namespace warplab::emulator
