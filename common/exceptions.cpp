#include "common/exceptions.hpp"

#include <cuda_runtime.h>

#include "common/cuda_check.hpp"

namespace warplab {

const char* likely_cause(cudaError_t code) {
  switch (code) {
    case cudaErrorInvalidValue:
      return "an argument is out of range: a null pointer, a size beyond the allocation, or a wrong copy "
             "direction";
    case cudaErrorMemoryAllocation:
      return "the device's memory is full: use a smaller size, or free what is no longer needed";
    case cudaErrorInvalidConfiguration:
      return "more than 1024 threads per block, a block or grid extent of 0, or too much shared memory";
    case cudaErrorInvalidMemcpyDirection:
      return "source and destination do not match the cudaMemcpyKind";
    case cudaErrorInsufficientDriver:
      return "the driver is older than this CUDA toolkit: update the driver, or build with an older toolkit";
    case cudaErrorNoDevice:
      return "no GPU is visible: check nvidia-smi and CUDA_VISIBLE_DEVICES, or build the emulator preset";
    case cudaErrorInvalidDevice:
      return "there is no device with this number";
    case cudaErrorNoKernelImageForDevice:
      return "built for another architecture: configure with -DCMAKE_CUDA_ARCHITECTURES=native";
    case cudaErrorInvalidResourceHandle:
      return "a stream or event that was destroyed, or belongs to another device";
    case cudaErrorIllegalAddress:
      return "a kernel used an index past the end of an array (is the guard missing?), or a host pointer";
    case cudaErrorMisalignedAddress:
      return "a vector load or store (float4) at an address that is not a multiple of its size";
    case cudaErrorLaunchOutOfResources:
      return "too many registers per thread for this block size: use a smaller block or __launch_bounds__";
    case cudaErrorLaunchTimeout:
      return "the kernel ran longer than is allowed: a loop without end?";
    case cudaErrorAssert:
      return "an assert() in a kernel failed; its text is in the output";
    case cudaErrorLaunchFailure:
      return "a kernel crashed: an invalid address, a stack overflow, or a barrier that not all threads "
             "reach";
    case cudaErrorInvalidSymbol:
      return "the symbol is not a __device__ or __constant__ variable";
    default:
      return "";
  }
}

std::string likely_cause_line(cudaError_t code) {
#ifdef WARPLAB_BACKEND_EMULATOR
  if (detail::is_sticky(code)) return "";
#endif
  const char* const cause = likely_cause(code);
  return *cause ? std::string("\n  likely cause: ") + cause : "";
}

}  // namespace warplab
