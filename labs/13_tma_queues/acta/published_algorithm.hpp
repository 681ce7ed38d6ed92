#pragma once

#include <cstddef>
#include <vector>

#include "gpu_specification.hpp"
#include "workload.hpp"

namespace warplab::acta {

/// ACTA's algorithms 1 to 3 as published. Where the paper leaves a formula open, a function below begins with
/// "Not in the paper", and the README lists what was chosen.
std::vector<QueueSize> published_sizes(const GpuSpecification& specification, const Workload& workload);

/// The times of algorithm 2, in cycles per tile.
struct TileTimes {
  double processing = 0;  ///< procTime
  double latency = 0;     ///< latencyTotal
  double memory = 0;      ///< memTransferTime
  double cache = 0;       ///< cacheTransferTime

  double transfer() const { return latency + memory + cache; }  ///< memTime
  double merit() const { return processing / transfer(); }
};

/// Algorithm 2.
TileTimes tile_times(const GpuSpecification& specification, const Workload& workload,
                     std::size_t element_bytes, std::size_t tile);

/// Algorithm 1: the tile with the best weighted merit, scaled by the intensity.
std::size_t optimal_tile(const GpuSpecification& specification, const Workload& workload, const Queue& queue);

/// Algorithm 3, for queues whose tiles are known: their slots, in order.
std::vector<int> optimal_slots(const GpuSpecification& specification, const Workload& workload,
                               const std::vector<std::size_t>& tiles);

/// Not in the paper: in what the bandwidth is counted. Bytes per cycle of one multiprocessor's even share.
double bandwidth_share(const GpuSpecification& specification, const Workload& workload);

/// Not in the paper: the least scheduling time. One cycle: without it, a tile smaller than what the
/// multiprocessor processes in a cycle gets a negative processing time.
double best_scheduling(double tile, double multiplications_per_cycle);

/// Not in the paper: the cost function. The share of shared memory that two tiles of every queue take.
double memory_cost(const GpuSpecification& specification, const Workload& workload, std::size_t tile);

/// Not in the paper: the weights. The merit times the share of shared memory that stays free.
double weighted_merit(double merit, double cost);

/// Not in the paper: the factor of scaling. Twice the tile for a low intensity, half of it for a high one.
std::size_t scaled_tile(std::size_t tile, Intensity intensity);

/// Not in the paper: Little's law with a formula. Tiles arrive one per transfer of all streaming queues'
/// tiles, or per issue of them where that takes longer; a tile stays from its issue until it is processed.
double littles_law_slots(const GpuSpecification& specification, const Workload& workload,
                         std::size_t element_bytes, std::size_t tile);

/// Not in the paper: how slots follow the number of multiprocessors. At least two, so that
/// a transfer overlaps with processing; no more than the tiles that one multiprocessor
/// gets of the vector; at most eight.
int rounded_by_multiprocessors(double slots, const Workload& workload, const Queue& queue, std::size_t tile);

/// Not in the paper: the slots to start from where Little's law asks for more than fits. Eight for a low
/// intensity, four for a medium one, two for a high one.
int slots_of_intensity(Intensity intensity);

}  // namespace warplab::acta
