#include <cuda_runtime_api.h>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/base/errors.hpp"
#include "emulator/src/block/child_launches.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/stream_capture.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace {

using namespace warplab::emulator;

constexpr int min_priority = 0, greatest_priority = -5;

int clamp_priority(int priority) {
  return priority < greatest_priority ? greatest_priority : priority > min_priority ? min_priority : priority;
}

cudaError_t check(const cudaAccessPolicyWindow& window) {
  cudaDeviceProp device{};
  if (const cudaError_t error = cudaGetDeviceProperties(&device, current_device())) return error;
  const bool is_persisting_miss = window.missProp == cudaAccessPropertyPersisting;
  if (!(window.hitRatio >= 0 && window.hitRatio <= 1) || is_persisting_miss ||
      window.num_bytes > static_cast<std::size_t>(device.accessPolicyMaxWindowSize)) {
    report(
        "cudaStreamSetAttribute: an access policy window has at most %d bytes (accessPolicyMaxWindowSize), a "
        "hitRatio from 0 to 1 and a missProp other than cudaAccessPropertyPersisting",
        device.accessPolicyMaxWindowSize);
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  if (in_kernel()) return create_stream_in_kernel(stream, flags);
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return api_call([&] {
    if (!stream || (flags & ~static_cast<unsigned>(cudaStreamNonBlocking))) return cudaErrorInvalidValue;
    *stream = create_stream(flags, clamp_priority(priority));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api_call([&] {
    if (least) *least = min_priority;
    if (greatest) *greatest = greatest_priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  if (in_kernel()) return destroy_stream_in_kernel(handle);
  return with_stream(handle, [&](const std::shared_ptr<Stream>& stream) {
    if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread)
      return cudaErrorInvalidResourceHandle;
    destroy_stream(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return with_stream(handle, [](const auto& stream) {
    const cudaError_t error = refuse_wait("cudaStreamSynchronize", stream.get());
    return error != cudaSuccess ? error : drain(ends_for_wait(stream));
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return with_stream(handle, [](const auto& stream) {
    const cudaError_t error = refuse_wait("cudaStreamQuery", stream.get());
    return error != cudaSuccess ? error : query(ends_for_wait(stream));
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  return with_stream(handle, [&](const auto& stream) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = stream->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return with_stream(handle, [&](const auto& stream) {
    if (!device) return cudaErrorInvalidValue;
    *device = stream->device;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return with_stream(handle, [&](const auto& stream) {
    if (!id) return cudaErrorInvalidValue;
    *id = stream->id;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return with_stream(handle, [&](const auto& stream) {
    if (!priority) return cudaErrorInvalidValue;
    *priority = stream->priority;
    return cudaSuccess;
  });
}

// Hints, which change nothing here.
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  return with_stream(handle, [&](const auto& stream) {
    if (!value) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaStreamAttributeAccessPolicyWindow:
        if (const cudaError_t error = check(value->accessPolicyWindow)) return error;
        stream->window = value->accessPolicyWindow;
        return cudaSuccess;
      case cudaStreamAttributeSynchronizationPolicy:
        if (value->syncPolicy < cudaSyncPolicyAuto || value->syncPolicy > cudaSyncPolicyBlockingSync)
          return cudaErrorInvalidValue;
        stream->waits = value->syncPolicy;
        return cudaSuccess;
      case cudaStreamAttributePriority:
        stream->priority = clamp_priority(value->priority);
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  return with_stream(handle, [&](const auto& stream) {
    if (!value) return cudaErrorInvalidValue;
    if (attribute == cudaStreamAttributeAccessPolicyWindow)
      value->accessPolicyWindow = stream->window;
    else if (attribute == cudaStreamAttributeSynchronizationPolicy)
      value->syncPolicy = stream->waits;
    else if (attribute == cudaStreamAttributePriority)
      value->priority = stream->priority;
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return with_stream(from, [&](const auto& source) {
    const std::shared_ptr<Stream> stream = find_stream(to);
    if (!stream) return cudaErrorInvalidResourceHandle;
    stream->window = source->window;
    stream->waits = source->waits;
    stream->priority = source->priority;
    return cudaSuccess;
  });
}

// Managed memory is in one place here.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, std::size_t, unsigned int flags) {
  return with_stream(handle, [&](const auto&) {
    const bool known =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    const std::optional<Allocation> allocation = find_allocation(pointer);
    return known && allocation && allocation->space == Space::managed ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* user_data) {
  return with_stream(handle, [&](const auto& stream) {
    if (!function) return cudaErrorInvalidValue;
    const auto work = [=] {
      function(user_data);
      return cudaSuccess;
    };
    return push(stream, {work, {}, Operation::Kind::copy, cudaHostNodeParams{function, user_data}});
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* user_data,
                                  unsigned int flags) {
  return with_stream(handle, [&](const auto& stream) {
    if (!callback || flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = refuse_node("cudaStreamAddCallback", *stream, "use cudaLaunchHostFunc"))
      return error;
    const auto work = [=] {
      callback(handle, cudaSuccess, user_data);
      return cudaSuccess;
    };
    return push(stream, {work, {}, Operation::Kind::copy});
  });
}

cudaError_t cudaDeviceSynchronize() {
  return api_call([] {
    const cudaError_t error = refuse_wait("cudaDeviceSynchronize", nullptr);
    return error != cudaSuccess ? error : drain_device();
  });
}
