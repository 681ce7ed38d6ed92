#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <thread>

#include "emulator/src/base/device_profile.hpp"
#include "emulator/src/base/devices.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/launch/occupancy.hpp"
#include "emulator/src/launch/shared_memory.hpp"
#include "emulator/src/memory/device_memory.hpp"
#include "emulator/src/transfers/arrays.hpp"

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

// What a program may want to know of the GPU, and that there is none.
void follow(const DeviceProfile& profile, cudaDeviceProp& p) {
  std::snprintf(p.name, sizeof p.name, "%s (emulated)", profile.name);
  p.major = profile.major;
  p.minor = profile.minor;
  p.totalGlobalMem = profile.memory;
  p.l2CacheSize = static_cast<int>(profile.l2);
  p.clockRate = profile.clock;
  p.memoryClockRate = profile.memory_clock;
  p.memoryBusWidth = profile.memory_bus;
  p.singleToDoublePrecisionPerfRatio = profile.single_to_double;
  p.integrated = 0;
  p.clusterLaunch = profile.major >= 9;
}

void set_array_limits(cudaDeviceProp& p) {
  const cudaExtent line = largest_array(cudaExtent{1, 0, 0}, false);
  const cudaExtent box = largest_array(cudaExtent{1, 1, 1}, false);
  const cudaExtent layers = largest_array(cudaExtent{1, 1, 1}, true);
  const auto set = [](int* limits, std::initializer_list<std::size_t> values) {
    for (const std::size_t value : values) *limits++ = static_cast<int>(value);
  };
  for (int* const of_line : {&p.maxTexture1D, &p.maxSurface1D}) set(of_line, {line.width});
  for (int* const of_plane : {p.maxTexture2D, p.maxSurface2D}) set(of_plane, {line.width, line.height});
  for (int* const of_box : {p.maxTexture3D, p.maxSurface3D}) set(of_box, {box.width, box.height, box.depth});
  for (int* const of_lines : {p.maxTexture1DLayered, p.maxSurface1DLayered})
    set(of_lines, {layers.width, layers.depth});
  for (int* const of_planes : {p.maxTexture2DLayered, p.maxSurface2DLayered})
    set(of_planes, {layers.width, layers.height, layers.depth});
}

cudaDeviceProp describe_device() {
  cudaDeviceProp p{};
  std::strcpy(p.name, "warplab CPU emulator");
  p.totalGlobalMem = device_memory_total();
  p.sharedMemPerBlock = shared_static_limit;
  p.sharedMemPerBlockOptin = shared_block_limit();
  p.sharedMemPerMultiprocessor = shared_bytes_per_multiprocessor();
  p.reservedSharedMemPerBlock = shared_bytes_reserved_per_block();
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.maxThreadsPerMultiProcessor = max_threads_per_multiprocessor();
  p.maxBlocksPerMultiProcessor = max_blocks_per_multiprocessor();
  p.totalConstMem = 65536;
  p.major = 9;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.multiProcessorCount = static_cast<int>(multiprocessors());
  p.integrated = p.canMapHostMemory = p.unifiedAddressing = p.managedMemory = 1;
  p.concurrentManagedAccess = p.hostRegisterSupported = p.canUseHostPointerForRegisteredMem = 1;
  p.clusterLaunch = p.cooperativeLaunch = p.memoryPoolsSupported = 1;
  p.concurrentKernels = p.streamPrioritiesSupported = p.deviceOverlap = 1;
  p.asyncEngineCount = 2;  // copies in both directions, beside kernels
  set_array_limits(p);
  p.l2CacheSize = l2_bytes();
  p.accessPolicyMaxWindowSize = 128 << 20;  // as an H100's; windows are hints
  p.clockRate = clock_khz();
  p.computeMode = cudaComputeModeDefault;
  if (const DeviceProfile* const profile = chosen_profile()) follow(*profile, p);
  return p;
}

const cudaDeviceProp& properties() {
  static const cudaDeviceProp device = describe_device();
  return device;
}

int as_int(std::size_t value) { return static_cast<int>(std::min<std::size_t>(value, 2147483647)); }

struct Attribute {
  cudaDeviceAttr name;
  int (*value)(const cudaDeviceProp& p);
};

using P = cudaDeviceProp;
constexpr Attribute all_attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, [](const P& p) { return p.maxThreadsPerBlock; }},
    {cudaDevAttrMaxBlockDimX, [](const P& p) { return p.maxThreadsDim[0]; }},
    {cudaDevAttrMaxBlockDimY, [](const P& p) { return p.maxThreadsDim[1]; }},
    {cudaDevAttrMaxBlockDimZ, [](const P& p) { return p.maxThreadsDim[2]; }},
    {cudaDevAttrMaxGridDimX, [](const P& p) { return p.maxGridSize[0]; }},
    {cudaDevAttrMaxGridDimY, [](const P& p) { return p.maxGridSize[1]; }},
    {cudaDevAttrMaxGridDimZ, [](const P& p) { return p.maxGridSize[2]; }},
    {cudaDevAttrMaxSharedMemoryPerBlock, [](const P& p) { return as_int(p.sharedMemPerBlock); }},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, [](const P& p) { return as_int(p.sharedMemPerBlockOptin); }},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
     [](const P& p) { return as_int(p.sharedMemPerMultiprocessor); }},
    {cudaDevAttrReservedSharedMemoryPerBlock, [](const P& p) { return as_int(p.reservedSharedMemPerBlock); }},
    {cudaDevAttrTotalConstantMemory, [](const P& p) { return as_int(p.totalConstMem); }},
    {cudaDevAttrWarpSize, [](const P& p) { return p.warpSize; }},
    {cudaDevAttrMaxPitch, [](const P& p) { return as_int(p.memPitch); }},
    {cudaDevAttrMaxRegistersPerBlock, [](const P& p) { return p.regsPerBlock; }},
    {cudaDevAttrMaxRegistersPerMultiprocessor, [](const P& p) { return p.regsPerMultiprocessor; }},
    {cudaDevAttrClockRate, [](const P& p) { return p.clockRate; }},
    {cudaDevAttrMemoryClockRate, [](const P& p) { return p.memoryClockRate; }},
    {cudaDevAttrGlobalMemoryBusWidth, [](const P& p) { return p.memoryBusWidth; }},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio,
     [](const P& p) { return p.singleToDoublePrecisionPerfRatio; }},
    {cudaDevAttrTextureAlignment, [](const P& p) { return as_int(p.textureAlignment); }},
    {cudaDevAttrTexturePitchAlignment, [](const P& p) { return as_int(p.texturePitchAlignment); }},
    {cudaDevAttrSurfaceAlignment, [](const P& p) { return as_int(p.surfaceAlignment); }},
    {cudaDevAttrMultiProcessorCount, [](const P& p) { return p.multiProcessorCount; }},
    {cudaDevAttrIntegrated, [](const P& p) { return p.integrated; }},
    {cudaDevAttrCanMapHostMemory, [](const P& p) { return p.canMapHostMemory; }},
    {cudaDevAttrComputeMode, [](const P& p) { return p.computeMode; }},
    {cudaDevAttrL2CacheSize, [](const P& p) { return p.l2CacheSize; }},
    {cudaDevAttrMaxThreadsPerMultiProcessor, [](const P& p) { return p.maxThreadsPerMultiProcessor; }},
    {cudaDevAttrMaxBlocksPerMultiprocessor, [](const P& p) { return p.maxBlocksPerMultiProcessor; }},
    {cudaDevAttrUnifiedAddressing, [](const P& p) { return p.unifiedAddressing; }},
    {cudaDevAttrComputeCapabilityMajor, [](const P& p) { return p.major; }},
    {cudaDevAttrComputeCapabilityMinor, [](const P& p) { return p.minor; }},
    {cudaDevAttrManagedMemory, [](const P& p) { return p.managedMemory; }},
    {cudaDevAttrConcurrentManagedAccess, [](const P& p) { return p.concurrentManagedAccess; }},
    {cudaDevAttrCanUseHostPointerForRegisteredMem,
     [](const P& p) { return p.canUseHostPointerForRegisteredMem; }},
    {cudaDevAttrCooperativeLaunch, [](const P& p) { return p.cooperativeLaunch; }},
    {cudaDevAttrClusterLaunch, [](const P& p) { return p.clusterLaunch; }},
    {cudaDevAttrMemoryPoolsSupported, [](const P& p) { return p.memoryPoolsSupported; }},
    {cudaDevAttrHostRegisterSupported, [](const P& p) { return p.hostRegisterSupported; }},
    {cudaDevAttrConcurrentKernels, [](const P& p) { return p.concurrentKernels; }},
    {cudaDevAttrAsyncEngineCount, [](const P& p) { return p.asyncEngineCount; }},
    {cudaDevAttrGpuOverlap, [](const P& p) { return p.deviceOverlap; }},
    {cudaDevAttrStreamPrioritiesSupported, [](const P& p) { return p.streamPrioritiesSupported; }},
    {cudaDevAttrMaxTexture1DWidth, [](const P& p) { return p.maxTexture1D; }},
    {cudaDevAttrMaxTexture2DWidth, [](const P& p) { return p.maxTexture2D[0]; }},
    {cudaDevAttrMaxTexture2DHeight, [](const P& p) { return p.maxTexture2D[1]; }},
    {cudaDevAttrMaxTexture3DWidth, [](const P& p) { return p.maxTexture3D[0]; }},
    {cudaDevAttrMaxTexture3DHeight, [](const P& p) { return p.maxTexture3D[1]; }},
    {cudaDevAttrMaxTexture3DDepth, [](const P& p) { return p.maxTexture3D[2]; }},
    {cudaDevAttrMaxTexture1DLayeredWidth, [](const P& p) { return p.maxTexture1DLayered[0]; }},
    {cudaDevAttrMaxTexture1DLayeredLayers, [](const P& p) { return p.maxTexture1DLayered[1]; }},
    {cudaDevAttrMaxTexture2DLayeredWidth, [](const P& p) { return p.maxTexture2DLayered[0]; }},
    {cudaDevAttrMaxTexture2DLayeredHeight, [](const P& p) { return p.maxTexture2DLayered[1]; }},
    {cudaDevAttrMaxTexture2DLayeredLayers, [](const P& p) { return p.maxTexture2DLayered[2]; }},
    {cudaDevAttrMaxSurface1DWidth, [](const P& p) { return p.maxSurface1D; }},
    {cudaDevAttrMaxSurface2DWidth, [](const P& p) { return p.maxSurface2D[0]; }},
    {cudaDevAttrMaxSurface2DHeight, [](const P& p) { return p.maxSurface2D[1]; }},
    {cudaDevAttrMaxSurface3DWidth, [](const P& p) { return p.maxSurface3D[0]; }},
    {cudaDevAttrMaxSurface3DHeight, [](const P& p) { return p.maxSurface3D[1]; }},
    {cudaDevAttrMaxSurface3DDepth, [](const P& p) { return p.maxSurface3D[2]; }},
};

// What the emulated device does not have (PCI, NUMA, cube maps) is 0.
int attribute_value(cudaDeviceAttr name) {
  const auto* const found = std::ranges::find(all_attributes, name, &Attribute::name);
  return found == std::end(all_attributes) ? 0 : found->value(properties());
}

}  // namespace

}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* wanted, int device) {
  return api_call([&] {
    if (!wanted) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    *wanted = properties();
    wanted->pciBusID = device;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api_call([&] {
    if (!value || attribute < cudaDevAttrMaxThreadsPerBlock ||
        attribute > cudaDevAttrOnlyPartialHostNativeAtomicSupported)
      return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    *value = attribute == cudaDevAttrPciBusId ? device : attribute_value(attribute);
    return cudaSuccess;
  });
}
