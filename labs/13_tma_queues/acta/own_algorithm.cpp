#include "own_algorithm.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "acta.hpp"
#include "block_share.hpp"

namespace warplab::acta {
namespace {

/// One configuration of a workload, as predict() sees it.
class Model {
 public:
  Model(const GpuSpecification& specification, const Workload& workload, const std::vector<QueueSize>& sizes)
      : specification_(specification), workload_(workload), share_(block_share(specification, workload)) {
    tile_ = static_cast<double>(greatest_tile);
    slots_ = max_slots;
    for (std::size_t q = 0; q < sizes.size(); ++q) {
      const QueueSize& size = sizes[q];
      const auto width = static_cast<double>(size.element_bytes);
      const bool resident = workload.queues[q].kind == QueueKind::stationary &&
                            size.tile * static_cast<std::size_t>(size.slots) >= share_.elements;
      if (resident) {
        filling_tiles_ += static_cast<double>((share_.elements + size.tile - 1) / size.tile);
        filling_bytes_ += static_cast<double>(share_.elements) * width;
        continue;
      }
      tile_ = std::min(tile_, static_cast<double>(size.tile));
      slots_ = std::min(slots_, static_cast<double>(size.slots));
      tiles_per_step_ += 1;
      bytes_per_element_ += width;
    }
    const double others = tiles_per_step_ - static_cast<double>(streaming_queues(workload));
    issue_ = issue_cycles(specification, workload) + others * specification.tma_cycles;
    if (tiles_per_step_ == 0) tile_ = static_cast<double>(share_.elements);
  }

  Prediction predict() const {
    const auto elements = static_cast<double>(share_.elements);
    const double full_steps = std::floor(elements / tile_);
    const double rest = elements - full_steps * tile_;
    const double first = full_steps > 0 ? tile_ : rest;
    const double last = rest > 0 ? rest : tile_;
    double pass = (full_steps - 1) * step(tile_, tile_);  // from a pass's first step to its last
    if (rest > 0) pass = std::max(0.0, pass) + (full_steps > 0 ? step(tile_, rest) : 0);
    const auto passes = static_cast<double>(share_.passes);
    return {arrival(first) + filling(full_steps + (rest > 0)),
            passes * pass + (passes - 1) * step(last, first), consume(last)};
  }

 private:
  double transfer(double elements) const { return elements * bytes_per_element_ / share_.bytes_per_cycle; }

  /// By how much the tiles of the resident queues lengthen the first pass, of so many steps.
  double filling(double steps) const {
    const double issue = filling_tiles_ * specification_.tma_cycles / steps;
    const double bytes = filling_bytes_ / share_.bytes_per_cycle / steps;
    const double longer = std::max({issue_ + issue, transfer(tile_) + bytes, step(tile_, tile_)});
    return std::max(issue, bytes) + (steps - 1) * (longer - step(tile_, tile_));
  }

  double consume(double elements) const {
    return tiles_per_step_ * specification_.barrier_cycles + specification_.shared_latency_cycles +
           processing_cycles(specification_, workload_, elements);
  }

  double arrival(double elements) const {
    const double transfers = transfer(elements);
    const double one = transfers / std::max(1.0, tiles_per_step_);
    return std::max(issue_ + one, specification_.tma_cycles + transfers) + share_.latency;
  }

  /// From a step of `before` elements to the next one, of `elements`.
  double step(double before, double elements) const {
    const double turnover = (arrival(elements) + consume(elements)) / slots_;
    return std::max({issue_, transfer(elements), consume(before), turnover});
  }

  const GpuSpecification& specification_;
  const Workload& workload_;
  const BlockShare share_;
  double tile_, slots_;           ///< of the queues that stream
  double tiles_per_step_ = 0;     ///< one of each queue that streams
  double issue_ = 0;              ///< cycles of the producer per step
  double bytes_per_element_ = 0;  ///< over the queues that stream
  double filling_tiles_ = 0;      ///< that fill the resident queues, once
  double filling_bytes_ = 0;
};

/// A configuration that fits, with its predicted times.
struct Candidate {
  std::vector<QueueSize> sizes;
  double cycles;         ///< with the table's figures
  double slower_cycles;  ///< with those of pessimistic()
};

/// Sizes with this tile and these slots; stationary vectors of `elements` are
/// resident or streamed in every pass.
std::vector<QueueSize> sizes_with(const Workload& workload, std::size_t tile, int slots, bool resident,
                                  std::size_t elements) {
  std::vector<QueueSize> sizes;
  for (const Queue& queue : workload.queues) {
    const std::size_t useful = greatest_useful_tile(workload, queue);
    if (queue.kind == QueueKind::streaming || !resident) {
      sizes.push_back(sized(queue, std::min(tile, useful), slots));
      continue;
    }
    const std::size_t eighth = std::bit_ceil((elements + max_slots - 1) / max_slots);
    const std::size_t holding = std::clamp(std::max(tile, eighth), min_tile, useful);
    const std::size_t needed = (elements + holding - 1) / holding;
    sizes.push_back(sized(queue, holding, static_cast<int>(std::min<std::size_t>(needed, max_slots))));
  }
  return sizes;
}

/// The same GPU with all latencies and costs per tile longer.
GpuSpecification pessimistic(GpuSpecification specification) {
  for (Figure GpuSpecification::*figure :
       {&GpuSpecification::tma_cycles, &GpuSpecification::copy_cycles, &GpuSpecification::barrier_cycles,
        &GpuSpecification::shared_latency_cycles, &GpuSpecification::l2_latency_cycles,
        &GpuSpecification::dram_latency_cycles})
    (specification.*figure).value *= pessimism;
  return specification;
}

std::vector<Candidate> candidates(const GpuSpecification& specification, const Workload& workload) {
  const GpuSpecification slower = pessimistic(specification);
  const std::size_t elements = block_share(specification, workload).elements;
  std::vector<Candidate> fitting;
  for (std::size_t tile = min_tile; tile <= greatest_tile; tile *= 2)
    for (int slots = 1; slots <= max_slots; ++slots)
      for (const bool resident : {true, false}) {
        std::vector<QueueSize> sizes = sizes_with(workload, tile, slots, resident, elements);
        if (!fits(specification, workload, sizes)) continue;
        const double cycles = predict(specification, workload, sizes).cycles();
        const double slower_cycles = predict(slower, workload, sizes).cycles();
        fitting.push_back({std::move(sizes), cycles, slower_cycles});
      }
  return fitting;
}

}  // namespace

double bytes_in_flight_needed(const GpuSpecification& specification, const Workload& workload) {
  const BlockShare share = block_share(specification, workload);
  return share.bytes_per_cycle * (specification.tma_cycles + share.latency);
}

Prediction predict(const GpuSpecification& specification, const Workload& workload,
                   const std::vector<QueueSize>& sizes) {
  return Model(specification, workload, sizes).predict();
}

std::vector<QueueSize> own_sizes(const GpuSpecification& specification, const Workload& workload) {
  check(specification, workload);
  const std::vector<Candidate> fitting = candidates(specification, workload);
  const auto least = [&](double Candidate::*cycles) {
    return (*std::ranges::min_element(fitting, {}, cycles)).*cycles;
  };
  const double fastest = least(&Candidate::cycles), fastest_slower = least(&Candidate::slower_cycles);
  const auto regret = [&](const Candidate& candidate) {
    return std::max(candidate.cycles / fastest, candidate.slower_cycles / fastest_slower);
  };
  const double smallest = regret(*std::ranges::min_element(fitting, {}, regret));
  const auto slack = [&](const Candidate& candidate) {  // of those that are as good
    return regret(candidate) <= smallest * (1 + as_fast) ? shared_bytes(candidate.sizes) : 0;
  };
  return std::ranges::max_element(fitting, {}, slack)->sizes;
}

}  // namespace warplab::acta
