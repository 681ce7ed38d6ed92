// How the driver API's functions are found, and what its errors are called.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstring>
#include <iterator>

#include "emulator/src/calls/api_call.hpp"
#include "warplab_emulator/api/driver_entry_points.hpp"

namespace warplab::emulator {
namespace {

struct EntryPoint {
  const char* name;
  void* function;
  unsigned since;  ///< CUDA's version, as cudaGetDriverEntryPointByVersion takes it
};
#define WARPLAB_ENTRY_POINT(name, since) \
  { #name, reinterpret_cast < void*>(&name), since }
const EntryPoint entry_points[] = {
    WARPLAB_ENTRY_POINT(cuTensorMapEncodeTiled, 12000),
    WARPLAB_ENTRY_POINT(cuTensorMapReplaceAddress, 12000),
    WARPLAB_ENTRY_POINT(cuInit, 2000),
    WARPLAB_ENTRY_POINT(cuDriverGetVersion, 2020),
    WARPLAB_ENTRY_POINT(cuGetErrorName, 6000),
    WARPLAB_ENTRY_POINT(cuGetErrorString, 6000),
    WARPLAB_ENTRY_POINT(cuDeviceGet, 4000),
    WARPLAB_ENTRY_POINT(cuDeviceGetCount, 4000),
    WARPLAB_ENTRY_POINT(cuDeviceGetName, 4000),
    WARPLAB_ENTRY_POINT(cuDeviceTotalMem, 4000),
    WARPLAB_ENTRY_POINT(cuDeviceGetAttribute, 4000),
    WARPLAB_ENTRY_POINT(cuDevicePrimaryCtxRetain, 7000),
    WARPLAB_ENTRY_POINT(cuDevicePrimaryCtxRelease, 7000),
    WARPLAB_ENTRY_POINT(cuDevicePrimaryCtxReset, 7000),
    WARPLAB_ENTRY_POINT(cuCtxDestroy, 4000),
    WARPLAB_ENTRY_POINT(cuCtxSetCurrent, 4000),
    WARPLAB_ENTRY_POINT(cuCtxGetCurrent, 4000),
    WARPLAB_ENTRY_POINT(cuCtxPushCurrent, 4000),
    WARPLAB_ENTRY_POINT(cuCtxPopCurrent, 4000),
    WARPLAB_ENTRY_POINT(cuCtxGetDevice, 4000),
    WARPLAB_ENTRY_POINT(cuCtxSynchronize, 4000),
    WARPLAB_ENTRY_POINT(cuMemGetInfo, 4000),
    WARPLAB_ENTRY_POINT(cuMemAlloc, 4000),
    WARPLAB_ENTRY_POINT(cuMemFree, 4000),
    WARPLAB_ENTRY_POINT(cuMemcpyHtoD, 4000),
    WARPLAB_ENTRY_POINT(cuMemcpyDtoH, 4000),
    WARPLAB_ENTRY_POINT(cuMemcpyDtoD, 4000),
    WARPLAB_ENTRY_POINT(cuMemcpyHtoDAsync, 4000),
    WARPLAB_ENTRY_POINT(cuMemcpyDtoHAsync, 4000),
    WARPLAB_ENTRY_POINT(cuMemcpyDtoDAsync, 4000),
    WARPLAB_ENTRY_POINT(cuMemsetD8, 4000),
    WARPLAB_ENTRY_POINT(cuMemsetD32, 4000),
    WARPLAB_ENTRY_POINT(cuStreamCreate, 4000),
    WARPLAB_ENTRY_POINT(cuStreamDestroy, 4000),
    WARPLAB_ENTRY_POINT(cuStreamSynchronize, 4000),
    WARPLAB_ENTRY_POINT(cuStreamQuery, 4000),
    WARPLAB_ENTRY_POINT(cuEventCreate, 4000),
    WARPLAB_ENTRY_POINT(cuEventDestroy, 4000),
    WARPLAB_ENTRY_POINT(cuEventRecord, 4000),
    WARPLAB_ENTRY_POINT(cuEventSynchronize, 4000),
    WARPLAB_ENTRY_POINT(cuEventQuery, 4000),
    WARPLAB_ENTRY_POINT(cuLaunchKernel, 4000),
};
#undef WARPLAB_ENTRY_POINT

struct ErrorText {
  CUresult error;
  const char *name, *text;
};
constexpr ErrorText error_texts[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {CUDA_ERROR_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {CUDA_ERROR_ASSERT, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, "CUDA_ERROR_ILLEGAL_INSTRUCTION",
     "an illegal instruction was encountered"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_NOT_PERMITTED, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
    {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"}};

CUresult find_text(CUresult error, const char** to, const char* ErrorText::*part) {
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *to = nullptr;
  for (const ErrorText& known : error_texts)
    if (known.error == error) *to = known.*part;
  return *to == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

cudaError_t find_entry_point(const char* symbol, void** function, unsigned version, unsigned long long flags,
                             cudaDriverEntryPointQueryResult* status) {
  return api_call([&] {
    if (symbol == nullptr || function == nullptr || flags > cudaEnablePerThreadDefaultStream)
      return cudaErrorInvalidValue;
    *function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    for (const EntryPoint& entry : entry_points) {
      if (std::strcmp(entry.name, symbol) != 0) continue;
      found = entry.since <= version ? cudaDriverEntryPointSuccess : cudaDriverEntryPointVersionNotSufficent;
      if (found == cudaDriverEntryPointSuccess) *function = entry.function;
    }
    if (status != nullptr) *status = found;
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace warplab::emulator

CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** to) {
  using namespace warplab::emulator;
  return find_text(error, to, &ErrorText::name);
}

CUresult cuGetErrorString(CUresult error, const char** to) {
  using namespace warplab::emulator;
  return find_text(error, to, &ErrorText::text);
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return warplab::emulator::find_entry_point(symbol, function, CUDA_VERSION, flags, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return warplab::emulator::find_entry_point(symbol, function, version, flags, status);
}
