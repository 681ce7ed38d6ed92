#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "device_query.hpp"
#include "reference/device_query.hpp"

namespace warplab {

/// A device as this program prints, saves and compares it.
struct Device {
  reference::DeviceFacts facts;
  bool emulated = false;  ///< warplab's CPU emulator: it has an architecture's limits, and none of its cores
};

/// One of the facts: its name in JSON, at the place of its DeviceField.
struct FactName {
  const char* key;
  std::int64_t reference::DeviceFacts::*member;
};
extern const FactName fact_names[field_count];

/// Facts as the rungs pass them. @param row (field_count). @param name (name_bytes)
void to_row(const reference::DeviceFacts& facts, std::int64_t* row, std::uint8_t* name);
reference::DeviceFacts from_row(const std::int64_t* row, const std::uint8_t* name);

/// How many devices there are. @throws NotAvailable, in one sentence, if there is none
int device_count();

/// Asks the runtime by cudaDeviceGetAttribute, one question at a time. @throws CudaError
Device ask_device(int number);

/// What follows from a device's facts; of an emulated device nothing that would
/// stem from cores it does not have.
reference::DeviceFigures figures_of(const Device& device);

/// The device in the layout of seed 004, and below it what that layout lacks. @param
/// number as CUDA counts devices
std::string device_text(const Device& device, int number);

/// The table of any number of devices, side by side.
std::string comparison_text(const std::vector<Device>& devices);

/// JSON: {"schema": 1, "devices": [{"name", "emulated", and a number or null for every fact}]}.
std::string to_json(const std::vector<Device>& devices);

/// Reads such a file. @throws BadInput, in one sentence with the file's name, if it cannot be read or is not
/// of this form
std::vector<Device> read_devices(const std::filesystem::path& file);

}  // namespace warplab
