#pragma once

#include <cstddef>

namespace warplab::emulator {

/// Limits of the emulated device: those of WARPLAB_DEVICE, else of compute capability 9.0. Those of a block's
/// shared memory are in shared_memory.hpp.
inline constexpr int max_threads_per_block = 1024;
int max_threads_per_multiprocessor();
int max_blocks_per_multiprocessor();
std::size_t shared_bytes_per_multiprocessor();
std::size_t shared_bytes_reserved_per_block();
/// Bytes that shared memory is given out by: NVIDIA's cuda_occupancy.h.
std::size_t shared_allocation_unit();

/// Blocks of a kernel that a multiprocessor has room for at the same time.
int resident_blocks(const void* function, int threads, std::size_t dynamic_shared_bytes);

/// How many multiprocessors the emulated device has.
unsigned multiprocessors();

}  // namespace warplab::emulator
