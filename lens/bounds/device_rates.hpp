#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplab::lens {

/// How fast the units of a GPU work at most. What each number comes from is in device_rates.inc.
struct DeviceRates {
  const char* key;   ///< as WARPLAB_DEVICE names it
  const char* name;  ///< as its driver names it
  int multiprocessors;
  double clock;              ///< GHz, the highest
  double dram;               ///< GB/s
  double l2_bytes;           ///< what L2 holds
  double l2_load;            ///< GB/s from L2 to the multiprocessors
  double l2_store;           ///< sectors per ns that multiprocessors write to L2 as a whole
  double partial_store;      ///< sectors per ns that multiprocessors write to L2 in part
  double one_address;        ///< atomics on one address per ns
  double one_sum;            ///< atomic additions to one float or double per ns
  double event_us;           ///< between two events with one empty kernel between them
  double further_launch_us;  ///< for each further kernel
  double fill_us, copy_us;   ///< for a fill, and for a copy within the device, before a kernel
  double dram_latency;       ///< clocks until a load that misses L2 has its value
  double l2_latency;         ///< clocks until a load that hits L2 has its value
  double barrier;            ///< clocks of a __syncthreads() that nobody comes late to ...
  double barrier_of_warp;    ///< ... and more for each warp of the block
  double barrier_warps;      ///< warps per clock that a multiprocessor lets through barriers
  double block_starts;       ///< blocks per ns
  double mma;                ///< Tflop/s of mma.sync with operands of 16 bits
  double wgmma;              ///< Tflop/s of wgmma with operands of 16 bits
  double instructions;       ///< of warps, that a multiprocessor begins per clock ...
  double doubles, specials;  ///< ... of these, by the units for doubles and for special functions
};

/// The rates of the device of that key, or whose name begins the given one ("NVIDIA H200 (emulated)"); null
/// if nobody has measured them.
const DeviceRates* find_rates(const std::string& device);

/// The devices whose rates are known.
const std::vector<DeviceRates>& known_rates();

}  // namespace warplab::lens
