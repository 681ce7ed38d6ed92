#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include "tma_queues_shape.hpp"
#include "tma_queues_works.hpp"

// Lab 13: vectors brought to shared memory in tiles, while earlier tiles are used. Every launcher does the
// same work; they differ in how the tiles come.
//
//   work      one of tma_queues_works.hpp: its vectors in device memory, each at a multiple of 16 bytes, of
//             any length; rows and columns of matrices `leading` elements apart, a multiple of 4
//   shape     how many elements of each vector a tile has, and how many tiles are on their way: a tile of
//             4 to 8192 elements in steps of 4, and 1 to 8 slots, of which none is longer than the vector
//             needs
//   stream    where the work is queued; the launcher returns without waiting for it
//
// A launcher throws std::invalid_argument for a shape that it does not take, or that has no room in a block's
// shared memory, and for vectors at other addresses.

/// Loads a tile, waits, uses it. One slot, whatever the shape has.
template <class Work>
void tma_queues_synchronous(const Work& work, QueueShape shape, cudaStream_t stream);

/// cooperative_groups::memcpy_async brings the next tile while this one is used. Two
/// slots, whatever the shape has.
template <class Work>
void tma_queues_double_buffer(const Work& work, QueueShape shape, cudaStream_t stream);

/// cuda::pipeline keeps as many tiles on their way as there are slots.
template <class Work>
void tma_queues_pipeline(const Work& work, QueueShape shape, cudaStream_t stream);

/// A warp of its own brings the tiles by cp.async. It waits for empty slots, the others for full ones.
template <class Work>
void tma_queues_ring_cp_async(const Work& work, QueueShape shape, cudaStream_t stream);

/// One thread starts bulk copies, whose bytes count at a barrier per slot. Needs compute capability 9.0, as
/// all that follow.
template <class Work>
void tma_queues_bulk_copy(const Work& work, QueueShape shape, cudaStream_t stream);

/// Queues of operands: a warp of its own fills them, the others empty them.
template <class Work>
void tma_queues_ring(const Work& work, QueueShape shape, cudaStream_t stream);

/// The same with a size that the launcher chooses: `shape` is not read.
template <class Work>
void tma_queues_acta(const Work& work, QueueShape shape, cudaStream_t stream);

/// The blocks of a cluster read the columns of the right-hand matrix once for all of them.
void tma_queues_multicast(const MatrixMatrixWork& work, QueueShape shape, cudaStream_t stream);

/// z (cols, rows): what the four neighbours of an element of a (rows, cols) add up to, less 4 times the
/// element; outside a is 0. z is stored transposed, as methods of alternating directions need it.
struct StencilWork {
  const float* a;  ///< (rows, leading)
  float* z;        ///< (cols, rows)
  std::int64_t rows, cols, leading;
};

/// Rows of a box: 128, and one more on either side.
inline constexpr int stencil_box_rows = 130;

/// Boxes with their halo by the tensor memory accelerator, swizzled. `shape.slots` boxes are on their way.
/// @param map of a: see stencil_map.hpp
void tma_queues_stencil(const StencilWork& work, const CUtensorMap& map, QueueShape shape,
                        cudaStream_t stream);
