#pragma once

#include <cstddef>
#include <string>

namespace warplab {

/// What a result must say about the device that it was taken on.
struct DeviceInfo {
  std::string name;
  bool emulator = false;
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  double clock_mhz = 0;         ///< of the multiprocessors, at most; 0 where the driver does not say
  double memory_clock_mhz = 0;  ///< likewise
  int bus_width_bits = 0;
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  std::size_t free_bytes = 0;  ///< now
  std::string driver;          ///< highest CUDA version that the driver supports, "13.0"
  std::string toolkit;         ///< of the runtime that the program uses, "13.0"

  /// Two transfers per clock over the whole bus, in 10^9 bytes per second; 0 where
  /// unknown or on the emulator.
  double theoretical_gb_per_s() const {
    return emulator ? 0 : 2 * memory_clock_mhz * 1e6 * (bus_width_bits / 8.0) / 1e9;
  }
};

/// Why a rung that needs `needs` ("sm_90", or "" for any device) cannot run on this one; "" if it can.
std::string what_is_lacking(const std::string& needs, const DeviceInfo& device);

/// Asks about one device. @throws NotAvailable, with one sentence, if there is no usable device.
DeviceInfo query_device(int device = 0);

}  // namespace warplab
