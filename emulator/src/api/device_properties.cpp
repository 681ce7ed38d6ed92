#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <thread>

#include "emulator/src/api/api_call.hpp"
#include "emulator/src/block/occupancy.hpp"
#include "emulator/src/block/shared_memory.hpp"
#include "emulator/src/memory/device_memory.hpp"

namespace warplab::emulator {
namespace {

// The number at the start of a file, or 0; `unit` is the character after it.
unsigned long number_in(const char* path, char* unit = nullptr) {
  unsigned long number = 0;
  char following = 0;
  if (std::FILE* const file = std::fopen(path, "r")) {
    if (std::fscanf(file, "%lu%c", &number, &following) < 1) number = 0;
    std::fclose(file);
  }
  if (unit) *unit = following;
  return number;
}

// The CPU's clock in kHz: its maximum, else what it runs at, else 0.
int clock_khz() {
  if (const unsigned long khz = number_in("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
    return static_cast<int>(khz);
  double mhz = 0;
  if (std::FILE* const file = std::fopen("/proc/cpuinfo", "r")) {
    char line[1024];
    while (mhz == 0 && std::fgets(line, sizeof line, file)) std::sscanf(line, "cpu MHz : %lf", &mhz);
    std::fclose(file);
  }
  return static_cast<int>(mhz * 1000);
}

// The L2 cache of one core in bytes; where Linux does not tell, as on some virtual machines, a common one's.
int l2_bytes() {
  for (int index = 0; index < 8; ++index) {
    char path[96];
    std::snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
    if (number_in(path) != 2) continue;
    std::snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
    char unit = 0;
    const unsigned long size = number_in(path, &unit);
    return static_cast<int>(unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size);
  }
  return 1 << 20;
}

cudaDeviceProp describe_device() {
  cudaDeviceProp p{};
  std::strcpy(p.name, "warplab CPU emulator");
  p.totalGlobalMem = device_memory_total();
  p.sharedMemPerBlock = shared_static_limit;
  p.sharedMemPerBlockOptin = shared_block_limit;
  p.sharedMemPerMultiprocessor = shared_bytes_per_multiprocessor;
  p.reservedSharedMemPerBlock = shared_bytes_reserved_per_block;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.totalConstMem = 65536;
  p.major = 9;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.multiProcessorCount = static_cast<int>(multiprocessors());
  p.integrated = p.canMapHostMemory = p.unifiedAddressing = p.managedMemory = 1;
  p.concurrentManagedAccess = p.hostRegisterSupported = p.canUseHostPointerForRegisteredMem = 1;
  p.clusterLaunch = p.cooperativeLaunch = 1;
  p.streamPrioritiesSupported = p.memoryPoolsSupported = 0;
  p.l2CacheSize = l2_bytes();
  p.clockRate = clock_khz();
  p.computeMode = cudaComputeModeDefault;
  return p;
}

const cudaDeviceProp& properties() {
  static const cudaDeviceProp device = describe_device();
  return device;
}

int as_int(std::size_t value) { return static_cast<int>(std::min<std::size_t>(value, 2147483647)); }

// What the emulated device does not have (textures, surfaces, PCI, NUMA) is 0.
int attribute_value(cudaDeviceAttr attribute) {
  const cudaDeviceProp& p = properties();
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return as_int(p.sharedMemPerBlock);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return as_int(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return as_int(p.sharedMemPerMultiprocessor);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return as_int(p.reservedSharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return as_int(p.totalConstMem);
    case cudaDevAttrWarpSize:
      return p.warpSize;
    case cudaDevAttrMaxPitch:
      return as_int(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
      return p.regsPerBlock;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case cudaDevAttrClockRate:
      return p.clockRate;
    case cudaDevAttrTextureAlignment:
      return as_int(p.textureAlignment);
    case cudaDevAttrTexturePitchAlignment:
      return as_int(p.texturePitchAlignment);
    case cudaDevAttrSurfaceAlignment:
      return as_int(p.surfaceAlignment);
    case cudaDevAttrMultiProcessorCount:
      return p.multiProcessorCount;
    case cudaDevAttrIntegrated:
      return p.integrated;
    case cudaDevAttrCanMapHostMemory:
      return p.canMapHostMemory;
    case cudaDevAttrComputeMode:
      return p.computeMode;
    case cudaDevAttrL2CacheSize:
      return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrUnifiedAddressing:
      return p.unifiedAddressing;
    case cudaDevAttrComputeCapabilityMajor:
      return p.major;
    case cudaDevAttrComputeCapabilityMinor:
      return p.minor;
    case cudaDevAttrManagedMemory:
      return p.managedMemory;
    case cudaDevAttrConcurrentManagedAccess:
      return p.concurrentManagedAccess;
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
      return p.canUseHostPointerForRegisteredMem;
    case cudaDevAttrCooperativeLaunch:
      return p.cooperativeLaunch;
    case cudaDevAttrClusterLaunch:
      return p.clusterLaunch;
    case cudaDevAttrHostRegisterSupported:
      return p.hostRegisterSupported;
    default:
      return 0;
  }
}

}  // namespace

}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* wanted, int device) {
  return api_call([&] {
    if (!wanted) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *wanted = properties();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api_call([&] {
    if (!value || attribute < cudaDevAttrMaxThreadsPerBlock) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *value = attribute_value(attribute);
    return cudaSuccess;
  });
}
