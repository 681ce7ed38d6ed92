#include "published_algorithm.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "acta.hpp"
#include "block_share.hpp"

namespace warplab::acta {
namespace {

/// The power of two with the nearest logarithm, at least 1.
double nearest_power_of_two(double value) { return std::exp2(std::max(0.0, std::round(std::log2(value)))); }

/// Bytes that `slots` tiles of all queues of a kind take.
std::size_t bytes_of(const Workload& workload, const std::vector<std::size_t>& tiles, QueueKind kind,
                     int slots) {
  std::size_t bytes = 0;
  for (std::size_t q = 0; q < tiles.size(); ++q)
    if (workload.queues[q].kind == kind)
      bytes += tiles[q] * workload.queues[q].element_bytes * static_cast<std::size_t>(slots);
  return bytes;
}

/// The streaming part of algorithm 3: one number of slots for all of them.
int streaming_slots(const GpuSpecification& specification, const Workload& workload,
                    const std::vector<std::size_t>& tiles, std::size_t room) {
  int slots = 0;
  for (std::size_t q = 0; q < tiles.size(); ++q) {
    const Queue& queue = workload.queues[q];
    if (queue.kind != QueueKind::streaming) continue;
    const double law = littles_law_slots(specification, workload, queue.element_bytes, tiles[q]);
    slots = std::max(slots, rounded_by_multiprocessors(nearest_power_of_two(law), workload, queue, tiles[q]));
  }
  const auto fits = [&] { return bytes_of(workload, tiles, QueueKind::streaming, slots) <= room; };
  if (!fits()) slots = slots_of_intensity(workload.intensity);
  while (slots > 1 && !fits()) slots /= 2;
  return slots;
}

}  // namespace

double bandwidth_share(const GpuSpecification& specification, const Workload& workload) {
  return specification.dram_bytes_per_cycle(workload.multiprocessors);
}

double best_scheduling(double tile, double multiplications_per_cycle) {
  return std::max(1.0, tile / multiplications_per_cycle);
}

TileTimes tile_times(const GpuSpecification& specification, const Workload& workload,
                     std::size_t element_bytes, std::size_t tile) {
  const double scheduling =
      best_scheduling(static_cast<double>(tile),
                      specification.multiplications_per_cycle * std::min(workload.consumer_warps, 4));
  const double overhead = std::min<double>(workload.consumer_warps - 1, specification.warp_pools);
  const double bytes = static_cast<double>(tile * element_bytes);
  TileTimes times;
  times.processing = scheduling + (scheduling - 1) * overhead;
  times.latency =
      specification.tma_cycles + specification.dram_latency_cycles + specification.l2_latency_cycles;
  times.memory = bytes / bandwidth_share(specification, workload);
  times.cache = 2 * bytes / specification.cache_line_bytes;
  return times;
}

double memory_cost(const GpuSpecification& specification, const Workload& workload, std::size_t tile) {
  double bytes = 0;
  for (const Queue& queue : workload.queues) bytes += 2.0 * static_cast<double>(tile * queue.element_bytes);
  return bytes / specification.shared_bytes;
}

double weighted_merit(double merit, double cost) { return merit * (1 - cost); }

std::size_t scaled_tile(std::size_t tile, Intensity intensity) {
  if (intensity == Intensity::low) tile *= 2;
  if (intensity == Intensity::high) tile /= 2;
  return std::clamp(tile, min_tile, greatest_tile);
}

std::size_t optimal_tile(const GpuSpecification& specification, const Workload& workload,
                         const Queue& queue) {
  std::size_t best = min_tile;
  double best_merit = -std::numeric_limits<double>::infinity();
  for (std::size_t tile = min_tile; tile <= greatest_tile; tile *= 2) {
    const double merit =
        weighted_merit(tile_times(specification, workload, queue.element_bytes, tile).merit(),
                       memory_cost(specification, workload, tile));
    if (merit > best_merit) {
      best = tile;
      best_merit = merit;
    }
  }
  return std::min(scaled_tile(best, workload.intensity), greatest_useful_tile(workload, queue));
}

double littles_law_slots(const GpuSpecification& specification, const Workload& workload,
                         std::size_t element_bytes, std::size_t tile) {
  const TileTimes times = tile_times(specification, workload, element_bytes, tile);
  const auto queues = static_cast<double>(std::max<std::size_t>(1, streaming_queues(workload)));
  const double between_arrivals = queues * std::max<double>(specification.tma_cycles, times.memory);
  const double in_the_queue = between_arrivals + times.latency + times.cache + times.processing;
  return in_the_queue / between_arrivals;
}

int rounded_by_multiprocessors(double slots, const Workload& workload, const Queue& queue, std::size_t tile) {
  const std::size_t parts = workload.passes == 0 ? static_cast<std::size_t>(workload.multiprocessors) : 1;
  const std::size_t tiles = (queue.length + tile * parts - 1) / (tile * parts);
  const double most = std::min<double>(max_slots, static_cast<double>(std::bit_floor(tiles)));
  return static_cast<int>(std::min(std::max(2.0, slots), most));
}

int slots_of_intensity(Intensity intensity) {
  return intensity == Intensity::low ? 8 : intensity == Intensity::medium ? 4 : 2;
}

std::vector<int> optimal_slots(const GpuSpecification& specification, const Workload& workload,
                               const std::vector<std::size_t>& tiles) {
  const auto shared = static_cast<std::size_t>(specification.shared_bytes);
  const auto stationary_queues = workload.queues.size() - streaming_queues(workload);
  // Not in the paper: one slot of each stationary queue is kept, so that the
  // streaming ones cannot take everything.
  const std::size_t kept = bytes_of(workload, tiles, QueueKind::stationary, 1);
  const int streaming = streaming_slots(specification, workload, tiles, shared - kept);
  const std::size_t rest = shared - bytes_of(workload, tiles, QueueKind::streaming, streaming);

  std::vector<int> slots;
  for (std::size_t q = 0; q < tiles.size(); ++q) {
    const Queue& queue = workload.queues[q];
    if (queue.kind == QueueKind::streaming) {
      slots.push_back(streaming);
      continue;
    }
    const std::size_t fit = rest / stationary_queues / (tiles[q] * queue.element_bytes);
    int own =
        rounded_by_multiprocessors(nearest_power_of_two(static_cast<double>(fit)), workload, queue, tiles[q]);
    while (own > 1 && static_cast<std::size_t>(own) > fit) own /= 2;
    slots.push_back(own);
  }
  const auto taken = [&] {
    std::size_t bytes = 0;
    for (std::size_t q = 0; q < tiles.size(); ++q)
      bytes += tiles[q] * workload.queues[q].element_bytes * static_cast<std::size_t>(slots[q]);
    return bytes;
  };
  while (taken() > shared)  // an even share of the rest may be less than one tile of a queue
    for (std::size_t q = 0; q < tiles.size(); ++q)
      if (workload.queues[q].kind == QueueKind::stationary) slots[q] = std::max(1, slots[q] / 2);
  return slots;
}

std::vector<QueueSize> published_sizes(const GpuSpecification& specification, const Workload& workload) {
  check(specification, workload);
  std::vector<std::size_t> tiles;
  for (const Queue& queue : workload.queues) tiles.push_back(optimal_tile(specification, workload, queue));
  // Not in the paper: tiles are halved until one slot of each fits.
  const auto bytes = [&] {
    return bytes_of(workload, tiles, QueueKind::streaming, 1) +
           bytes_of(workload, tiles, QueueKind::stationary, 1);
  };
  while (static_cast<double>(bytes()) > specification.shared_bytes)
    for (std::size_t& tile : tiles) tile = std::max(min_tile, tile / 2);

  const std::vector<int> slots = optimal_slots(specification, workload, tiles);
  std::vector<QueueSize> sizes;
  for (std::size_t q = 0; q < tiles.size(); ++q)
    sizes.push_back(sized(workload.queues[q], tiles[q], slots[q]));
  return sizes;
}

}  // namespace warplab::acta
