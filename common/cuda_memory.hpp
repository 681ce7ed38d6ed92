#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>

#include "common/cuda_check.hpp"

namespace warplab {

/// Frees memory by `free`, a function of CUDA's, and warns where that fails.
template <cudaError_t (*free)(void*)>
struct FreedBy {
  void operator()(std::byte* memory) const noexcept {
    const cudaError_t freed = free(memory);
    if (!detail::is_sticky(freed)) CUDA_WARN(freed);  // a lost context was reported by whoever lost it
  }
};

/// The owner of bytes that CUDA allocated.
template <cudaError_t (*free)(void*)>
using CudaMemory = std::unique_ptr<std::byte[], FreedBy<free>>;

}  // namespace warplab
