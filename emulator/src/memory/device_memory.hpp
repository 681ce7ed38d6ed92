#pragma once

#include <cstddef>

namespace warplab::emulator {

/// How much memory an emulated device has, in bytes.
std::size_t device_memory_total();

/// Whether the system has this much memory to give at the moment; small amounts are not asked about.
bool host_can_provide(std::size_t bytes);

}  // namespace warplab::emulator
