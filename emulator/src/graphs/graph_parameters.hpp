#pragma once

#include <cuda_runtime_api.h>

#include "emulator/src/streams/graph.hpp"
#include "warplab_emulator/launch/launch.hpp"

namespace warplab::emulator {

/// What a node with these parameters does. Each checks them as the call would that does the same in a stream.
/// @return CUDA's error, explained, in which case `work` is left as it is
cudaError_t describe(NodeWork& work, const cudaKernelNodeParams* parameters);
cudaError_t describe(NodeWork& work, const cudaMemcpy3DParms* parameters);
cudaError_t describe(NodeWork& work, const cudaMemsetParams* parameters);
cudaError_t describe(NodeWork& work, const cudaHostNodeParams* parameters);
cudaError_t describe(NodeWork& work, const EventWork& event);
cudaError_t describe_copy(NodeWork& work, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

/// A copy that is checked is the node's work.
cudaError_t set_transfer(NodeWork& work, const Transfer& transfer);

/// Whether the emulator knows the parameters of a kernel that is given by its address.
bool is_known_kernel(const void* function);
/// As the program writes it: "copy<int>". @pre is_known_kernel(function)
const char* name_of_known_kernel(const void* function);
/// Binds copies of its arguments. @pre is_known_kernel(function) @return cudaErrorInvalidValue without them
cudaError_t bind_known_kernel(Launch& launch, const void* function, void** arguments);

}  // namespace warplab::emulator
