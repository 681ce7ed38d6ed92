#include "device_facts.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/cuda_check.hpp"
#include "common/host/bad_input.hpp"
#include "harness/problem/problem.hpp"
#include "harness/rung/backend.hpp"

namespace warplab {

using reference::DeviceFacts, reference::DeviceFigures;

const FactName fact_names[field_count] = {
    {"compute_major", &DeviceFacts::compute_major},
    {"compute_minor", &DeviceFacts::compute_minor},
    {"clock_khz", &DeviceFacts::clock_khz},
    {"memory_clock_khz", &DeviceFacts::memory_clock_khz},
    {"memory_bus_bits", &DeviceFacts::memory_bus_bits},
    {"global_memory_bytes", &DeviceFacts::global_memory_bytes},
    {"constant_memory_bytes", &DeviceFacts::constant_memory_bytes},
    {"l2_cache_bytes", &DeviceFacts::l2_cache_bytes},
    {"multiprocessors", &DeviceFacts::multiprocessors},
    {"warp_size", &DeviceFacts::warp_size},
    {"shared_memory_per_block_bytes", &DeviceFacts::shared_memory_per_block_bytes},
    {"shared_memory_per_block_optin_bytes", &DeviceFacts::shared_memory_per_block_optin_bytes},
    {"shared_memory_per_multiprocessor_bytes", &DeviceFacts::shared_memory_per_multiprocessor_bytes},
    {"registers_per_block", &DeviceFacts::registers_per_block},
    {"registers_per_multiprocessor", &DeviceFacts::registers_per_multiprocessor},
    {"max_threads_per_block", &DeviceFacts::max_threads_per_block},
    {"max_threads_per_multiprocessor", &DeviceFacts::max_threads_per_multiprocessor},
    {"max_block_x", &DeviceFacts::max_block_x},
    {"max_block_y", &DeviceFacts::max_block_y},
    {"max_block_z", &DeviceFacts::max_block_z},
    {"max_grid_x", &DeviceFacts::max_grid_x},
    {"max_grid_y", &DeviceFacts::max_grid_y},
    {"max_grid_z", &DeviceFacts::max_grid_z},
};

void to_row(const DeviceFacts& facts, std::int64_t* row, std::uint8_t* name) {
  for (int i = 0; i < field_count; ++i) row[i] = facts.*fact_names[i].member;
  std::fill_n(name, name_bytes, std::uint8_t{0});
  std::memcpy(name, facts.name.data(), std::min<std::size_t>(facts.name.size(), name_bytes - 1));
}

DeviceFacts from_row(const std::int64_t* row, const std::uint8_t* name) {
  DeviceFacts facts;
  for (int i = 0; i < field_count; ++i) facts.*fact_names[i].member = row[i];
  const auto* text = reinterpret_cast<const char*>(name);
  facts.name.assign(text, strnlen(text, name_bytes));
  return facts;
}

int device_count() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return count;
  (void)cudaGetLastError();
  throw NotAvailable(std::string("there is no CUDA device here") +
                     (error == cudaSuccess ? "" : std::string(" (") + cudaGetErrorString(error) + ")") +
                     "; build the emulator preset to run without one");
}

Device ask_device(int number) {
  const auto ask = [number](cudaDeviceAttr attribute) -> std::int64_t {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, attribute, number) == cudaSuccess) return value;
    (void)cudaGetLastError();
    return unknown;
  };
  Device device;
  device.emulated = backend == Backend::emulator;
  DeviceFacts& facts = device.facts;
  cudaDeviceProp properties;  // the name and the size of the memory are not attributes
  CUDA_CHECK(cudaGetDeviceProperties(&properties, number));
  facts.name = properties.name;
  facts.global_memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  facts.compute_major = ask(cudaDevAttrComputeCapabilityMajor);
  facts.compute_minor = ask(cudaDevAttrComputeCapabilityMinor);
  facts.clock_khz = ask(cudaDevAttrClockRate);
  facts.memory_clock_khz = ask(cudaDevAttrMemoryClockRate);
  facts.memory_bus_bits = ask(cudaDevAttrGlobalMemoryBusWidth);
  facts.constant_memory_bytes = ask(cudaDevAttrTotalConstantMemory);
  facts.l2_cache_bytes = ask(cudaDevAttrL2CacheSize);
  facts.multiprocessors = ask(cudaDevAttrMultiProcessorCount);
  facts.warp_size = ask(cudaDevAttrWarpSize);
  facts.shared_memory_per_block_bytes = ask(cudaDevAttrMaxSharedMemoryPerBlock);
  facts.shared_memory_per_block_optin_bytes = ask(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  facts.shared_memory_per_multiprocessor_bytes = ask(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  facts.registers_per_block = ask(cudaDevAttrMaxRegistersPerBlock);
  facts.registers_per_multiprocessor = ask(cudaDevAttrMaxRegistersPerMultiprocessor);
  facts.max_threads_per_block = ask(cudaDevAttrMaxThreadsPerBlock);
  facts.max_threads_per_multiprocessor = ask(cudaDevAttrMaxThreadsPerMultiProcessor);
  facts.max_block_x = ask(cudaDevAttrMaxBlockDimX);
  facts.max_block_y = ask(cudaDevAttrMaxBlockDimY);
  facts.max_block_z = ask(cudaDevAttrMaxBlockDimZ);
  facts.max_grid_x = ask(cudaDevAttrMaxGridDimX);
  facts.max_grid_y = ask(cudaDevAttrMaxGridDimY);
  facts.max_grid_z = ask(cudaDevAttrMaxGridDimZ);
  return device;
}

DeviceFigures figures_of(const Device& device) {
  DeviceFigures figures = reference::device_figures(device.facts);
  if (device.emulated)
    figures.cores_per_multiprocessor = figures.cores = figures.tensor_core_generation =
        figures.fp32_gflop_per_s = unknown;
  return figures;
}

std::string comparison_text(const std::vector<Device>& devices) {
  std::vector<DeviceFacts> facts;
  std::vector<DeviceFigures> figures;
  for (const Device& device : devices) {
    facts.push_back(device.facts);
    figures.push_back(figures_of(device));
  }
  return reference::device_table(facts, figures, label_bytes, cell_bytes);
}

std::string to_json(const std::vector<Device>& devices) {
  auto list = nlohmann::ordered_json::array();
  for (const Device& device : devices) {
    nlohmann::ordered_json entry{{"name", device.facts.name}, {"emulated", device.emulated}};
    for (const auto& [key, member] : fact_names) {
      const std::int64_t value = device.facts.*member;
      entry[key] = value == unknown ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
    }
    list.push_back(std::move(entry));
  }
  return nlohmann::ordered_json{{"schema", 1}, {"devices", std::move(list)}}.dump(2) + "\n";
}

std::vector<Device> read_devices(const std::filesystem::path& file) {
  const auto bad = [&](const std::string& why) { return BadInput(file.string() + ": " + why); };
  std::ifstream stream(file);
  if (!stream || std::filesystem::is_directory(file)) throw bad("cannot be read");
  const auto json = nlohmann::json::parse(stream, nullptr, false);
  if (json.is_discarded()) throw bad("is not valid JSON; a file that --save wrote is expected");
  if (!json.is_object() || !json.contains("devices") || !json["devices"].is_array() ||
      json.value("schema", nlohmann::json()) != 1)
    throw bad("is JSON, but not a list of devices that --save wrote (\"schema\": 1, \"devices\": [...])");
  std::vector<Device> devices;
  for (const auto& entry : json["devices"]) {
    const std::string where = "device " + std::to_string(devices.size());
    Device device;
    if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string())
      throw bad(where + " has no name");
    device.facts.name = entry["name"].get<std::string>();
    if (entry.contains("emulated")) {
      if (!entry["emulated"].is_boolean()) throw bad(where + ": \"emulated\" must be true or false");
      device.emulated = entry["emulated"].get<bool>();
    }
    for (const auto& [key, member] : fact_names) {
      if (!entry.contains(key)) throw bad(where + " lacks \"" + key + "\" (null where it is not known)");
      const auto& value = entry[key];
      if (value.is_null()) continue;
      if (!value.is_number_integer() ||
          (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) ||
          value.get<std::int64_t>() < 0)
        throw bad(where + ": \"" + key + "\" must be a whole number from 0, or null");
      device.facts.*member = value.get<std::int64_t>();
    }
    devices.push_back(std::move(device));
  }
  if (devices.empty()) throw bad("lists no device");
  return devices;
}

}  // namespace warplab
