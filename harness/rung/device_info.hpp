#pragma once

#include <cstddef>
#include <string>

#include "harness/rung/rung.hpp"

namespace warplab {

/// What a result must say about the device that it was taken on.
struct DeviceInfo {
  std::string name;
  bool emulator = false;
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  std::size_t free_bytes = 0;  ///< now
  std::string pci_bus_id;      ///< "0000:0f:00.0"
  std::string driver;          ///< highest CUDA version that the driver supports, "13.0"
  std::string toolkit;         ///< of the runtime that the program uses, "13.0"
};

/// Why a rung cannot run on this device for elements of this type; "" if it can.
std::string what_is_lacking(const Rung& rung, DType dtype, const DeviceInfo& device);

/// Asks about one device. @throws NotAvailable, with one sentence, if there is no usable device.
DeviceInfo query_device(int device = 0);

}  // namespace warplab
