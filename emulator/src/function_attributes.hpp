#pragma once

#include <cstddef>

namespace warplab::emulator {

/// Limits of the emulated device, those of compute capability 9.0, in bytes; a block's stand in
/// shared_memory.hpp.
inline constexpr std::size_t shared_bytes_per_multiprocessor = 228 * 1024;
inline constexpr std::size_t shared_bytes_reserved_per_block = 1024;

}  // namespace warplab::emulator
