#include "harness/rung/device_info.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "common/cuda_check.hpp"
#include "common/host/bad_input.hpp"
#include "harness/rung/backend.hpp"

namespace warplab {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Whether a device runs what needs "sm_80", or "sm_90a".
bool has(const std::string& needs, const DeviceInfo& device) {
  const int needed = std::atoi(needs.c_str() + std::string_view("sm_").size()),
            present = 10 * device.compute_major + device.compute_minor;
  return needs.ends_with('a') ? present == needed : present >= needed;
}

}  // namespace

std::string what_is_lacking(const Rung& rung, DType dtype, const DeviceInfo& device) {
  const auto for_type = rung.needs_for.find(dtype);
  const bool of_type = for_type != rung.needs_for.end();
  const std::string& needs = of_type ? for_type->second : rung.needs;
  if (needs.empty() || has(needs, device)) return "";
  return fmt::format("needs {}{}{}; this is sm_{}{}{}", needs, needs.ends_with('a') ? "" : " or later",
                     of_type ? fmt::format(" for {}", name_of(dtype)) : "", device.compute_major,
                     device.compute_minor, device.emulator ? " on the emulator" : "");
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
  std::array<char, 32> bus{};
  CUDA_CHECK(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device));
  info.pci_bus_id = bus.data();
  int version = 0;
  CUDA_CHECK(cudaDriverGetVersion(&version));
  info.driver = version_text(version);
  CUDA_CHECK(cudaRuntimeGetVersion(&version));
  info.toolkit = version_text(version);
  return info;
}

}  // namespace warplab
