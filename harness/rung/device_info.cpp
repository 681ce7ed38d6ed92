#include "harness/rung/device_info.hpp"

#include "common/bad_input.hpp"
#include "common/cuda_check.hpp"
#include "harness/rung/rung.hpp"

namespace warplab {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::string what_is_lacking(const std::string& needs, const DeviceInfo& device) {
  const std::string present =
      "sm_" + std::to_string(device.compute_major) + std::to_string(device.compute_minor);
  if (needs.empty() || needs == present) return "";
  return "needs " + needs + "; this is " + present + (device.emulator ? " on the emulator" : "");
}

DeviceInfo query_device(int device) {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
    (void)cudaGetLastError();
    throw NotAvailable(std::string("no usable CUDA device: ") +
                       (error == cudaSuccess ? "none was found" : cudaGetErrorString(error)) +
                       "; the emulator preset runs without one");
  }
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  DeviceInfo info;
  info.name = properties.name;
  info.emulator = backend == Backend::emulator;
  info.compute_major = properties.major;
  info.compute_minor = properties.minor;
  info.multiprocessors = properties.multiProcessorCount;
  std::size_t all_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&info.free_bytes, &all_bytes));
  int version = 0;
  CUDA_CHECK(cudaDriverGetVersion(&version));
  info.driver = version_text(version);
  CUDA_CHECK(cudaRuntimeGetVersion(&version));
  info.toolkit = version_text(version);
  return info;
}

}  // namespace warplab
