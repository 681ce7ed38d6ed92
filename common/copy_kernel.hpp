#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace warplab {

/// Copies device memory with 16-byte loads and stores: what a well-written kernel that reads and writes every
/// byte once can reach. Asynchronous on `stream`.
/// @param in, out device memory, `bytes` long, aligned to 16 bytes, not overlapping
/// @throws std::invalid_argument for a misaligned address
void copy_vectorised(const void* in, void* out, std::size_t bytes, cudaStream_t stream);

}  // namespace warplab
