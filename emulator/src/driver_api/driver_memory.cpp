// The driver API's memory: cudaMalloc's, and cudaMemcpy's checks.
#include <cstddef>

#include "emulator/src/allocation/memory_api.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/driver_api/driver_call.hpp"
#include "emulator/src/streams/transfer.hpp"

namespace {

using namespace warplab::emulator;

void* address_of(CUdeviceptr pointer) { return reinterpret_cast<void*>(pointer); }

CUresult allocate_for_driver(const char* function, void** pointer, std::size_t bytes, Space space,
                             const void* caller) {
  if (!pointer || bytes == 0) return is_initialized() ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_INITIALIZED;
  return context_call([&] { return allocate_through(function, pointer, bytes, space, caller); });
}

CUresult allocate_for_driver(const char* function, CUdeviceptr* pointer, std::size_t bytes, Space space,
                             const void* caller) {
  void* address = nullptr;
  const CUresult result = allocate_for_driver(function, pointer ? &address : nullptr, bytes, space, caller);
  if (result == CUDA_SUCCESS) *pointer = reinterpret_cast<CUdeviceptr>(address);
  return result;
}

CUresult free_for_driver(const char* function, void* pointer, Space space) {
  return context_call(
      [&] { return pointer ? free_through(function, pointer, space) : cudaErrorInvalidValue; });
}

CUresult copy_bytes(const char* function, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                    CUstream stream = nullptr, bool async = false) {
  return context_call([&] {
    return api_call([&] {
      if (!from && bytes) return cudaErrorInvalidValue;
      return transfer({function, to, from, bytes, bytes, bytes, 1, kind}, stream, async);
    });
  });
}

/// @param unit bytes of an element
CUresult fill_elements(const char* function, CUdeviceptr to, unsigned value, std::size_t unit,
                       std::size_t count, CUstream stream = nullptr, bool async = false) {
  if (to % unit != 0 || count > SIZE_MAX / unit) return CUDA_ERROR_INVALID_VALUE;
  const std::size_t bytes = count * unit;
  return context_call([&] {
    return api_call([&] {
      return transfer({function, address_of(to), nullptr, bytes, 0, bytes, 1, cudaMemcpyDefault, value, unit},
                      stream, async);
    });
  });
}

}  // namespace

CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
  return context_call([&] { return cudaMemGetInfo(free, total); });
}

CUresult cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) {
  return allocate_for_driver("cuMemAlloc", pointer, bytes, Space::device, __builtin_return_address(0));
}

CUresult cuMemAllocHost(void** pointer, std::size_t bytes) {
  return allocate_for_driver("cuMemAllocHost", pointer, bytes, Space::pinned, __builtin_return_address(0));
}

CUresult cuMemAllocManaged(CUdeviceptr* pointer, std::size_t bytes, unsigned flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  return allocate_for_driver("cuMemAllocManaged", pointer, bytes, Space::managed,
                             __builtin_return_address(0));
}

CUresult cuMemFree(CUdeviceptr pointer) {
  return free_for_driver("cuMemFree", address_of(pointer), Space::device);
}
CUresult cuMemFreeHost(void* pointer) { return free_for_driver("cuMemFreeHost", pointer, Space::pinned); }

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy_bytes("cuMemcpy", address_of(to), address_of(from), bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_bytes("cuMemcpyAsync", address_of(to), address_of(from), bytes, cudaMemcpyDefault, stream,
                    true);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return copy_bytes("cuMemcpyHtoD", address_of(to), from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return copy_bytes("cuMemcpyDtoH", to, address_of(from), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return copy_bytes("cuMemcpyDtoD", address_of(to), address_of(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return copy_bytes("cuMemcpyHtoDAsync", address_of(to), from, bytes, cudaMemcpyHostToDevice, stream, true);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_bytes("cuMemcpyDtoHAsync", to, address_of(from), bytes, cudaMemcpyDeviceToHost, stream, true);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy_bytes("cuMemcpyDtoDAsync", address_of(to), address_of(from), bytes, cudaMemcpyDeviceToDevice,
                    stream, true);
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count) {
  return fill_elements("cuMemsetD8", to, value, 1, count);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, std::size_t count) {
  return fill_elements("cuMemsetD16", to, value, 2, count);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, std::size_t count) {
  return fill_elements("cuMemsetD32", to, value, 4, count);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
  return fill_elements("cuMemsetD8Async", to, value, 1, count, stream, true);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count, CUstream stream) {
  return fill_elements("cuMemsetD16Async", to, value, 2, count, stream, true);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
  return fill_elements("cuMemsetD32Async", to, value, 4, count, stream, true);
}
