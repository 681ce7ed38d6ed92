// Copies of boxes between devices.
#include <cuda_runtime_api.h>

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/transfers/arrays.hpp"
#include "emulator/src/transfers/transfer_3d.hpp"

namespace {

using namespace warplab::emulator;

/// One end of a copy: an array's memory is that of its elements.
const void* end_of(const cudaArray* array, const cudaPitchedPtr& pointer) {
  return array ? array->elements.data : pointer.ptr;
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
            check_owner(function, "destination", end_of(p->dstArray, p->dstPtr), p->dstDevice))
      return error;
    if (const cudaError_t error =
            check_owner(function, "source", end_of(p->srcArray, p->srcPtr), p->srcDevice))
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
