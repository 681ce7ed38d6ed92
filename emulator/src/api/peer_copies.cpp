// Copies of boxes between devices.
#include <cuda_runtime_api.h>

#include "emulator/src/api/api_call.hpp"
#include "emulator/src/api/arrays.hpp"
#include "emulator/src/api/transfer_3d.hpp"
#include "emulator/src/base/devices.hpp"
#include "emulator/src/memory/memory.hpp"

namespace {

using namespace warplab::emulator;

/// Whether one end is on the device that the parameters name. An array's memory is that of its elements.
cudaError_t check_device(const char* function, const char* role, const cudaArray* array, const void* pointer,
                         int device) {
  if (!is_device(device)) return cudaErrorInvalidDevice;
  const std::optional<Allocation> known = find_allocation(array ? array->elements.data : pointer);
  if (!known || known->space != Space::device || known->device == device) return cudaSuccess;
  report("%s: the %s is memory of device %d, not of device %d", function, role, known->device, device);
  return cudaErrorInvalidValue;
}

cudaError_t copy_between_devices(const char* function, const cudaMemcpy3DPeerParms* p, cudaStream_t stream,
                                 bool async) {
  return api_call([&] {
    if (!p) return cudaErrorInvalidValue;
    Transfer copy;
    if (const cudaError_t error = describe_copy(function,
                                                {p->srcArray, p->srcPos, p->srcPtr, p->dstArray, p->dstPos,
                                                 p->dstPtr, p->extent, cudaMemcpyDefault},
                                                copy))
      return error;
    if (const cudaError_t error =
            check_device(function, "destination", p->dstArray, p->dstPtr.ptr, p->dstDevice))
      return error;
    if (const cudaError_t error = check_device(function, "source", p->srcArray, p->srcPtr.ptr, p->srcDevice))
      return error;
    return transfer(copy, stream, async);
  });
}

}  // namespace

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return copy_between_devices("cudaMemcpy3DPeer", parameters, nullptr, false);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return copy_between_devices("cudaMemcpy3DPeerAsync", parameters, stream, true);
}
