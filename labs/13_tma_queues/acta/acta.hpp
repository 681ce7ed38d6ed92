#pragma once

#include <functional>
#include <vector>

#include "gpu_specification.hpp"
#include "workload.hpp"

namespace warplab::acta {

/// Sizes all queues of a workload, in their order.
using Algorithm = std::function<std::vector<QueueSize>(const GpuSpecification&, const Workload&)>;

/// Automatic Configuration of the TMA: chooses the tile and the number of slots of a kernel's queues.
///
///     Acta acta(read_specification("h100.json"), own_sizes);
///     acta.init(Intensity::medium, 8, 132);
///     acta.register_queue(k, 4, QueueKind::streaming);
///     acta.register_queue(k, 4, QueueKind::stationary);
///     const QueueSize a = acta.size_queue();  // in the order of registration
///     const QueueSize b = acta.size_queue();
class Acta {
 public:
  /// @throws std::invalid_argument if the table is absurd
  Acta(GpuSpecification specification, Algorithm algorithm);

  /// Begins a kernel: forgets all queues and sizes.
  /// @param multiprocessors that the kernel runs on, one block each
  /// @throws std::invalid_argument if a number is below 1, or the GPU has fewer multiprocessors
  void init(Intensity intensity, int consumer_warps, int multiprocessors);

  /// The same with what else is known of the kernel; its queues are registered too.
  void init(const Workload& workload);

  /// Adds a queue; sizes computed before are forgotten.
  /// @throws std::invalid_argument if init was not called, or no queue like this can be
  void register_queue(std::size_t length, std::size_t element_bytes, QueueKind kind);

  /// The size of the next queue, in the order of registration; after the last comes the first again.
  /// The first call runs the algorithm for all queues together, the others return what it found.
  /// @throws std::invalid_argument if no queue is registered, or the queues do not fit in shared memory
  QueueSize size_queue();

  const GpuSpecification& specification() const { return specification_; }

 private:
  GpuSpecification specification_;
  Algorithm algorithm_;
  Workload workload_;
  std::vector<QueueSize> sizes_;  // empty: not computed yet
  std::size_t next_ = 0;
};

/// Refuses what no algorithm can size.
/// @throws std::invalid_argument with one sentence
void check(const GpuSpecification& specification, const Workload& workload);

}  // namespace warplab::acta
