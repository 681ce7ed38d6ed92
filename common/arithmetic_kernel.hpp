#pragma once

#include <cuda_runtime.h>

namespace warplab {

/// Queues a kernel that does nothing but multiply-adds, enough of them to keep the whole device busy for
/// about a millisecond.
/// @param sink one element of device memory, never written in fact, which the compiler cannot know
/// @return the floating-point operations of the launch: two per multiply-add. @throws CudaError
template <class T>
double multiply_add_everywhere(T* sink, cudaStream_t stream);

}  // namespace warplab
