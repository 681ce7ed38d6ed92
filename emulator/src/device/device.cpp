#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/block/child_launches.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/checker/leaks.hpp"
#include "emulator/src/graphs/graph_execution.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/events.hpp"
#include "emulator/src/streams/graph.hpp"
#include "emulator/src/streams/stream_capture.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace {

using namespace warplab::emulator;

unsigned device_flags = cudaDeviceMapHost;

// Answers a question through a pointer.
template <class T>
cudaError_t answer(T* where, T value) {
  return api_call([&] {
    if (!where) return cudaErrorInvalidValue;
    *where = value;
    return cudaSuccess;
  });
}

cudaError_t require_device(int device) {
  return api_call([&] { return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

// A kernel's stack and heap here are the host's; programs set these limits and read them back.
std::map<cudaLimit, std::size_t>& limits() {
  static auto& instance = *new std::map<cudaLimit, std::size_t>{
      {cudaLimitStackSize, 1024},           {cudaLimitPrintfFifoSize, 1 << 20},
      {cudaLimitMallocHeapSize, 8 << 20},   {cudaLimitDevRuntimePendingLaunchCount, pending_launch_limit()},
      {cudaLimitMaxL2FetchGranularity, 64}, {cudaLimitPersistingL2CacheSize, 0},
  };
  return instance;
}

/// Where a device is on the bus; here the bus is the device's number, and all else is 0.
struct PciPlace {
  unsigned domain = 0, bus = 0, unit = 0, in_device = 0;  ///< the last is what PCI calls a function
};

/// @param id "domain:bus:unit.function", without the domain or without the function
std::optional<PciPlace> read_place(const char* id) {
  const auto is_all = [id](int end) { return end > 0 && id[end] == '\0'; };
  PciPlace place;
  auto& [domain, bus, unit, in_device] = place;
  int end = 0;
  if (std::sscanf(id, "%8x:%2x:%2x.%1x%n", &domain, &bus, &unit, &in_device, &end) == 4 && is_all(end))
    return place;
  place = {};
  if (std::sscanf(id, "%8x:%2x:%2x%n", &domain, &bus, &unit, &end) == 3 && is_all(end)) return place;
  place = {};
  if (std::sscanf(id, "%2x:%2x.%1x%n", &bus, &unit, &in_device, &end) == 3 && is_all(end)) return place;
  return std::nullopt;
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  if (!count || has_device()) return answer(count, device_count());
  *count = 0;
  return record(cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int* device) { return answer(device, current_device()); }
cudaError_t cudaSetDevice(int device) {
  return api_call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    set_current_device(device);
    return cudaSuccess;
  });
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return require_device(device); }
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return answer(device, 0); }
cudaError_t cudaDriverGetVersion(int* version) { return answer(version, CUDART_VERSION); }
cudaError_t cudaRuntimeGetVersion(int* version) { return answer(version, CUDART_VERSION); }
cudaError_t cudaGetDeviceFlags(unsigned int* flags) { return answer(flags, device_flags); }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return answer(config, cudaFuncCachePreferNone);
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return answer(config, cudaSharedMemBankSizeFourByte);
}

// Hints, which change nothing here.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return require_device(0); }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return require_device(0); }
cudaError_t cudaCtxResetPersistingL2Cache() { return require_device(0); }
cudaError_t cudaProfilerStart() { return require_device(0); }
cudaError_t cudaProfilerStop() { return require_device(0); }

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return api_call([&] {
    if (flags & ~static_cast<unsigned>(cudaDeviceMask)) return cudaErrorInvalidValue;
    device_flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return api_call([&] {
    if (!id || length < 13) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    std::snprintf(id, static_cast<std::size_t>(length), "0000:%02x:00.0", static_cast<unsigned>(device));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return api_call([&] {
    if (!device || !id) return cudaErrorInvalidValue;
    const std::optional<PciPlace> place = read_place(id);
    if (!place) return cudaErrorInvalidValue;
    if (place->domain != 0 || !is_device(static_cast<int>(place->bus)) || place->unit != 0 ||
        place->in_device != 0)
      return cudaErrorInvalidDevice;
    *device = static_cast<int>(place->bus);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!is_device(device) || !is_device(peer)) return require_device(-1);
  return answer(can, device == peer ? 0 : 1);
}

// All devices reach all others, and do so equally well.
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to) {
  return api_call([&] {
    if (!value || attribute < cudaDevP2PAttrPerformanceRank ||
        attribute > cudaDevP2PAttrCudaArrayAccessSupported)
      return cudaErrorInvalidValue;
    if (!is_device(from) || !is_device(to) || from == to) return cudaErrorInvalidDevice;
    *value = attribute == cudaDevP2PAttrPerformanceRank ? 0 : 1;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return api_call([&] {
    if (flags != 0) return cudaErrorInvalidValue;
    if (!is_device(peer) || peer == current_device()) return cudaErrorInvalidDevice;
    if (may_reach(current_device(), peer)) return cudaErrorPeerAccessAlreadyEnabled;
    set_peer_access(current_device(), peer, true);
    return cudaSuccess;
  });
}

// After all work, which may still use the access.
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return api_call([&] {
    if (!is_device(peer)) return cudaErrorInvalidDevice;
    if (peer == current_device() || !may_reach(current_device(), peer)) return cudaErrorPeerAccessNotEnabled;
    if (const cudaError_t error = refuse_unsafe("cudaDeviceDisablePeerAccess")) return error;
    if (const cudaError_t error = drain_all()) return error;
    set_peer_access(current_device(), peer, false);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return api_call([&] {
    if (!value) return cudaErrorInvalidValue;
    const auto found = limits().find(limit);
    if (found == limits().end()) return cudaErrorUnsupportedLimit;
    *value = found->second;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return api_call([&] {
    const auto found = limits().find(limit);
    if (found == limits().end()) return cudaErrorUnsupportedLimit;
    if (limit == cudaLimitDevRuntimePendingLaunchCount) set_pending_launch_limit(value);
    if (limit != cudaLimitPersistingL2CacheSize) found->second = value;  // the emulated L2 keeps nothing
    return cudaSuccess;
  });
}

// Works on a broken device too: it is the one way to fix it. Of several devices it resets the current one.
cudaError_t cudaDeviceReset() {
  if (in_queued_work()) return record(cudaErrorNotPermitted);
  const std::lock_guard lock(device_lock());
  const cudaError_t error = sticky() == cudaSuccess ? drain_all() : cudaSuccess;
  drop_streams();
  drop_events();
  if (device_count() == 1) {
    drop_executable_graphs();
    drop_graphs();
  }
  lens::remember_leaks();
  release_all(current_device());
  forget_peers(current_device());
  set_sticky(cudaSuccess);
  return record(error);
}
