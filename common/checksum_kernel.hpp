#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace warplab {

/// A number that depends on each byte of device memory and on its place, computed where the memory is, so
/// that nothing need be copied back to see whether it was changed. Two states of the same memory that differ
/// in one word of 8 bytes never have the same number; others have it once in 2^64 times. Waits for `stream`.
/// @param memory device memory, `bytes` long, at any address
std::uint64_t checksum_of(const void* memory, std::size_t bytes, cudaStream_t stream);

}  // namespace warplab
