#include "emulator/src/recorder/launch_work.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "emulator/src/memory/memory.hpp"
#include "lens/count_fields.hpp"

namespace warplab::emulator::lens {
namespace {

using warplab::lens::Work;

/// Sectors of one allocation: distinct ones, and those of all blocks that were recorded added up.
struct Sectors {
  std::uint64_t distinct = 0, of_blocks = 0;
};

std::uint64_t scaled(std::uint64_t count, double weight) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * weight));
}

std::uint64_t all_of(const Sectors& seen, std::uint64_t there, double weight) {
  constexpr double few = 0.95;  // of the sectors of a block, those that no other one touches
  const bool apart = static_cast<double>(seen.distinct) >= few * static_cast<double>(seen.of_blocks);
  return apart ? std::clamp(scaled(seen.distinct, weight), seen.distinct, std::max(there, seen.distinct))
               : seen.distinct;
}

}  // namespace

void LaunchWork::add(const BlockWork& block) {
  if (recorded_++ == 0)
    sums_ = block.sums();
  else
    sums_ += block.sums();
  for (const auto& [number, use] : block.pages()) {
    Page& page = pages_[number];
    for (std::size_t i = 0; i < use.read.size(); ++i) {
      page.use.read[i] |= use.read[i];
      page.use.written[i] |= use.written[i];
    }
    page.read += static_cast<std::uint32_t>(PageUse::count(use.read));
    page.written += static_cast<std::uint32_t>(PageUse::count(use.written));
  }
  for (const auto& [address, requests] : block.atomics()) atomics_[address] += requests;
  for (const auto& [address, sums] : block.atomic_sums()) atomic_sums_[address] += sums;
}

void LaunchWork::close(std::uint64_t blocks) {
  if (recorded_ == 0) return;
  const double weight = static_cast<double>(blocks) / static_cast<double>(recorded_);
  struct Use {
    std::uint64_t sectors = 0;
    Sectors read, written;
  };
  std::map<const char*, Use> allocations;
  for (const auto& [number, page] : pages_) {
    const auto known = find_allocation(reinterpret_cast<const void*>(number * PageUse::bytes));
    Use& use = allocations[known ? known->data : nullptr];
    if (known) use.sectors = (known->bytes + PageUse::sector_bytes - 1) / PageUse::sector_bytes;
    use.read.distinct += PageUse::count(page.use.read);
    use.read.of_blocks += page.read;
    use.written.distinct += PageUse::count(page.use.written);
    use.written.of_blocks += page.written;
  }
  Work whole;
  each_field(&whole, [&](const char*, auto member) { whole.*member = scaled(sums_.*member, weight); });
  std::uint64_t fetched = 0;
  for (const auto& [data, use] : allocations) {
    whole.read_sectors += all_of(use.read, use.sectors, weight);
    whole.written_sectors += all_of(use.written, use.sectors, weight);
    fetched += use.read.of_blocks;
  }
  whole.fetched_sectors = scaled(fetched, weight);
  for (const auto& [address, requests] : atomics_)
    whole.busiest_address = std::max(whole.busiest_address, scaled(requests, weight));
  for (const auto& [address, sums] : atomic_sums_)
    whole.busiest_sum = std::max(whole.busiest_sum, scaled(sums, weight));
  whole.longest_warp = sums_.longest_warp;
  whole.load_phases = sums_.load_phases;
  sums_ = whole;
  recorded_ = 0;
  pages_.clear();
  atomics_.clear();
  atomic_sums_.clear();
}

}  // namespace warplab::emulator::lens
