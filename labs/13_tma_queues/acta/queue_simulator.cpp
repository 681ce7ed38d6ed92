#include "queue_simulator.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "block_share.hpp"

namespace warplab::acta {
namespace {

/// A number from -1 to 1 that looks random but is the same for the same `index` (SplitMix64).
double noise(std::uint64_t index) {
  std::uint64_t bits = (index + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return std::ldexp(static_cast<double>((bits ^ (bits >> 31)) >> 11), -52) - 1;
}

/// A ring of slots while it is simulated.
struct Ring {
  std::size_t tile;
  double element_bytes;
  bool resident;                ///< holds its whole vector: filled in the first pass, never emptied
  std::vector<double> issued;   ///< per slot: when its tile was issued
  std::vector<double> free_at;  ///< per slot: when its tile was consumed
  std::size_t next = 0;         ///< slot of the next tile
  std::size_t current = 0;      ///< slot of the tile that the consumers read

  bool is_filled_in(std::size_t pass) const { return !resident || pass == 0; }
};

/// The state of one block, advanced one segment at a time. In a segment, no queue changes its tile.
class Block {
 public:
  Block(const GpuSpecification& specification, const Workload& workload, const std::vector<QueueSize>& sizes,
        double latency_spread)
      : specification_(specification),
        workload_(workload),
        share_(block_share(specification, workload)),
        latency_spread_(latency_spread) {
    for (std::size_t q = 0; q < sizes.size(); ++q) {
      const QueueSize& size = sizes[q];
      const auto slots = static_cast<std::size_t>(size.slots);
      const bool resident =
          workload.queues[q].kind == QueueKind::stationary && size.tile * slots >= share_.elements;
      rings_.push_back({size.tile, static_cast<double>(size.element_bytes), resident,
                        std::vector<double>(slots), std::vector<double>(slots)});
    }
  }

  Simulation run() {
    for (std::size_t pass = 0; pass < share_.passes; ++pass)
      for (std::size_t position = 0, end = 0; position < share_.elements; position = end) {
        end = next_boundary(position, pass);
        consume(static_cast<double>(end - position), produce(position, pass));
        for (Ring& ring : rings_)
          if (!ring.resident && (end % ring.tile == 0 || end == share_.elements)) release(ring);
      }
    result_.cycles = consumer_;
    return result_;
  }

 private:
  struct Arrivals {
    std::size_t tiles = 0;
    double last = 0;
  };

  /// Where the next tile begins, or the pass ends.
  std::size_t next_boundary(std::size_t position, std::size_t pass) const {
    std::size_t end = share_.elements;
    for (const Ring& ring : rings_)
      if (ring.is_filled_in(pass)) end = std::min(end, (position / ring.tile + 1) * ring.tile);
    return end;
  }

  /// Issues the tiles that begin here.
  Arrivals produce(std::size_t position, std::size_t pass) {
    Arrivals arrivals;
    for (Ring& ring : rings_) {
      if (!ring.is_filled_in(pass) || position % ring.tile != 0) continue;
      const double start = std::max(producer_, ring.free_at[ring.next]);
      result_.producer_wait += start - producer_;
      const bool is_first = arrivals.tiles % static_cast<std::size_t>(workload_.queues_per_push) == 0;
      producer_ = start + (is_first ? specification_.tma_cycles : specification_.copy_cycles);
      const double bytes =
          static_cast<double>(std::min(ring.tile, share_.elements - position)) * ring.element_bytes;
      pipe_ = std::max(pipe_, producer_) + bytes / share_.bytes_per_cycle;
      arrivals.last = std::max(arrivals.last, pipe_ + latency_of(result_.tiles++));
      ring.issued[ring.next] = start;
      ring.current = ring.next;
      ring.next = (ring.next + 1) % ring.issued.size();
      result_.bytes += bytes;
      ++arrivals.tiles;
    }
    return arrivals;
  }

  double latency_of(std::size_t transfer) const {
    return share_.latency * (1 + latency_spread_ * noise(transfer));
  }

  void consume(double elements, const Arrivals& arrivals) {
    const double start = std::max(consumer_, arrivals.last);
    result_.consumer_wait += start - consumer_;
    consumer_ = start + static_cast<double>(arrivals.tiles) * specification_.barrier_cycles +
                specification_.shared_latency_cycles + processing_cycles(specification_, workload_, elements);
  }

  void release(Ring& ring) {
    ring.free_at[ring.current] = consumer_;
    result_.slot_cycles += consumer_ - ring.issued[ring.current];
  }

  const GpuSpecification& specification_;
  const Workload& workload_;
  const BlockShare share_;
  const double latency_spread_;
  std::vector<Ring> rings_;
  double producer_ = 0, pipe_ = 0, consumer_ = 0;  ///< when each is free
  Simulation result_;
};

}  // namespace

Simulation simulate(const GpuSpecification& specification, const Workload& workload,
                    const std::vector<QueueSize>& sizes, double latency_spread) {
  if (sizes.size() != workload.queues.size())
    throw std::invalid_argument("the simulator got sizes of " + std::to_string(sizes.size()) +
                                " queues for a workload of " + std::to_string(workload.queues.size()));
  for (const QueueSize& size : sizes)
    if (size.tile == 0 || size.slots < 1)
      throw std::invalid_argument("the simulator got a queue of " + std::to_string(size.slots) +
                                  " slots of " + std::to_string(size.tile) +
                                  " elements; both must be at least 1");
  if (static_cast<double>(shared_bytes(sizes)) > specification.shared_bytes)
    throw std::invalid_argument("the queues take " + std::to_string(shared_bytes(sizes)) +
                                " bytes of shared memory; a block has " +
                                std::to_string(static_cast<std::size_t>(specification.shared_bytes)));
  return Block(specification, workload, sizes, latency_spread).run();
}

double ideal_cycles(const GpuSpecification& specification, const Workload& workload) {
  const BlockShare share = block_share(specification, workload);
  double bytes = 0;  // of the whole GPU
  for (const Queue& queue : workload.queues) {
    const bool again = queue.kind == QueueKind::streaming && workload.passes > 0;
    bytes += static_cast<double>(queue.length * queue.element_bytes * (again ? workload.passes : 1));
  }
  if (workload.distinct_bytes > 0) bytes = static_cast<double>(workload.distinct_bytes);
  const auto blocks = static_cast<double>(workload.multiprocessors);
  const auto positions = static_cast<double>(share.elements * share.passes);
  const double stored = positions * workload.stored_bytes_per_position;
  const double transfer =
      (bytes / blocks + stored) / specification.dram_bytes_per_cycle(workload.multiprocessors);
  const double latency =
      specification.tma_cycles + specification.l2_latency_cycles + specification.dram_latency_cycles;
  return latency + std::max(transfer, processing_cycles(specification, workload, positions));
}

}  // namespace warplab::acta
