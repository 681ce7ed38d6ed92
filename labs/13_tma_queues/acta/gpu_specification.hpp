#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace warplab::acta {

/// Where a figure comes from.
enum class Source { measured, attribute, datasheet, assumed };

/// One figure of a GPU, usable as a plain number.
struct Figure {
  double value = 0;
  Source source = Source::assumed;
  std::string note = {};  ///< why this value, where the source does not say enough

  operator double() const { return value; }
};

/// The GPU Specification Table (GST): what the algorithms know of a GPU. Cycles are the multiprocessor's.
struct GpuSpecification {
  std::string name;
  Figure clock_ghz;
  Figure multiprocessors;
  Figure warp_pools;                 ///< schedulers per multiprocessor (SMSPs; SIMDs of a CU)
  Figure multiplications_per_cycle;  ///< per warp pool
  Figure shared_bytes;               ///< of shared memory that one block may have
  Figure l1_bytes;                   ///< per multiprocessor
  Figure l2_bytes;                   ///< of the whole GPU
  Figure cache_line_bytes;           ///< the unit of transfers
  Figure tma_cycles;      ///< that the producer spends per push: empty wait, expected bytes, the first copy
  Figure copy_cycles;     ///< and per further copy of the same push
  Figure barrier_cycles;  ///< that consumers spend per tile: full wait and arrival
  Figure shared_latency_cycles;      ///< of a load from shared memory
  Figure l2_latency_cycles;          ///< from the request to the data, for a hit
  Figure dram_latency_cycles;        ///< on top of L2's, with the memory busy
  Figure dram_gigabytes_per_second;  ///< 10^9 bytes per second, as a copy reaches it
  Figure l2_gigabytes_per_second;    ///< the same, for data in L2
  Figure shared_bytes_per_cycle;     ///< per multiprocessor
  Figure peak_gflops;                ///< single precision

  /// Bytes per cycle that one multiprocessor gets when `active` of them share the memory.
  double dram_bytes_per_cycle(int active) const;
  double l2_bytes_per_cycle(int active) const;
};

/// A field of the table: its name in JSON, its place, its unit, and the values accepted.
struct Field {
  std::string_view name;
  Figure GpuSpecification::*figure;
  std::string_view unit;
  double least, greatest;
};

/// All fields, in the order of the file.
std::span<const Field> fields();

/// Checks every field.
/// @throws std::invalid_argument naming `origin` (a file, or "the GST"), the field,
/// its value and what is accepted
void check(const GpuSpecification& specification, std::string_view origin = "the GST");

/// Reads a table from JSON: {"name": ..., "<field>": {"value": 1, "source": "measured", "note": "..."}, ...}.
/// A figure that is assumed needs a note. Fields that do not exist are refused.
/// @throws std::invalid_argument as check() does
GpuSpecification specification_from_json(std::string_view text, std::string_view origin);

/// The same from a file.
GpuSpecification read_specification(const std::filesystem::path& file);

/// The JSON that specification_from_json reads, with a line per field.
std::string to_json(const GpuSpecification& specification);

}  // namespace warplab::acta
