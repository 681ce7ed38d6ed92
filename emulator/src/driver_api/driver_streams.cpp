// The driver API's streams, events and launches: the runtime's, by other names.
#include <cstring>
#include <utility>

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/driver_api/driver_call.hpp"
#include "emulator/src/graphs/graph_parameters.hpp"
#include "warplab_emulator/launch/launch.hpp"

using namespace warplab::emulator;

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return context_call([&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return context_call([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
  return context_call([&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return context_call([&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
  return context_call([&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return context_call([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  return context_call([&] { return cudaLaunchHostFunc(stream, function, user_data); });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return context_call([&] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventDestroy(CUevent event) {
  return context_call([&] { return cudaEventDestroy(event); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return context_call([&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventSynchronize(CUevent event) {
  return context_call([&] { return cudaEventSynchronize(event); });
}
CUresult cuEventQuery(CUevent event) {
  return context_call([&] { return cudaEventQuery(event); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return context_call([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

// A function's handle is the kernel's address.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  return api_call([&] {
    if (!function || !symbol) return cudaErrorInvalidValue;
    if (!is_known_kernel(symbol)) {
      report(
          "cudaGetFuncBySymbol: not a kernel whose parameters the emulator knows; pass its name: "
          "cudaGetFuncBySymbol(&function, kernel)");
      return cudaErrorInvalidDeviceFunction;
    }
    *function = reinterpret_cast<cudaFunction_t>(const_cast<void*>(symbol));
    return cudaSuccess;
  });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return context_call([&] {
    cudaFuncAttributes all{};
    if (!value) return cudaErrorInvalidValue;
    if (const cudaError_t error = cudaFuncGetAttributes(&all, static_cast<const void*>(function)))
      return error;
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = all.maxThreadsPerBlock;
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(all.sharedSizeBytes);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = static_cast<int>(all.constSizeBytes);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = static_cast<int>(all.localSizeBytes);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = all.numRegs;
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = all.maxDynamicSharedSizeBytes;
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = all.preferredShmemCarveout;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return context_call([&] {
    return cudaFuncSetAttribute(static_cast<const void*>(function), static_cast<cudaFuncAttribute>(attribute),
                                value);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block_size,
                                                     std::size_t dynamic_shared_bytes) {
  return context_call([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, static_cast<const void*>(function),
                                                         block_size, dynamic_shared_bytes);
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** parameters, void** extra) {
  return context_call([&] {
    Launch launch;
    const cudaError_t error = api_call([&] {
      if (!is_known_kernel(function)) return cudaErrorInvalidResourceHandle;
      if (!extra) return bind_known_kernel(launch, function, parameters);
      report("cuLaunchKernel: arguments in `extra` are not offered; use kernelParams");
      return cudaErrorNotSupported;
    });
    if (error != cudaSuccess) return error;
    launch.configure(dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared_bytes, stream);
    return enqueue_launch(std::move(launch));
  });
}
