#pragma once

#include <algorithm>
#include <cstdint>

namespace warplab::lens {

/// The least that a launch asks of a GPU's units, also where a compiler joins neighbouring accesses of a
/// thread and keeps in registers what it has read. Bounds of the launch's time are made of it.
struct Work {
  std::uint64_t read_sectors = 0;     ///< distinct sectors of global memory that it reads
  std::uint64_t written_sectors = 0;  ///< distinct sectors that it writes
  std::uint64_t fetched_sectors = 0;  ///< distinct sectors that a block reads, added up over the blocks
  std::uint64_t stored_sectors = 0;   ///< sectors that stores write whole, or with others of their line
  std::uint64_t partial_sectors =
      0;                            ///< sectors of which a store writes a part, and nothing else of the line
  std::uint64_t load_quarters = 0;  ///< of passes of L1's pipe, for loads from global memory
  std::uint64_t shared_passes = 0;  ///< of the same pipe, for shared memory
  std::uint64_t busiest_address = 0;  ///< requests of atomics on the global address that has most of them
  std::uint64_t busiest_sum = 0;      ///< additions to the float or double in global memory that gets most
  std::uint64_t instructions = 0;     ///< of warps: arithmetic, and requests to memory
  std::uint64_t double_instructions = 0;   ///< of these, by the units for doubles ...
  std::uint64_t special_instructions = 0;  ///< ... and by the special function unit, which converts as well
  std::uint64_t table_loads = 0;   ///< of these, of constants that functions of the library keep in memory
  std::uint64_t longest_warp = 0;  ///< instructions of the warp that has most
  /// Of the block that has fewest: between two barriers, and to its end, it waits for memory that it has not
  /// read before.
  std::uint64_t load_phases = 0;
  std::uint64_t mma_flops = 0;    ///< of wmma and mma.sync, as if operands had 16 bits (8 bits count half)
  std::uint64_t wgmma_flops = 0;  ///< of wgmma, likewise
  /// Distinct sectors of global memory that a block's asynchronous copies read, added up over the blocks:
  /// those of cp.async, and those of bulk copies and of tensors'.
  std::uint64_t copied_sectors = 0, bulk_copied_sectors = 0;
  /// Where a thread waits for copies of cp.async and then starts others: bytes that its waits landed, and
  /// these times the share of its copies that was left under way. Both are in parts of a byte.
  std::uint64_t copies_landed = 0, copies_overlapped = 0;
  static constexpr std::uint64_t parts_of_byte = 840;  ///< 1 to 8 slots divide it
};

template <class Take>
void each_field(const Work*, Take take) {
  take("read_sectors", &Work::read_sectors);
  take("written_sectors", &Work::written_sectors);
  take("fetched_sectors", &Work::fetched_sectors);
  take("stored_sectors", &Work::stored_sectors);
  take("partial_sectors", &Work::partial_sectors);
  take("load_quarters", &Work::load_quarters);
  take("shared_passes", &Work::shared_passes);
  take("busiest_address", &Work::busiest_address);
  take("busiest_sum", &Work::busiest_sum);
  take("instructions", &Work::instructions);
  take("double_instructions", &Work::double_instructions);
  take("special_instructions", &Work::special_instructions);
  take("table_loads", &Work::table_loads);
  take("longest_warp", &Work::longest_warp);
  take("load_phases", &Work::load_phases);
  take("mma_flops", &Work::mma_flops);
  take("wgmma_flops", &Work::wgmma_flops);
  take("copied_sectors", &Work::copied_sectors);
  take("bulk_copied_sectors", &Work::bulk_copied_sectors);
  take("copies_landed", &Work::copies_landed);
  take("copies_overlapped", &Work::copies_overlapped);
}

/// Of both together.
inline Work& operator+=(Work& sum, const Work& more) {
  const std::uint64_t longest = std::max(sum.longest_warp, more.longest_warp);
  const std::uint64_t phases = std::min(sum.load_phases, more.load_phases);
  each_field(&sum, [&](const char*, auto member) { sum.*member += more.*member; });
  sum.longest_warp = longest;
  sum.load_phases = phases;
  return sum;
}

}  // namespace warplab::lens
