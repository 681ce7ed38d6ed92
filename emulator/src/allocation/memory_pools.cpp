// Pools of memory that is allocated in the order of a stream. Nothing is kept back after it is freed, so that
// every use after that is seen: what a pool has reserved is what is in use.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/stream_capture.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace {

using namespace warplab::emulator;

struct Pool {
  struct Piece {
    const void* address;
    unsigned long long number;  ///< of its allocation: another may come to lie there
  };
  std::vector<Piece> pieces;
  int device = 0;                            ///< whose memory it gives
  std::map<int, cudaMemAccessFlags> access;  ///< of other devices that were allowed to touch it
  std::uint64_t release_threshold = 0, max_bytes = 0, used_high = 0;
  std::map<cudaMemPoolAttr, int> reuse{{cudaMemPoolReuseFollowEventDependencies, 1},
                                       {cudaMemPoolReuseAllowOpportunistic, 1},
                                       {cudaMemPoolReuseAllowInternalDependencies, 1}};

  /// Bytes of what is not freed yet.
  std::uint64_t used() {
    std::uint64_t bytes = 0;
    std::erase_if(pieces, [&](const Piece& piece) {
      const std::optional<Allocation> found = find_allocation(piece.address);
      if (!found || found->number != piece.number) return true;
      bytes += found->bytes;
      return false;
    });
    return bytes;
  }
};

struct Pools {
  std::map<cudaMemPool_t, std::unique_ptr<Pool>> by_handle;
  std::uintptr_t next_handle = 1;
  std::vector<cudaMemPool_t> standard, current;  ///< by device

  Pools() {
    for (int device = 0; device < device_count(); ++device) standard.push_back(add(device));
    current = standard;
  }
  cudaMemPool_t add(int device) {
    const auto handle = reinterpret_cast<cudaMemPool_t>(++next_handle * 16 + 4);  // never given out twice
    by_handle.emplace(handle, std::make_unique<Pool>()).first->second->device = device;
    return handle;
  }
};

// Never destroyed: static destructors may still allocate.
Pools& pools() {
  static Pools& instance = *new Pools;
  return instance;
}

// Runs `body` with the pool of a handle.
template <class Body>
cudaError_t with_pool(cudaMemPool_t handle, Body&& body) {
  return api_call([&] {
    const auto found = pools().by_handle.find(handle);
    return found == pools().by_handle.end() ? cudaErrorInvalidValue : body(*found->second);
  });
}

cudaError_t allocate_from(Pool& pool, void** pointer, std::size_t bytes, cudaStream_t stream,
                          const char* function, const void* caller) {
  const std::shared_ptr<Stream> found = find_stream(stream);
  if (!found) return cudaErrorInvalidResourceHandle;
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (const cudaError_t error = refuse_node(function, *found, no_memory_nodes)) return error;
  if (bytes == 0) return cudaSuccess;
  const std::uint64_t used = pool.used();
  if (pool.max_bytes != 0 && used + bytes > pool.max_bytes) return cudaErrorMemoryAllocation;
  const int before = current_device();
  set_current_device(pool.device);
  const cudaError_t error = allocate(pointer, bytes, Space::device, function, caller);
  set_current_device(before);
  close_device_memory();
  if (error != cudaSuccess) return error;
  for (const auto& [device, flags] : pool.access)
    let_device_touch(*pointer, device, flags != cudaMemAccessFlagsProtNone);
  pool.pieces.push_back({*pointer, find_allocation(*pointer)->number});
  pool.used_high = std::max(pool.used_high, used + bytes);
  return cudaSuccess;
}

cudaError_t give_pool(cudaMemPool_t* to, int device, std::vector<cudaMemPool_t> Pools::*which) {
  return api_call([&] {
    if (!to) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    *to = (pools().*which)[static_cast<std::size_t>(device)];
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  const void* const caller = __builtin_return_address(0);
  return api_call([&] {
    Pool& pool = *pools().by_handle.at(pools().current[static_cast<std::size_t>(current_device())]);
    return allocate_from(pool, pointer, bytes, stream, "cudaMallocAsync", caller);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t handle,
                                    cudaStream_t stream) {
  const void* const caller = __builtin_return_address(0);
  return with_pool(handle, [&](Pool& pool) {
    return allocate_from(pool, pointer, bytes, stream, "cudaMallocFromPoolAsync", caller);
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return give_pool(pool, device, &Pools::standard);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return give_pool(pool, device, &Pools::current);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return with_pool(handle, [&](const Pool& pool) {
    if (!is_device(device) || pool.device != device) return cudaErrorInvalidDevice;
    pools().current[static_cast<std::size_t>(device)] = handle;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* handle, const cudaMemPoolProps* properties) {
  return api_call([&] {
    if (!handle || !properties || properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice || !is_device(properties->location.id))
      return cudaErrorInvalidValue;
    if (properties->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;  // other processes
    *handle = pools().add(properties->location.id);
    pools().by_handle.at(*handle)->max_bytes = properties->maxSize;
    return cudaSuccess;
  });
}

// What was allocated from it remains until it is freed.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return with_pool(handle, [&](const Pool& pool) {
    const auto device = static_cast<std::size_t>(pool.device);
    if (handle == pools().standard[device]) return cudaErrorInvalidValue;
    if (handle == pools().current[device]) pools().current[device] = pools().standard[device];
    pools().by_handle.erase(handle);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, std::size_t) {
  return with_pool(handle, [](Pool&) { return cudaSuccess; });  // nothing is kept back
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return with_pool(handle, [&](Pool& pool) {
    if (!value) return cudaErrorInvalidValue;
    if (const auto found = pool.reuse.find(attribute); found != pool.reuse.end()) {
      found->second = *static_cast<const int*>(value);
      return cudaSuccess;
    }
    const std::uint64_t number = *static_cast<const std::uint64_t*>(value);
    if (attribute == cudaMemPoolAttrReleaseThreshold) {
      pool.release_threshold = number;
      return cudaSuccess;
    }
    // A high-water mark can only be set back.
    const bool high = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
    if (!high || number != 0) return cudaErrorInvalidValue;
    pool.used_high = pool.used();
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return with_pool(handle, [&](Pool& pool) {
    if (!value) return cudaErrorInvalidValue;
    if (const auto found = pool.reuse.find(attribute); found != pool.reuse.end()) {
      *static_cast<int*>(value) = found->second;
      return cudaSuccess;
    }
    auto& number = *static_cast<std::uint64_t*>(value);
    switch (attribute) {
      case cudaMemPoolAttrReleaseThreshold:
        number = pool.release_threshold;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrUsedMemCurrent:
        number = pool.used();
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        number = pool.used_high;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

// Read access without write access is not offered, as CUDA's pools do not have it either.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* access, std::size_t count) {
  return with_pool(handle, [&](Pool& pool) {
    if (!access || count == 0) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [location, flags] = access[i];
      if (location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
      if (!is_device(location.id)) return cudaErrorInvalidDevice;
      const bool is_none = flags == cudaMemAccessFlagsProtNone;
      if (!is_none && flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
      if (is_none && location.id == pool.device) {
        report("cudaMemPoolSetAccess: device %d, whose memory the pool gives, always has access",
               pool.device);
        return cudaErrorInvalidValue;
      }
    }
    if (const cudaError_t error = drain_all()) return error;  // kernels that wait may use the access
    pool.used();                                              // forgets what was freed
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [location, flags] = access[i];
      if (location.id == pool.device) continue;
      pool.access[location.id] = flags;
      for (const auto& piece : pool.pieces)
        let_device_touch(piece.address, location.id, flags != cudaMemAccessFlagsProtNone);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle, cudaMemLocation* location) {
  return with_pool(handle, [&](const Pool& pool) {
    if (!flags || !location || location->type != cudaMemLocationTypeDevice || !is_device(location->id))
      return cudaErrorInvalidValue;
    const auto found = pool.access.find(location->id);
    *flags = location->id == pool.device  ? cudaMemAccessFlagsProtReadWrite
             : found == pool.access.end() ? cudaMemAccessFlagsProtNone
                                          : found->second;
    return cudaSuccess;
  });
}
