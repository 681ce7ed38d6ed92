#pragma once

#include <cstddef>

namespace warplab::emulator {

/// A GPU whose limits the emulated device has. Sizes in bytes, clocks in kHz, bus width in bits.
struct DeviceProfile {
  const char* key;  ///< as WARPLAB_DEVICE names it
  const char* name;
  int major, minor;  ///< compute capability
  int multiprocessors, threads_per_multiprocessor, blocks_per_multiprocessor;
  std::size_t shared_per_multiprocessor, shared_per_block, shared_reserved_per_block;
  std::size_t l2, memory;
  int clock, memory_clock, memory_bus;
  int single_to_double;  ///< throughput of float to that of double
};

/// What WARPLAB_DEVICE asks for, or null: then the device is this CPU with the limits of compute
/// capability 9.0. A name that is not known is reported once, and the machine then has no device.
const DeviceProfile* chosen_profile();

/// Whether WARPLAB_DEVICE names what nobody knows.
bool asks_for_unknown_device();

}  // namespace warplab::emulator
