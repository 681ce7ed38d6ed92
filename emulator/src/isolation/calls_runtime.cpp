// CUDA's functions that guarded code calls: they write results only where the caller may.

#include <cuda_runtime_api.h>

#include "emulator/src/isolation/checks.hpp"
#include "emulator/src/isolation/stand_in.hpp"
#include "emulator/src/memory/arena.hpp"
#include "warplab_emulator/api/runtime_templates.hpp"
#include "warplab_emulator/launch/launch_functions.hpp"

namespace warplab::emulator::isolation {

// --- CUDA: results go where the caller may write ---

cudaError_t get_device(int* to) WARPLAB_STANDS_FOR("_Z13cudaGetDevicePi");
cudaError_t get_device(int* to) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaGetDevice(to);
}
cudaError_t get_count(int* to) WARPLAB_STANDS_FOR("_Z18cudaGetDeviceCountPi");
cudaError_t get_count(int* to) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaGetDeviceCount(to);
}
cudaError_t get_attribute(int* to, cudaDeviceAttr what, int device)
    WARPLAB_STANDS_FOR("_Z22cudaDeviceGetAttributePi14cudaDeviceAttri");
cudaError_t get_attribute(int* to, cudaDeviceAttr what, int device) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaDeviceGetAttribute(to, what, device);
}
cudaError_t get_properties(cudaDeviceProp* to, int device)
    WARPLAB_STANDS_FOR("_Z23cudaGetDevicePropertiesP14cudaDevicePropi");
cudaError_t get_properties(cudaDeviceProp* to, int device) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaGetDeviceProperties(to, device);
}
cudaError_t get_function(cudaFuncAttributes* to, const void* function)
    WARPLAB_STANDS_FOR("_Z21cudaFuncGetAttributesP18cudaFuncAttributesPKv");
cudaError_t get_function(cudaFuncAttributes* to, const void* function) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  require_entry(function, "asks about");
  return cudaFuncGetAttributes(to, function);
}
cudaError_t get_occupancy(int* to, const void* function, int block, std::size_t shared)
    WARPLAB_STANDS_FOR("_Z45cudaOccupancyMaxActiveBlocksPerMultiprocessorPiPKvim");
cudaError_t get_occupancy(int* to, const void* function, int block, std::size_t shared) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  require_entry(function, "asks about");
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(to, function, block, shared);
}
cudaError_t get_occupancy_with_flags(int* to, const void* function, int block, std::size_t shared,
                                     unsigned int flags)
    WARPLAB_STANDS_FOR("_Z54cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlagsPiPKvimj");
cudaError_t get_occupancy_with_flags(int* to, const void* function, int block, std::size_t shared,
                                     unsigned int flags) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  require_entry(function, "asks about");
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(to, function, block, shared, flags);
}
cudaError_t get_available_shared(std::size_t* to, const void* function, int blocks, int block)
    WARPLAB_STANDS_FOR("_Z41cudaOccupancyAvailableDynamicSMemPerBlockPmPKvii");
cudaError_t get_available_shared(std::size_t* to, const void* function, int blocks, int block) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  require_entry(function, "asks about");
  return cudaOccupancyAvailableDynamicSMemPerBlock(to, function, blocks, block);
}
cudaError_t fill_device(void* to, int value, std::size_t bytes, cudaStream_t stream)
    WARPLAB_STANDS_FOR("_Z15cudaMemsetAsyncPvimP11CUstream_st");
cudaError_t fill_device(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  require_end(to, bytes, true, WARPLAB_GUARDED_CALLER);
  return cudaMemsetAsync(to, value, bytes, stream);
}

// --- Memory and events: the host only (grader/guard/guard_symbols.cpp lets whole programs copy) ---

cudaError_t allocate_device(void** to, std::size_t bytes) WARPLAB_STANDS_FOR("_Z10cudaMallocPPvm");
cudaError_t allocate_device(void** to, std::size_t bytes) {
  require_host(WARPLAB_GUARDED_CALLER);
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaMalloc(to, bytes);
}
cudaError_t free_device(void* pointer) WARPLAB_STANDS_FOR("_Z8cudaFreePv");
cudaError_t free_device(void* pointer) {
  require_host(WARPLAB_GUARDED_CALLER);
  return cudaFree(pointer);
}
cudaError_t copy_by_host(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind)
    WARPLAB_STANDS_FOR("_Z10cudaMemcpyPvPKvm14cudaMemcpyKind");
cudaError_t copy_by_host(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  require_host(WARPLAB_GUARDED_CALLER);
  require_end(to, bytes, true, WARPLAB_GUARDED_CALLER);
  require_end(from, bytes, false, WARPLAB_GUARDED_CALLER);
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t fill_by_host(void* to, int value, std::size_t bytes) WARPLAB_STANDS_FOR("_Z10cudaMemsetPvim");
cudaError_t fill_by_host(void* to, int value, std::size_t bytes) {
  require_host(WARPLAB_GUARDED_CALLER);
  require_end(to, bytes, true, WARPLAB_GUARDED_CALLER);
  return cudaMemset(to, value, bytes);
}
// The harness has arrays on the device, which a program must not end.
cudaError_t reset_device() WARPLAB_STANDS_FOR("_Z15cudaDeviceResetv");
cudaError_t reset_device() {
  require_host(WARPLAB_GUARDED_CALLER);
  return cudaDeviceSynchronize();
}
cudaError_t wait_for_device() WARPLAB_STANDS_FOR("_Z21cudaDeviceSynchronizev");
cudaError_t wait_for_device() {
  require_host(WARPLAB_GUARDED_CALLER);
  return cudaDeviceSynchronize();
}
cudaError_t create_event(cudaEvent_t* to) WARPLAB_STANDS_FOR("_Z15cudaEventCreatePP10CUevent_st");
cudaError_t create_event(cudaEvent_t* to) {
  require_host(WARPLAB_GUARDED_CALLER);
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaEventCreate(to);
}
cudaError_t record_event(cudaEvent_t event, cudaStream_t stream)
    WARPLAB_STANDS_FOR("_Z15cudaEventRecordP10CUevent_stP11CUstream_st");
cudaError_t record_event(cudaEvent_t event, cudaStream_t stream) {
  require_host(WARPLAB_GUARDED_CALLER);
  return cudaEventRecord(event, stream);
}
cudaError_t wait_for_event(cudaEvent_t event) WARPLAB_STANDS_FOR("_Z20cudaEventSynchronizeP10CUevent_st");
cudaError_t wait_for_event(cudaEvent_t event) {
  require_host(WARPLAB_GUARDED_CALLER);
  return cudaEventSynchronize(event);
}
cudaError_t elapsed_time(float* to, cudaEvent_t start, cudaEvent_t end)
    WARPLAB_STANDS_FOR("_Z20cudaEventElapsedTimePfP10CUevent_stS1_");
cudaError_t elapsed_time(float* to, cudaEvent_t start, cudaEvent_t end) {
  require_host(WARPLAB_GUARDED_CALLER);
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaEventElapsedTime(to, start, end);
}
cudaError_t destroy_event(cudaEvent_t event) WARPLAB_STANDS_FOR("_Z16cudaEventDestroyP10CUevent_st");
cudaError_t destroy_event(cudaEvent_t event) {
  require_host(WARPLAB_GUARDED_CALLER);
  return cudaEventDestroy(event);
}

// A launcher has device memory to copy, and nothing else: host memory might be gone when the copy begins.
cudaError_t copy_on_device(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream)
    WARPLAB_STANDS_FOR("_Z15cudaMemcpyAsyncPvPKvm14cudaMemcpyKindP11CUstream_st");
cudaError_t copy_on_device(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream) {
  if (kind == cudaMemcpyDefault && is_of_device(to, true) && is_of_device(from, false))
    kind = cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDeviceToDevice) refuse_direction(WARPLAB_GUARDED_CALLER);
  require_end(to, bytes, true, WARPLAB_GUARDED_CALLER);
  require_end(from, bytes, false, WARPLAB_GUARDED_CALLER);
  return cudaMemcpyAsync(to, from, bytes, kind, stream);
}

/// In a whole program, whose arrays are the host's.
cudaError_t copy_by_program(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) WARPLAB_STANDS_FOR("cudaMemcpyAsync_by_program");
cudaError_t copy_by_program(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (in_kernel() || kind == cudaMemcpyDeviceToDevice) return copy_on_device(to, from, bytes, kind, stream);
  require_end(to, bytes, true, WARPLAB_GUARDED_CALLER);
  require_end(from, bytes, false, WARPLAB_GUARDED_CALLER);
  // At once: the host's memory might be gone later.
  if (const cudaError_t error = cudaStreamSynchronize(stream); error != cudaSuccess) return error;
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t get_limit(std::size_t* to, cudaLimit limit)
    WARPLAB_STANDS_FOR("_Z18cudaDeviceGetLimitPm9cudaLimit");
cudaError_t get_limit(std::size_t* to, cudaLimit limit) {
  if (to != nullptr) require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaDeviceGetLimit(to, limit);
}

cudaError_t fill_symbol(SymbolReference symbol, const void* from, std::size_t bytes, std::size_t offset,
                        cudaMemcpyKind kind, cudaStream_t stream, bool async)
    WARPLAB_STANDS_FOR(
        "_ZN7warplab8emulator14copy_to_symbolENS0_15SymbolReferenceEPKvmm14cudaMemcpyKindP11CUstream_stb");
cudaError_t fill_symbol(SymbolReference symbol, const void* from, std::size_t bytes, std::size_t offset,
                        cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  require_end(from, bytes, false, WARPLAB_GUARDED_CALLER);
  return copy_to_symbol(symbol, from, bytes, offset, kind, stream, async);
}

cudaError_t read_symbol(void* to, SymbolReference symbol, std::size_t bytes, std::size_t offset,
                        cudaMemcpyKind kind, cudaStream_t stream, bool async)
    WARPLAB_STANDS_FOR(
        "_ZN7warplab8emulator16copy_from_symbolEPvNS0_15SymbolReferenceEmm14cudaMemcpyKindP11CUstream_stb");
cudaError_t read_symbol(void* to, SymbolReference symbol, std::size_t bytes, std::size_t offset,
                        cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  require_host(WARPLAB_GUARDED_CALLER);
  require_end(to, bytes, true, WARPLAB_GUARDED_CALLER);
  return copy_from_symbol(to, symbol, bytes, offset, kind, stream, async);
}

// --- Versions, streams and more memory ---

cudaError_t apply_launch_attribute(Launch& launch, const cudaLaunchAttribute& attribute)
    WARPLAB_STANDS_FOR("_ZN7warplab8emulator15apply_attributeERNS0_6LaunchERK19cudaLaunchAttribute");
cudaError_t apply_launch_attribute(Launch& launch, const cudaLaunchAttribute& attribute) {
  require(&launch, sizeof launch, true, WARPLAB_GUARDED_CALLER);
  require(&attribute, sizeof attribute, false, WARPLAB_GUARDED_CALLER);
  return apply_attribute(launch, attribute);
}

cudaError_t create_stream(cudaStream_t* to) WARPLAB_STANDS_FOR("_Z16cudaStreamCreatePP11CUstream_st");
cudaError_t create_stream(cudaStream_t* to) {
  require_host(WARPLAB_GUARDED_CALLER);
  if (to != nullptr) require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaStreamCreate(to);
}
cudaError_t create_flagged_stream(cudaStream_t* to, unsigned flags)
    WARPLAB_STANDS_FOR("_Z25cudaStreamCreateWithFlagsPP11CUstream_stj");
cudaError_t create_flagged_stream(cudaStream_t* to, unsigned flags) {  // kernels may, too
  if (to != nullptr) require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaStreamCreateWithFlags(to, flags);
}
cudaError_t get_driver_version(int* to) WARPLAB_STANDS_FOR("_Z20cudaDriverGetVersionPi");
cudaError_t get_driver_version(int* to) {
  require_host(WARPLAB_GUARDED_CALLER);
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaDriverGetVersion(to);
}
cudaError_t get_runtime_version(int* to) WARPLAB_STANDS_FOR("_Z21cudaRuntimeGetVersionPi");
cudaError_t get_runtime_version(int* to) {
  require_host(WARPLAB_GUARDED_CALLER);
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaRuntimeGetVersion(to);
}
cudaError_t get_memory(std::size_t* idle, std::size_t* all) WARPLAB_STANDS_FOR("_Z14cudaMemGetInfoPmS_");
cudaError_t get_memory(std::size_t* idle, std::size_t* all) {
  require_host(WARPLAB_GUARDED_CALLER);
  require(idle, sizeof *idle, true, WARPLAB_GUARDED_CALLER);
  require(all, sizeof *all, true, WARPLAB_GUARDED_CALLER);
  return cudaMemGetInfo(idle, all);
}
cudaError_t get_pointer(cudaPointerAttributes* to, const void* pointer)
    WARPLAB_STANDS_FOR("_Z24cudaPointerGetAttributesP21cudaPointerAttributesPKv");
cudaError_t get_pointer(cudaPointerAttributes* to, const void* pointer) {
  require_host(WARPLAB_GUARDED_CALLER);
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaPointerGetAttributes(to, pointer);
}
cudaError_t create_event_with_flags(cudaEvent_t* to, unsigned flags)
    WARPLAB_STANDS_FOR("_Z24cudaEventCreateWithFlagsPP10CUevent_stj");
cudaError_t create_event_with_flags(cudaEvent_t* to, unsigned flags) {
  require_host(WARPLAB_GUARDED_CALLER);
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaEventCreateWithFlags(to, flags);
}
cudaError_t allocate_in_stream(void** to, std::size_t bytes, cudaStream_t stream)
    WARPLAB_STANDS_FOR("_Z15cudaMallocAsyncPPvmP11CUstream_st");
cudaError_t allocate_in_stream(void** to, std::size_t bytes, cudaStream_t stream) {
  require_host(WARPLAB_GUARDED_CALLER);
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return cudaMallocAsync(to, bytes, stream);
}
cudaError_t free_in_stream(void* pointer, cudaStream_t stream)
    WARPLAB_STANDS_FOR("_Z13cudaFreeAsyncPvP11CUstream_st");
cudaError_t free_in_stream(void* pointer, cudaStream_t stream) {
  require_host(WARPLAB_GUARDED_CALLER);
  return cudaFreeAsync(pointer, stream);
}
cudaError_t set_cache_of_function(const void* function, cudaFuncCache config)
    WARPLAB_STANDS_FOR("_Z22cudaFuncSetCacheConfigPKv13cudaFuncCache");
cudaError_t set_cache_of_function(const void* function, cudaFuncCache config) {
  require_host(WARPLAB_GUARDED_CALLER);
  require_entry(function, "asks about");
  return cudaFuncSetCacheConfig(function, config);
}

cudaError_t get_symbol(void** to, SymbolReference symbol)
    WARPLAB_STANDS_FOR("_ZN7warplab8emulator14symbol_addressEPPvNS0_15SymbolReferenceE");
cudaError_t get_symbol(void** to, SymbolReference symbol) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return symbol_address(to, symbol);
}
cudaError_t get_symbol_size(std::size_t* to, SymbolReference symbol)
    WARPLAB_STANDS_FOR("_ZN7warplab8emulator11symbol_sizeEPmNS0_15SymbolReferenceE");
cudaError_t get_symbol_size(std::size_t* to, SymbolReference symbol) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return symbol_size(to, symbol);
}

}  // namespace warplab::emulator::isolation
