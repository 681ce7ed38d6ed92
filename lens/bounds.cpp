#include "lens/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warplab::lens {
namespace {

constexpr double sector_bytes = 32, ns_per_us = 1e3;
constexpr std::size_t resources = 10;

double number(std::uint64_t count) { return static_cast<double>(count); }

/// What must pass between L2 and DRAM. Others' data that L2 holds have to be written back before it takes in
/// something else; as much of what the launch writes may stay there. Of an H100's L2 that was overwritten
/// from end to end, 0.6 is such data at least: reading 40 MB moves 70 MB (results/h100-80gb-hbm3, lab 08).
double dram_bytes(const Work& work, const DeviceRates& rates) {
  const double kept = 0.6 * rates.l2_bytes;
  const double read = sector_bytes * number(work.read_sectors);
  const double written = sector_bytes * number(work.written_sectors);
  if (read + written <= kept) return read + read + written;
  return read + std::max(written, kept);
}

/// Blocks that a multiprocessor can hold at once.
double resident_blocks(const Launch& launch) {
  return std::max(1, launch.occupancy.blocks_per_multiprocessor);
}

/// Blocks take turns: as many rounds as do not fit side by side, each with its barriers and, where it loads
/// at all, the latency of a load.
double waiting_us(const Launch& launch, const DeviceRates& rates) {
  const double resident = resident_blocks(launch) * rates.multiprocessors;
  const double rounds = std::ceil(number(launch.blocks) / resident);
  const double warps =
      std::ceil(number(std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2]) / 32);
  const double barriers = number(launch.max_barriers) * (rates.barrier + rates.barrier_of_warp * warps);
  const double load = launch.work->fetched_sectors > 0 ? rates.l2_latency : 0;
  return (rounds * (barriers + load) - load) / rates.clock / ns_per_us;  // the first load is fixed
}

using Times = std::array<double, resources>;

Times times_of(const Launch& launch, const DeviceRates& rates) {
  const Work& work = *launch.work;
  Times us{};
  const auto set = [&](Resource resource, double count, double per_ns) {
    us[static_cast<std::size_t>(resource)] = count / per_ns / ns_per_us;
  };
  set(Resource::dram, dram_bytes(work, rates), rates.dram);
  set(Resource::l2_loads, sector_bytes * number(work.fetched_sectors) / resident_blocks(launch),
      rates.l2_load);
  set(Resource::l2_stores,
      number(work.stored_sectors) / rates.l2_store + number(work.partial_sectors) / rates.partial_store, 1);
  set(Resource::l1, number(work.load_quarters) / 4 + number(work.shared_passes),
      rates.clock * rates.multiprocessors);
  set(Resource::one_address, number(work.busiest_address), rates.one_address);
  set(Resource::tensor_cores, number(work.mma_flops) / rates.mma + number(work.wgmma_flops) / rates.wgmma,
      1e3);
  set(Resource::block_starts, number(launch.blocks), rates.block_starts);
  set(Resource::barriers, number(launch.counts.barriers),
      rates.barrier_warps * rates.clock * rates.multiprocessors);
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

double fixed_us(double launches, bool loads, const DeviceRates& rates) {
  const double first_load = loads ? rates.dram_latency / rates.clock / ns_per_us : 0;
  return rates.event_us + (launches - 1) * rates.further_launch_us + first_load;
}

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
    case Resource::arithmetic:
      return "arithmetic";
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
  return bounds_from(times_of(launch, rates),
                     fixed_us(number(launches), launch.work->fetched_sectors > 0, rates));
}

std::optional<Bounds> bounds_of_call(const std::vector<Launch>& launches, const DeviceRates& rates,
                                     double flops, double peak) {
  double by_host = 0, largest = 0;
  bool loads = false;
  Times of_host{}, of_kernels{};
  for (const Launch& launch : launches) {
    if (!launch.work) return std::nullopt;
    const Times us = times_of(launch, rates);
    loads = loads || launch.work->fetched_sectors > 0;
    by_host += launch.from_kernel ? 0 : 1;
    if (!launch.from_kernel) largest += *std::ranges::max_element(us);
    Times& sums = launch.from_kernel ? of_kernels : of_host;
    for (std::size_t i = 0; i < resources; ++i) sums[i] += us[i];
  }
  Times us = of_host;
  // Each launch has a resource of its own that limits it: their sum is charged to the largest of the sums.
  *std::ranges::max_element(us) = largest;
  for (std::size_t i = 0; i < resources; ++i) us[i] = std::max(us[i], of_kernels[i]);
  us[static_cast<std::size_t>(Resource::arithmetic)] = flops / peak / 1e6;
  return bounds_from(us, fixed_us(std::max(1., by_host), loads, rates));
}

std::string bounds_text(const Bounds& bounds, const DeviceRates& rates) {
  std::string text = fmt::format("{:.3g} us on a {}, by {}", bounds.us(), rates.name, bounds.limit());
  std::string others = fmt::format("launch {:.3g}", bounds.fixed_us);
  for (const Bound& bound : bounds.each)
    if (bound.us > 0.05 * bounds.us())
      others += fmt::format(", {} {:.3g}", name_of(bound.resource), bound.us);
  return text + " (" + others + ")";
}

}  // namespace warplab::lens
