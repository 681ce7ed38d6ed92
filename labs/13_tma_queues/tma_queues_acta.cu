// ACTA: the size of the queues is computed, not searched for.
//
// 8 tiles and 8 numbers of slots make 64 configurations of the queues that stream. A formula predicts the
// time of each, and the fastest one that fits is taken; of equals, the largest. A slot is taken from the
// moment its copy starts until the tile is used up: arrival + consume cycles. In this time each of the slots
// brings a tile, so a step takes at least (arrival + consume) / slots cycles: Little's law. It takes no less
// than the producer's, the memory's or the consumers' own time either.
// Cost: 64 evaluations on the host per kernel and device; the search of figure 2 runs the kernel as often.
// Stops being good: where the table of the GPU is wrong, and where blocks share a multiprocessor.
// Source: N. Meseguer et al., section III; J. D. C. Little, "Little's Law as Viewed on Its 50th Anniversary".
#include <algorithm>
#include <cmath>

#include "common/todo.hpp"
#include "operand_queue_ring.hpp"
#include "queue_device.hpp"
#include "tma_queues.hpp"
#include "tma_queues_consumers.hpp"

// BEGIN SOLUTION
/// The cycles of the busiest block with queues of this shape.
static double predicted_cycles(const QueueDemand& d, QueueShape shape) {
  const auto arrival = [&](double elements) {  // of the tiles of a step with so many elements per vector
    const double transfer = d.streaming * 4 * elements / d.bytes_per_cycle;
    return std::max(d.issue + transfer / d.streaming, d.first_issue + transfer) + d.latency;
  };
  const auto consume = [&](double elements) { return d.streaming * d.wait + d.start + d.use * elements; };
  const auto step = [&](double elements) {
    const double transfer = d.streaming * 4 * elements / d.bytes_per_cycle;
    const double turn = (arrival(elements) + consume(elements)) / shape.slots;  // Little's law
    return std::max({d.issue, transfer, consume(elements), turn});
  };
  const double whole = std::floor(d.elements / shape.tile), rest = d.elements - whole * shape.tile;
  const double first = whole > 0 ? shape.tile : rest, last = rest > 0 ? rest : shape.tile;
  const double all = d.passes * (whole * step(shape.tile) + (rest > 0 ? step(rest) : 0));
  return arrival(first) + all - step(first) + consume(last);
}
// STUB // The prediction of one configuration fits here: see the handout's formula.
// END SOLUTION

/// The size of the queues that is predicted to be the fastest. Of those within 0.1 % of it, the one that
/// takes the most shared memory: the prediction knows means only, and more tiles on their way make up for one
/// that comes late.
static QueueShape tma_queues_choose(const QueueDemand& demand) {
  QueueShape best{64, 1};
  // BEGIN SOLUTION
  const auto for_each_shape = [&](auto&& look) {
    for (int tile = 64; tile <= tma_queues_max_tile; tile *= 2)
      for (int slots = 1; slots <= tma_queues_max_slots; ++slots)
        if (const QueueShape shape{tile, slots}; demand.fits(shape))
          look(shape, predicted_cycles(demand, shape));
  };
  double fewest = predicted_cycles(demand, best);
  for_each_shape([&](QueueShape, double cycles) { fewest = std::min(fewest, cycles); });
  for_each_shape([&](QueueShape shape, double cycles) {
    if (cycles <= 1.001 * fewest && demand.bytes(shape) > demand.bytes(best)) best = shape;
  });
  // STUB (void)demand;
  // STUB warplab::todo("tma_queues_acta: predict the time of each size; take the fastest that fits");
  // END SOLUTION
  return best;
}

QueueShape tma_queues_acta(const QueueDemand& demand) { return tma_queues_choose(demand); }

template <class Work>
void tma_queues_acta(const Work& work, QueueShape, cudaStream_t stream) {
  operand_queue_ring(work, queue_shape_for(work, tma_queues_choose(queue_demand_of(work))), stream);
}

#define INSTANTIATE(Work) template void tma_queues_acta(const Work&, QueueShape, cudaStream_t);
TMA_QUEUES_FOR_EACH_WORK(INSTANTIATE)
