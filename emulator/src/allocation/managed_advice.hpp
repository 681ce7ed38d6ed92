#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace warplab::emulator {

/// Remembers advice on a range of managed memory, for cudaMemRangeGetAttribute. @pre the range is in one
/// allocation
void note_advice(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device);
/// Remembers where a range was prefetched to last. @pre the range is in one allocation
void note_prefetch(const void* pointer, std::size_t bytes, int device);

}  // namespace warplab::emulator
