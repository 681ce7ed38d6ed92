#pragma once

#include <cstdint>

// Lab 01: what a device is. All buffers of this lab are in host memory.
//
//   fields    (count, field_count)    int64: what the runtime says, one row per device, in the order of
//                                     DeviceField; unknown (-1) where it says nothing
//   names     (count, name_bytes)     bytes: each device's name, cut to name_bytes - 1, filled with zeros
//   figures   (count, figure_count)   double: what follows from the fields, in the order of DeviceFigure;
//                                     unknown likewise
//   text      (table_rows, line)      bytes: a table, with line = line_bytes(count); every row ends with
//                                     a newline
//
// count may be 0. A launcher throws std::invalid_argument for a device number that the runtime does not know.

inline constexpr std::int64_t unknown = -1;

/// A row of `fields`. Sizes in bytes, clocks in kHz, widths in bits.
enum DeviceField {
  compute_major,
  compute_minor,
  clock_khz,
  memory_clock_khz,
  memory_bus_bits,
  global_memory_bytes,
  constant_memory_bytes,
  l2_cache_bytes,
  multiprocessors,
  warp_size,
  shared_memory_per_block_bytes,
  shared_memory_per_block_optin_bytes,
  shared_memory_per_multiprocessor_bytes,
  registers_per_block,
  registers_per_multiprocessor,
  max_threads_per_block,
  max_threads_per_multiprocessor,
  max_block_x,
  max_block_y,
  max_block_z,
  max_grid_x,
  max_grid_y,
  max_grid_z,
  field_count
};

/// A row of `figures`.
enum DeviceFigure {
  cores_per_multiprocessor,  ///< fp32 units, by compute capability
  cores,                     ///< of the whole device
  tensor_core_generation,    ///< by compute capability; 0: the architecture has none
  global_memory_gib,         ///< GiB = 2^30 bytes
  constant_memory_kib,       ///< KiB = 2^10 bytes
  shared_memory_per_block_kib,
  shared_memory_per_multiprocessor_kib,
  l2_cache_mib,  ///< MiB = 2^20 bytes
  clock_mhz,
  memory_clock_mhz,
  bandwidth_gb_per_s,  ///< 10^9 bytes per second: two transfers per clock over the whole bus
  fp32_gflop_per_s,    ///< 10^9 operations per second: a multiply-add of every core in every clock
  resident_threads,    ///< that all multiprocessors can hold at a time
  figure_count
};

inline constexpr int name_bytes = 64;
inline constexpr int label_bytes = 24,
                     cell_bytes = 30;  ///< widths of the table's first column and of a device's
inline constexpr int table_rows = 17;
constexpr int line_bytes(int count) { return label_bytes + cell_bytes * count + 1; }

/// Asks the CUDA runtime about devices[0] .. devices[count - 1] (numbers, in any order, repeated or not).
void device_query_query(const int* devices, int count, std::int64_t* fields, std::uint8_t* names);

/// Works out the figures. A figure is unknown where a field that it needs is unknown or 0 (only compute_minor
/// may be 0), or where the compute capability is not in the table.
void device_query_derive(const std::int64_t* fields, int count, double* figures);

/// Writes the table that compares the devices, a column each.
void device_query_compare(const std::int64_t* fields, const double* figures, const std::uint8_t* names,
                          int count, std::uint8_t* text);
