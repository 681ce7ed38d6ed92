#pragma once

#include <cstddef>

namespace warplab::emulator {

/// Limits of the emulated device, those of compute capability 9.0, in bytes; a block's stand in
/// shared_memory.hpp.
inline constexpr std::size_t shared_bytes_per_multiprocessor = 228 * 1024;
inline constexpr std::size_t shared_bytes_reserved_per_block = 1024;

/// Blocks of a kernel that a multiprocessor has room for at the same time.
int resident_blocks(const void* function, int threads, std::size_t dynamic_shared_bytes);

/// How many multiprocessors the emulated device has.
unsigned multiprocessors();

}  // namespace warplab::emulator
