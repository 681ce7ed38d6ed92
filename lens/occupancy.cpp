#include "lens/occupancy.hpp"

#include <algorithm>

namespace warplab::lens {
namespace {

constexpr std::uint64_t warp_size = 32;

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) { return (value + step - 1) / step * step; }

std::uint64_t blocks_by_registers(std::uint64_t warps_per_block, int registers,
                                  const MultiprocessorLimits& limits) {
  const std::uint64_t of_a_warp =
      round_up(static_cast<std::uint64_t>(registers) * warp_size, limits.register_granularity);
  const std::uint64_t partitions = limits.partitions;
  if (of_a_warp == 0) return limits.blocks;
  // A block that a whole multiprocessor could not start by itself: warps are dealt to all partitions alike.
  if (of_a_warp * round_up(warps_per_block, partitions) > static_cast<std::uint64_t>(limits.registers))
    return 0;
  return limits.registers / partitions / of_a_warp * partitions / warps_per_block;
}

}  // namespace

Occupancy theoretical_occupancy(const std::array<unsigned, 3>& block, std::uint64_t shared_bytes,
                                std::optional<int> registers, const MultiprocessorLimits& limits) {
  Occupancy result;
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  result.limited_by = "threads";
  if (threads == 0 || threads > static_cast<std::uint64_t>(limits.threads_per_block)) return result;

  const std::uint64_t warps_per_block = (threads + warp_size - 1) / warp_size;
  std::uint64_t blocks = limits.warps / warps_per_block;
  const auto limit = [&](std::uint64_t most, const char* by) {
    if (most >= blocks) return;
    blocks = most;
    result.limited_by = by;
  };
  const std::uint64_t shared = round_up(shared_bytes + limits.shared_reserved, limits.shared_granularity);
  const bool too_large = shared_bytes > limits.shared_bytes_per_block;
  if (shared > 0) limit(too_large ? 0 : limits.shared_bytes / shared, "shared memory");
  if (registers) limit(blocks_by_registers(warps_per_block, *registers, limits), "registers");
  limit(limits.blocks, "blocks");

  result.blocks_per_multiprocessor = static_cast<int>(blocks);
  result.theoretical = static_cast<double>(blocks * warps_per_block) / limits.warps;
  return result;
}

}  // namespace warplab::lens
