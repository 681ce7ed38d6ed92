#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator {

/// What cudaMalloc and its like do. @param function for reports @param caller the line that a leak names
cudaError_t allocate_through(const char* function, void** pointer, std::size_t bytes, Space space,
                             const void* caller);

/// Frees after all work, which may still use the memory.
cudaError_t free_through(const char* function, void* pointer, Space space);

}  // namespace warplab::emulator
