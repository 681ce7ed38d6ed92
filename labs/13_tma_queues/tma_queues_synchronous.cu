// Synchronous: load a tile, wait for all of it, use it, and only then load the next one.
//
// The threads load 16 bytes each and store them in shared memory. A barrier waits for the tile; a second one
// waits until nobody reads it any more. Between the two nothing is on its way, and while a tile loads nobody
// computes. Only other blocks of the same multiprocessor fill these gaps: many small blocks do better here
// than few large ones.
// Cost per element: a load, a store to shared memory, a load from it, and two barriers per tile.
// Stops being good: memory idles while tiles are used. double_buffer starts the next one earlier.
// Source: N. Meseguer et al., section V, "NoTMA".
#include "tma_queues.hpp"
#include "tma_queues_consumers.hpp"
#include "tma_queues_launch.hpp"

template <class Work>
__global__ void __launch_bounds__(tma_queues_consumers)
    tma_queues_synchronous_kernel(const Work work, int tile_elements) {
  extern __shared__ __align__(128) float stage[];  // (vectors, tile)
  const int pitch = tile_elements, thread = static_cast<int>(threadIdx.x);
  typename Work::Sums sums;
  for (TileCursor<Work> use(work, tile_elements); use.more(); use.next()) {
    const Tile tile = use.tile();
    for (int v = 0; v < Work::vectors; ++v) {
      const float* const from = vector_at(work, v, tile);  // (count)
      float* const to = stage + v * pitch;                 // (count)
      for (int i = 4 * thread; i + 4 <= tile.count; i += 4 * tma_queues_consumers)
        *reinterpret_cast<float4*>(to + i) = *reinterpret_cast<const float4*>(from + i);
      const int rest = tile.count / 4 * 4 + thread;  // fewer than 4 are left
      if (rest < tile.count) to[rest] = from[rest];
    }
    __syncthreads();  // waits for the tile
    take(work, sums, stage, stage + Work::first_rows * pitch, pitch, tile, thread);
    __syncthreads();  // waits until nobody reads it any more
  }
  finish(work, sums, thread);
}

template <class Work>
void tma_queues_synchronous(const Work& work, QueueShape shape, cudaStream_t stream) {
  tma_queues_check_shape(shape, work.length);
  const std::size_t bytes = std::size_t{Work::vectors} * static_cast<std::size_t>(shape.tile) * sizeof(float);
  tma_queues_launch(tma_queues_synchronous_kernel<Work>, work, shape.tile, shape, tma_queues_consumers, bytes,
                    stream);
}

#define INSTANTIATE(Work) template void tma_queues_synchronous(const Work&, QueueShape, cudaStream_t);
TMA_QUEUES_FOR_EACH_WORK(INSTANTIATE)
