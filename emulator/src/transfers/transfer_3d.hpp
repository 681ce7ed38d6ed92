#pragma once

#include <cuda_runtime_api.h>

#include "emulator/src/streams/transfer.hpp"

namespace warplab::emulator {

/// The transfer that the parameters of cudaMemcpy3D ask for.
/// @return cudaErrorInvalidValue, explained, where they name no memory or leave an array
cudaError_t describe_copy(const char* function, const cudaMemcpy3DParms& parameters, Transfer& transfer);

/// The opposite: parameters that ask for this copy.
cudaMemcpy3DParms parameters_of(const Transfer& copy);

}  // namespace warplab::emulator
