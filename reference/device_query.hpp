#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplab::reference {

/// What a runtime says about a device. Sizes in bytes, clocks in kHz, widths in
/// bits; -1 where it says nothing.
struct DeviceFacts {
  std::string name;
  std::int64_t compute_major = -1, compute_minor = -1;
  std::int64_t clock_khz = -1, memory_clock_khz = -1, memory_bus_bits = -1;
  std::int64_t global_memory_bytes = -1, constant_memory_bytes = -1, l2_cache_bytes = -1;
  std::int64_t multiprocessors = -1, warp_size = -1;
  std::int64_t shared_memory_per_block_bytes = -1, shared_memory_per_block_optin_bytes = -1;
  std::int64_t shared_memory_per_multiprocessor_bytes = -1;
  std::int64_t registers_per_block = -1, registers_per_multiprocessor = -1;
  std::int64_t max_threads_per_block = -1, max_threads_per_multiprocessor = -1;
  std::int64_t max_block_x = -1, max_block_y = -1, max_block_z = -1;
  std::int64_t max_grid_x = -1, max_grid_y = -1, max_grid_z = -1;
};

/// What follows from the facts; -1 where a fact that is needed is not above 0, or
/// the architecture is not known.
struct DeviceFigures {
  double cores_per_multiprocessor = -1;  ///< fp32 units
  double cores = -1;
  double tensor_core_generation = -1;  ///< 0: the architecture has none
  double global_memory_gib = -1, constant_memory_kib = -1;
  double shared_memory_per_block_kib = -1, shared_memory_per_multiprocessor_kib = -1;
  double l2_cache_mib = -1;
  double clock_mhz = -1, memory_clock_mhz = -1;
  double bandwidth_gb_per_s = -1;  ///< 10^9 bytes per second, two transfers per clock
  double fp32_gflop_per_s = -1;    ///< 10^9 operations per second, two for each core and clock
  double resident_threads = -1;
};

DeviceFigures device_figures(const DeviceFacts& facts);

/// The table that compares devices, a column each: 17 rows of label_width + devices * cell_width characters
/// and '\n'. Cells are cut to cell_width - 1. @param figures one for each device, in the same order
std::string device_table(const std::vector<DeviceFacts>& devices, const std::vector<DeviceFigures>& figures,
                         std::size_t label_width, std::size_t cell_width);

}  // namespace warplab::reference
