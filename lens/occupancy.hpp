#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "lens/report.hpp"

namespace warplab::lens {

/// What one multiprocessor has; by default that of compute capability 9.0.
struct MultiprocessorLimits {
  int warps = 64;
  int blocks = 32;
  int threads_per_block = 1024;
  std::uint64_t shared_bytes = 233472;
  std::uint64_t shared_bytes_per_block = 232448;  ///< at most, with the attribute set
  std::uint64_t shared_reserved = 1024;           ///< bytes of each block that the system takes
  std::uint64_t shared_granularity = 128;         ///< bytes
  int registers = 65536;
  int register_granularity = 256;  ///< registers of a warp are given in such portions
  int partitions = 4;              ///< each has its share of the registers and warps
};

/// The share of a multiprocessor's warps that blocks of this shape can keep active.
/// @param shared_bytes of a block, static and dynamic, without the system's part
/// @param registers of a thread; without them (the emulator has none) the result is an upper bound
/// @return 0 blocks where not even one fits; `limited_by` names the first resource
/// that ends, in the order threads,
///   shared memory, registers, blocks
/// Source: NVIDIA's occupancy calculator, cuda_occupancy.h of the CUDA Toolkit.
Occupancy theoretical_occupancy(const std::array<unsigned, 3>& block, std::uint64_t shared_bytes,
                                std::optional<int> registers = std::nullopt,
                                const MultiprocessorLimits& limits = {});

}  // namespace warplab::lens
