// The driver API's functions that are not about tensor maps, and how they are found.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstring>
#include <iterator>

#include "emulator/src/api/api_call.hpp"
#include "warplab_emulator/driver_entry_points.hpp"

namespace warplab::emulator {
namespace {

struct EntryPoint {
  const char* name;
  void* function;
  unsigned since;  ///< CUDA's version, as cudaGetDriverEntryPointByVersion takes it
};
const EntryPoint entry_points[] = {
    {"cuTensorMapEncodeTiled", reinterpret_cast<void*>(&cuTensorMapEncodeTiled), 12000},
    {"cuTensorMapReplaceAddress", reinterpret_cast<void*>(&cuTensorMapReplaceAddress), 12000},
    {"cuInit", reinterpret_cast<void*>(&cuInit), 2000},
    {"cuDriverGetVersion", reinterpret_cast<void*>(&cuDriverGetVersion), 2020},
    {"cuGetErrorName", reinterpret_cast<void*>(&cuGetErrorName), 6000},
    {"cuGetErrorString", reinterpret_cast<void*>(&cuGetErrorString), 6000}};

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

CUresult cuInit(unsigned flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }

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
