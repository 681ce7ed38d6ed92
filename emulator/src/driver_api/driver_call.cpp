#include "emulator/src/driver_api/driver_call.hpp"

namespace warplab::emulator {

CUresult as_result(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
    case cudaErrorInvalidValue:
    case cudaErrorMemoryAllocation:
      return static_cast<CUresult>(error);
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:  // below 100 the runtime has errors of its own, about arguments
      return error < cudaErrorNoDevice ? CUDA_ERROR_INVALID_VALUE : static_cast<CUresult>(error);
  }
}

}  // namespace warplab::emulator
