#include "lens/bounds/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace warplab::lens {
namespace {

constexpr double bytes_per_sector = 32, ns_per_us = 1e3;
constexpr std::size_t resources = 12;

double number(std::uint64_t count) { return static_cast<double>(count); }

/// What must pass between L2 and DRAM. Others' data that L2 holds have to be written back before it takes in
/// something else; as much of what the launch writes may stay there. Of an H100's L2 that was overwritten
/// from end to end, 0.6 is such data at least, and of what makes room 0.75: reading 40 MB moves 70 MB
/// (results/h100-80gb-hbm3, lab 08).
double dram_bytes(const Work& work, const DeviceRates& rates) {
  const double kept = 0.6 * rates.l2_bytes;
  const double read = bytes_per_sector * number(work.read_sectors);
  const double written = bytes_per_sector * number(work.written_sectors);
  const double made_room = 0.75 * (read + written);
  return read + (made_room <= kept ? made_room : std::max(written, kept));
}

/// Blocks that a multiprocessor can hold at once.
double resident_blocks(const Launch& launch) {
  return std::max(1, launch.occupancy.blocks_per_multiprocessor);
}

/// Clocks until a load has its value that nobody has asked L1 for: where each sector is read by one block
/// only, it comes from DRAM.
double load_clocks(const Work& work, const DeviceRates& rates) {
  constexpr double few = 0.95;
  return number(work.read_sectors) >= few * number(work.fetched_sectors) ? rates.dram_latency
                                                                         : rates.l2_latency;
}

/// Multiprocessors that have something to do: of blocks that are fewer, each keeps one busy. Launches by
/// kernels run side by side.
double busy_multiprocessors(const Launch& launch, const DeviceRates& rates) {
  return launch.from_kernel ? rates.multiprocessors
                            : std::min<double>(rates.multiprocessors, std::max(1., number(launch.blocks)));
}

/// Clocks until what a block stores last has come to L2: before that the launch has not ended.
double store_clocks(const Work& work, const DeviceRates& rates) {
  return work.written_sectors > 0 ? rates.l2_latency : 0;
}

/// Blocks take turns where they do not fit side by side, each with its barriers, and with the latency of a
/// load where threads wait for memory: at least what the longest one takes, and their share of all. A warp
/// begins one instruction per clock, and none while it waits at a barrier.
double waiting_us(const Launch& launch, const DeviceRates& rates) {
  const Work& work = *launch.work;
  const double places = resident_blocks(launch) * rates.multiprocessors;
  const double turns = number(launch.blocks) / places;
  const double warps =
      std::ceil(number(std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2]) / 32);
  const double barrier = rates.barrier + rates.barrier_of_warp * warps;
  const double loads = number(work.load_phases) * load_clocks(work, rates);
  const double longest = loads + number(launch.max_barriers) * barrier + number(work.longest_warp) +
                         store_clocks(work, rates);  // of any block
  const double share = number(launch.counts.barriers) / warps * barrier / places +
                       std::max(turns * loads, number(work.instructions) / warps / places);
  const double first = work.load_phases > 0 ? load_clocks(work, rates) : 0;  // is fixed
  return (std::max({longest, share, std::ceil(turns) * loads}) - first) / rates.clock / ns_per_us;
}

using Times = std::array<double, resources>;

Times times_of(const Launch& launch, const DeviceRates& rates) {
  const Work& work = *launch.work;
  const double busy = busy_multiprocessors(launch, rates), clocks_per_ns = rates.clock * busy;
  Times us{};
  const auto set = [&](Resource resource, double count, double per_ns) {
    us[static_cast<std::size_t>(resource)] = count / per_ns / ns_per_us;
  };
  set(Resource::dram, dram_bytes(work, rates), rates.dram);
  set(Resource::l2_loads, bytes_per_sector * number(work.fetched_sectors) / resident_blocks(launch),
      rates.l2_load);
  set(Resource::l2_stores,
      number(work.stored_sectors) / rates.l2_store + number(work.partial_sectors) / rates.partial_store, 1);
  set(Resource::l1,
      number(work.load_quarters + work.stored_sectors + work.partial_sectors) / 4 +
          number(work.shared_passes + work.table_loads),
      clocks_per_ns);
  set(Resource::one_address,
      std::max(number(work.busiest_address) / rates.one_address, number(work.busiest_sum) / rates.one_sum),
      1);
  set(Resource::tensor_cores, number(work.mma_flops) / rates.mma + number(work.wgmma_flops) / rates.wgmma,
      1e3 * busy / rates.multiprocessors);
  set(Resource::instructions, number(work.instructions), rates.instructions * clocks_per_ns);
  set(Resource::doubles, number(work.double_instructions), rates.doubles * clocks_per_ns);
  set(Resource::specials, number(work.special_instructions), rates.specials * clocks_per_ns);
  set(Resource::block_starts, number(launch.blocks), rates.block_starts);
  set(Resource::barriers, number(launch.counts.barriers), rates.barrier_warps * clocks_per_ns);
  us[static_cast<std::size_t>(Resource::waits)] = waiting_us(launch, rates);
  return us;
}

Bounds bounds_from(const Times& us, double fixed_us) {
  Bounds bounds{fixed_us, {}};
  for (std::size_t i = 0; i < resources; ++i)
    if (us[i] > 0) bounds.each.push_back({static_cast<Resource>(i), us[i]});
  std::ranges::sort(bounds.each, [](const Bound& a, const Bound& b) { return a.us > b.us; });
  return bounds;
}

/// What a call's launches have in common, one after another.
struct Sequence {
  double launches = 0;
  std::uint64_t fills = 0, copies = 0;
  bool loads = false;

  void add(const Launch& launch) {
    fills += launch.fills;
    copies += launch.copies;
    loads = loads || launch.work->fetched_sectors + launch.work->table_loads > 0;
  }
  double fixed_us(const DeviceRates& rates) const {
    const double first_load = loads ? rates.dram_latency / rates.clock / ns_per_us : 0;
    return rates.event_us + (launches - 1) * rates.further_launch_us + number(fills) * rates.fill_us +
           number(copies) * rates.copy_us + first_load;
  }
};

}  // namespace

const char* name_of(Resource resource) {
  switch (resource) {
    case Resource::dram:
      return "DRAM";
    case Resource::l2_loads:
      return "loads from L2";
    case Resource::l2_stores:
      return "stores to L2";
    case Resource::l1:
      return "L1 and shared memory";
    case Resource::one_address:
      return "atomics on one address";
    case Resource::tensor_cores:
      return "tensor cores";
    case Resource::instructions:
      return "instructions";
    case Resource::doubles:
      return "arithmetic in double";
    case Resource::specials:
      return "special functions and conversions";
    case Resource::block_starts:
      return "starting blocks";
    case Resource::barriers:
      return "barriers";
    case Resource::waits:
      return "waits";
  }
  return "";
}

const char* Bounds::limit() const {
  return each.empty() || each.front().us < fixed_us ? "launch" : name_of(each.front().resource);
}

Bounds bounds_of(const Launch& launch, const DeviceRates& rates, std::uint64_t launches) {
  Sequence sequence{.launches = number(launches)};
  sequence.add(launch);
  return bounds_from(times_of(launch, rates), sequence.fixed_us(rates));
}

std::optional<Bounds> bounds_of_call(const std::vector<Launch>& launches, const DeviceRates& rates) {
  Sequence sequence;
  double largest = 0;
  Times of_host{}, of_kernels{};
  for (const Launch& launch : launches) {
    if (!launch.work) return std::nullopt;
    const Times us = times_of(launch, rates);
    sequence.add(launch);
    sequence.launches += launch.from_kernel ? 0 : 1;
    if (!launch.from_kernel) largest += *std::ranges::max_element(us);
    Times& sums = launch.from_kernel ? of_kernels : of_host;
    for (std::size_t i = 0; i < resources; ++i) sums[i] += us[i];
  }
  Times us = of_host;
  // Each launch has a resource of its own that limits it: their sum is charged to the largest of the sums.
  *std::ranges::max_element(us) = largest;
  for (std::size_t i = 0; i < resources; ++i) us[i] = std::max(us[i], of_kernels[i]);
  sequence.launches = std::max(1., sequence.launches);
  return bounds_from(us, sequence.fixed_us(rates));
}

std::string bounds_text(const Bounds& bounds, const DeviceRates& rates) {
  const char* article = std::string_view(rates.name).starts_with("NVIDIA") ? "an" : "a";
  std::string text =
      fmt::format("{:.3g} us on {} {}, by {}", bounds.us(), article, rates.name, bounds.limit());
  std::string others = fmt::format("launch {:.3g}", bounds.fixed_us);
  for (const Bound& bound : bounds.each)
    if (bound.us > 0.05 * bounds.us())
      others += fmt::format(", {} {:.3g}", name_of(bound.resource), bound.us);
  return text + " (" + others + ")";
}

}  // namespace warplab::lens
