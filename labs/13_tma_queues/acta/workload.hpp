#pragma once

#include <cstddef>
#include <vector>

namespace warplab::acta {

/// Arithmetic per byte moved, as the programmer judges it.
enum class Intensity { low, medium, high };

/// What a queue's vector does: every tile is used once, or the whole vector is used again in every pass.
enum class QueueKind { streaming, stationary };

/// An operand queue before it has a size.
struct Queue {
  std::size_t length = 0;  ///< elements of its vector: of all blocks, or of one pass where there are passes
  std::size_t element_bytes = 0;  ///< bytes per element
  QueueKind kind = QueueKind::streaming;
};

/// An operand queue with its size: a ring of `slots` tiles in shared memory.
struct QueueSize {
  std::size_t tile = 0;           ///< elements per tile
  int slots = 0;                  ///< tiles that the ring holds
  std::size_t element_bytes = 0;  ///< bytes per element
  std::size_t tiles = 0;          ///< tiles of the whole vector, the last one perhaps partly filled

  std::size_t tile_bytes() const { return tile * element_bytes; }
  std::size_t bytes() const { return tile_bytes() * static_cast<std::size_t>(slots); }  ///< of shared memory
  bool operator==(const QueueSize&) const = default;
};

/// What a kernel does with its queues. One block runs per multiprocessor; its producer warp fills all queues.
struct Workload {
  Intensity intensity = Intensity::medium;
  int consumer_warps = 8;
  int multiprocessors = 0;  ///< blocks of the grid
  std::vector<Queue> queues;

  /// Times that the kernel goes through the vectors, divided among the blocks (a matrix-vector product:
  /// groups of rows). 0: it goes through them once, and the blocks divide the vectors among themselves.
  std::size_t passes = 0;
  /// Bytes that all passes stream, each counted once. 0: no byte is streamed twice.
  std::size_t distinct_bytes = 0;
  int queues_per_push = 1;        ///< that the producer fills at a time: it waits and announces once for all
  double flops_per_position = 1;  ///< a position is one element of every streaming queue
  double stored_bytes_per_position = 0;  ///< written to global memory
};

/// The smallest and the largest tile of the search, in elements, both powers of two.
inline constexpr std::size_t min_tile = 64, greatest_tile = 8192;
inline constexpr int max_slots = 8;

/// What the TMA's bulk copies take: addresses and sizes are multiples of this.
inline constexpr std::size_t tile_alignment_bytes = 16;

/// Bytes of shared memory that all queues take together.
std::size_t shared_bytes(const std::vector<QueueSize>& sizes);

/// A queue with this tile and these slots.
QueueSize sized(const Queue& queue, std::size_t tile, int slots);

/// The largest tile worth having: the first power of two that holds what one block
/// sees of the vector in one pass.
std::size_t greatest_useful_tile(const Workload& workload, const Queue& queue);

}  // namespace warplab::acta
