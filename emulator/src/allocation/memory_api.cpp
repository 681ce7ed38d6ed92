#include "emulator/src/allocation/memory_api.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "emulator/src/allocation/managed_advice.hpp"
#include "emulator/src/base/device_profile.hpp"
#include "emulator/src/base/devices.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/isolation/checks.hpp"
#include "emulator/src/memory/device_memory.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/stream_capture.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace warplab::emulator {

cudaError_t allocate_through(const char* function, void** pointer, std::size_t bytes, Space space,
                             const void* caller) {
  return api_call([&] {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (const cudaError_t error = refuse_unsafe(function)) return error;
    const cudaError_t error = allocate(pointer, bytes, space, function, caller);
    close_device_memory();
    return error;
  });
}

cudaError_t free_through(const char* function, void* pointer, Space space) {
  return api_call([&] {
    if (!pointer) return cudaSuccess;
    if (const cudaError_t error = refuse_unsafe(function)) return error;
    if (const cudaError_t error = drain_all()) return error;
    return release(pointer, space, function);
  });
}

namespace {

constexpr const char* kernels_malloc = "cudaMalloc of a kernel";

// No lock of the API: the thread that drains the streams holds it, and waits for this kernel.
cudaError_t allocate_in_kernel(void** pointer, std::size_t bytes, const void* caller) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const int chosen = current_device();
  set_current_device(working_device());
  const cudaError_t error = allocate(pointer, bytes, Space::device, kernels_malloc, caller, Asker::kernel);
  set_current_device(chosen);
  return error;
}

}  // namespace
}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  if (in_kernel() && !isolation::active())
    return allocate_in_kernel(pointer, bytes, __builtin_return_address(0));
  return allocate_through("cudaMalloc", pointer, bytes, Space::device, __builtin_return_address(0));
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int flags) {
  if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return api_call([] { return cudaErrorInvalidValue; });
  return allocate_through("cudaMallocManaged", pointer, bytes, Space::managed, __builtin_return_address(0));
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int) {
  return allocate_through("cudaMallocHost", pointer, bytes, Space::pinned, __builtin_return_address(0));
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags) {
  if (flags & ~7u) return api_call([] { return cudaErrorInvalidValue; });
  return allocate_through("cudaHostAlloc", pointer, bytes, Space::pinned, __builtin_return_address(0));
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  constexpr std::size_t unit = 512;  // as on the GPUs of today
  std::size_t bytes = 0;
  if (!pitch) return api_call([] { return cudaErrorInvalidValue; });
  if (width > SIZE_MAX - unit || __builtin_mul_overflow((width + unit - 1) / unit * unit, height, &bytes))
    return api_call([] { return cudaErrorMemoryAllocation; });
  *pitch = (width + unit - 1) / unit * unit;
  return allocate_through("cudaMallocPitch", pointer, bytes, Space::device, __builtin_return_address(0));
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  std::size_t rows = 0;
  if (!pointer) return api_call([] { return cudaErrorInvalidValue; });
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
    return api_call([] { return cudaErrorMemoryAllocation; });
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, rows);
}

cudaError_t cudaFree(void* pointer) {
  if (in_kernel() && !isolation::active())
    return pointer ? release(pointer, Space::device, "cudaFree", Asker::kernel) : cudaSuccess;
  return free_through("cudaFree", pointer, Space::device);
}

cudaError_t cudaFreeHost(void* pointer) { return free_through("cudaFreeHost", pointer, Space::pinned); }

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
  return api_call([&] {
    const std::shared_ptr<Stream> stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = refuse_node("cudaFreeAsync", *stream, no_memory_nodes)) return error;
    const std::optional<Allocation> allocation = find_allocation(pointer);
    if (!pointer) return cudaSuccess;
    if (!allocation || allocation->data != pointer) return release(pointer, Space::device, "cudaFreeAsync");
    const auto work = [pointer] { return release(pointer, Space::device, "cudaFreeAsync"); };
    return push(stream, {work, {}, Operation::Kind::marker});
  });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags) {
  return api_call([&] {
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory |
                               cudaHostRegisterReadOnly;
    if (!pointer || bytes == 0 || (flags & ~known) != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = refuse_unsafe("cudaHostRegister")) return error;
    return register_host(pointer, bytes);
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return api_call([&] {
    if (!pointer) return cudaErrorInvalidValue;
    if (const cudaError_t error = refuse_unsafe("cudaHostUnregister")) return error;
    if (const cudaError_t error = drain_all()) return error;
    return unregister_host(pointer);
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  return api_call([&] {
    if (!device || flags != 0 || space_of(host) != Space::pinned) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return api_call([&] {
    if (!flags || space_of(host) != Space::pinned) return cudaErrorInvalidValue;
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return api_call([&] {
    // What is free is what this machine can give, though the device of WARPLAB_DEVICE may have more.
    const DeviceProfile* const profile = chosen_profile();
    const std::size_t has = profile ? profile->memory : device_memory_total();
    const std::size_t can_give = std::min(has, device_memory_total());
    if (free) *free = can_give - std::min(can_give, device_memory_used(current_device()));
    if (total) *total = has;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api_call([&] {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, nullptr};
    const std::optional<Allocation> allocation = find_allocation(pointer);
    if (!allocation) return cudaSuccess;
    void* const address = const_cast<void*>(pointer);
    attributes->device = allocation->device;
    attributes->devicePointer = address;
    switch (allocation->space) {
      case Space::managed:
        attributes->type = cudaMemoryTypeManaged;
        attributes->hostPointer = address;
        break;
      case Space::pinned:
        attributes->type = cudaMemoryTypeHost;
        attributes->hostPointer = address;
        break;
      default:
        attributes->type = cudaMemoryTypeDevice;
    }
    return cudaSuccess;
  });
}

namespace {

// Advice changes no result here, and is only remembered; what is not managed memory is refused as CUDA does.
cudaError_t check_advice(const void* pointer, std::size_t bytes, int device) {
  if (!is_device(device) && device != cudaCpuDeviceId) return cudaErrorInvalidDevice;
  const std::optional<Allocation> allocation = find_allocation(pointer);
  if (bytes == 0 || !allocation || allocation->space != Space::managed) return cudaErrorInvalidValue;
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(pointer) - allocation->data);
  return bytes <= allocation->bytes - offset ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t accept_advice(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device) {
  return api_call([&] {
    const cudaError_t error = check_advice(pointer, bytes, device);
    if (error == cudaSuccess) note_advice(pointer, bytes, advice, device);
    return error;
  });
}

int device_of(cudaMemLocation location) {
  return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

}  // namespace

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device, cudaStream_t handle) {
  return with_stream(handle, [&](const auto& stream) {
    if (const cudaError_t error = refuse_node("cudaMemPrefetchAsync", *stream, "prefetch before the capture"))
      return error;
    const cudaError_t error = check_advice(pointer, bytes, device);
    if (error == cudaSuccess) note_prefetch(pointer, bytes, device);
    return error;
  });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t handle) {
  if (flags != 0) return api_call([] { return cudaErrorInvalidValue; });
  return cudaMemPrefetchAsync(pointer, bytes, device_of(location), handle);
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device) {
  return accept_advice(pointer, bytes, advice, device);
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return accept_advice(pointer, bytes, advice, device_of(location));
}
