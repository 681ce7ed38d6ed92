#pragma once

#include <cstddef>

#include "warplab_emulator/copies/bulk_copies.hpp"

namespace warplab::emulator {

/// Writes `bytes` bytes to `to`, or combines each number of them with the one there, atomically.
void reduce_into(std::byte* to, const std::byte* from, std::size_t bytes, BulkReduction reduction);

}  // namespace warplab::emulator
