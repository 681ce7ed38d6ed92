// The driver API's devices and contexts. A context is a device and a place on a thread's stack: all contexts
// of a device share its memory, as the emulator has one process and one address space.
#include "emulator/src/driver_api/driver_contexts.hpp"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/driver_api/driver_call.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace warplab::emulator {
namespace {

struct DriverContext {
  int device = 0;
  bool is_primary = false;
};

// Never destroyed: static destructors may still use the device.
std::map<CUcontext, DriverContext>& contexts() {
  static auto& instance = *new std::map<CUcontext, DriverContext>;
  return instance;
}

std::atomic<bool> initialized = false;
int retained[max_devices] = {};
thread_local std::vector<CUcontext> pushed_contexts;

CUcontext primary_of(int device) {
  const auto handle = reinterpret_cast<CUcontext>(static_cast<std::uintptr_t>(device + 1) * 16 + 4);
  contexts()[handle] = {device, true};
  return handle;
}

/// Of the calling thread, or null. The runtime makes a device's primary context current.
CUcontext current_context() {
  if (!pushed_contexts.empty()) {
    const auto found = contexts().find(pushed_contexts.back());
    if (found == contexts().end() || found->second.device == current_device()) return pushed_contexts.back();
  }
  return thread_uses_runtime() ? primary_of(current_device()) : nullptr;
}

/// The device that functions work on follows the context.
void follow_context() {
  if (pushed_contexts.empty()) return;
  if (const auto found = contexts().find(pushed_contexts.back()); found != contexts().end())
    set_current_device(found->second.device);
}

/// Runs `body` with the contexts, which no other thread changes meanwhile.
template <class Body>
CUresult with_contexts(Body&& body) {
  if (!is_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  const std::lock_guard lock(device_lock());
  return body();
}

}  // namespace

bool is_initialized() { return initialized || runtime_is_used(); }

bool has_context() {
  const std::lock_guard lock(device_lock());
  return contexts().contains(current_context());
}

}  // namespace warplab::emulator

using namespace warplab::emulator;

CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (!has_device()) return CUDA_ERROR_NO_DEVICE;
  initialized = true;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return with_contexts([&] {
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetCount(int* count) {
  return with_contexts([&] {
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    *count = device_count();
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return driver_call([&] {
    cudaDeviceProp properties{};
    if (!name || length < 1) return cudaErrorInvalidValue;
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, device)) return error;
    std::snprintf(name, static_cast<std::size_t>(length), "%s", properties.name);
    return cudaSuccess;
  });
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  return driver_call([&] {
    cudaDeviceProp properties{};
    if (!bytes) return cudaErrorInvalidValue;
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, device)) return error;
    *bytes = properties.totalGlobalMem;
    return cudaSuccess;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return driver_call(
      [&] { return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device); });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return error != CUDA_SUCCESS
             ? error
             : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return with_contexts([&] {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    *context = primary_of(device);
    ++retained[device];
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return with_contexts([&] {
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    if (retained[device] == 0) return CUDA_ERROR_INVALID_CONTEXT;
    --retained[device];
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  return driver_call([&] {
    const int before = current_device();
    set_current_device(device);
    const cudaError_t error = cudaDeviceReset();
    set_current_device(before);
    return error;
  });
}

CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters, unsigned flags, CUdevice device) {
  return with_contexts([&] {
    if (!context || (flags & ~unsigned{cudaDeviceMask})) return CUDA_ERROR_INVALID_VALUE;
    if (parameters) return CUDA_ERROR_NOT_SUPPORTED;
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    static std::uintptr_t next_handle = max_devices;  // none is ever given out twice
    *context = reinterpret_cast<CUcontext>(++next_handle * 16 + 4);
    contexts()[*context] = {device, false};
    pushed_contexts.push_back(*context);
    follow_context();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDestroy(CUcontext context) {
  if (!is_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  {
    const std::lock_guard lock(device_lock());
    const auto found = contexts().find(context);
    if (found == contexts().end() || found->second.is_primary) return CUDA_ERROR_INVALID_CONTEXT;
  }
  const CUresult error = driver_call([] { return drain_all(); });
  const std::lock_guard lock(device_lock());
  contexts().erase(context);
  if (!pushed_contexts.empty() && pushed_contexts.back() == context) pushed_contexts.pop_back();
  follow_context();
  return error;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return with_contexts([&] {
    if (context && !contexts().contains(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!pushed_contexts.empty()) pushed_contexts.pop_back();
    if (context) pushed_contexts.push_back(context);
    follow_context();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return with_contexts([&] {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    *context = current_context();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPushCurrent(CUcontext context) {
  return with_contexts([&] {
    if (!contexts().contains(context)) return CUDA_ERROR_INVALID_CONTEXT;
    pushed_contexts.push_back(context);
    follow_context();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent(CUcontext* context) {
  return with_contexts([&] {
    if (pushed_contexts.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context) *context = pushed_contexts.back();
    pushed_contexts.pop_back();
    follow_context();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return context_call([&] { return cudaGetDevice(device); });
}

CUresult cuCtxSynchronize() { return context_call(cudaDeviceSynchronize); }
