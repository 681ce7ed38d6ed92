// Level synchronous: the host launches one kernel per level, and no kernel launches another.
//
// The ranges of a level are in a queue, cut into tiles of 2048 keys. Blocks take tiles of any range, so that
// the first level already fills the GPU. An atomic at either end of a range reserves places for a tile.
// The block that finishes a range last puts both sides into the next level's queue, or into a list of short
// ranges, which the last launch sorts.
// The host launches 2 log2(n / 1024) + 2 levels without asking how many are left. The last ones find nothing.
// Cost: about 2 log2(n / 1024) launches; each key is loaded and stored once per level.
// Stops being good: keys move log2(n / 1024) times; a radix sort of 32 bits moves them 4 times.
// Source: D. Cederman, P. Tsigas, "GPU-Quicksort", ACM Journal of Experimental Algorithmics 14, 2009.
#include <cstdint>

#include "common/todo.hpp"
#include "quicksort.hpp"
#include "quicksort_block_scan.hpp"
#include "quicksort_launch.hpp"
#include "quicksort_segments.hpp"

inline constexpr int level_block = 256, keys_per_thread = QuicksortLevels::tile / level_block;

/// Moves the keys of a tile that are not equal to the pivot to places that nobody else has.
/// @param from, to (n); @param staged (QuicksortLevels::tile) shared memory
template <class T>
__device__ void partition_tile(const T* from, T* to, Segment<T>& segment, int begin, T* staged) {
  // BEGIN SOLUTION
  __shared__ int left, right;  // where the places of this tile begin
  const T pivot = segment.pivot;
  const int end = min(begin + QuicksortLevels::tile, segment.end), tid = static_cast<int>(threadIdx.x);
  T keys[keys_per_thread];
  unsigned mine = 0;  // how many go left, in the low 16 bits, and how many right
#pragma unroll
  for (int k = 0; k < keys_per_thread; ++k) {
    const int i = begin + k * level_block + tid;
    keys[k] = i < end ? from[i] : pivot;
    mine += comes_before(keys[k], pivot) ? 1u : comes_before(pivot, keys[k]) ? 1u << 16 : 0u;
  }
  unsigned totals;
  const unsigned before = exclusive_scan(mine, totals);
  const int to_left = static_cast<int>(totals & 0xffff), to_right = static_cast<int>(totals >> 16);
  if (tid == 0) left = atomicAdd(&segment.left, to_left);
  if (tid == 32) right = atomicSub(&segment.right, to_right) - to_right;
  int next_left = static_cast<int>(before & 0xffff), next_right = to_left + static_cast<int>(before >> 16);
#pragma unroll
  for (int k = 0; k < keys_per_thread; ++k) {
    if (comes_before(keys[k], pivot)) staged[next_left++] = keys[k];
    if (comes_before(pivot, keys[k])) staged[next_right++] = keys[k];
  }
  __syncthreads();  // waits for staged keys and reserved places
  for (int i = tid; i < to_left + to_right; i += level_block)
    to[i < to_left ? left + i : right + i - to_left] = staged[i];
  // STUB // 1. Load my keys and count who goes left and right. 2. exclusive_scan() says how many come before mine.
  // STUB // 3. One thread reserves places at segment.left, one at segment.right. 4. Stage the keys in shared memory,
  // STUB // those that go left first. 5. Store them, neighbours side by side.
  // END SOLUTION
}

template <class T>
__global__ void __launch_bounds__(level_block)
    quicksort_level_kernel(Queues<T> queues, T* to, T* out, int level) {
  __shared__ T staged[QuicksortLevels::tile];
  __shared__ bool is_last;
  for (int t = static_cast<int>(blockIdx.x); t < queues.tiles_of[level]; t += static_cast<int>(gridDim.x)) {
    const Tile tile = queues.tiles[level % 2][t];
    Segment<T>& segment = queues.segments[level % 2][tile.segment];
    partition_tile(queues.arrays[array_of(level)], to, segment, tile.begin, staged);
    __syncthreads();  // waits until the whole tile is stored
    if (threadIdx.x == 0) {
      __threadfence();  // whoever sees this tile counted sees its keys
      is_last = atomicAdd(&segment.done, 1) == segment.tiles - 1;
      __threadfence();  // and I see those of the tiles counted before
    }
    __syncthreads();  // waits for the count
    if (!is_last) continue;
    for (int i = segment.left + static_cast<int>(threadIdx.x); i < segment.right; i += level_block)
      out[i] = segment.pivot;
    enqueue(queues, level + 1, segment.begin, segment.left);
    enqueue(queues, level + 1, segment.right, segment.end);
  }
}

template <class T>
__global__ void quicksort_first_level_kernel(Queues<T> queues, int count) {
  enqueue(queues, 0, 0, count);
}

template <class T>
__global__ void __launch_bounds__(quicksort_base_block) quicksort_ranges_kernel(Queues<T> queues, T* out) {
  for (int r = static_cast<int>(blockIdx.x); r < *queues.ranges_count; r += static_cast<int>(gridDim.x)) {
    const Range range = queues.ranges[r];
    sort_range(queues.arrays[range.array], out, range.begin, range.end);
  }
}

template <class T>
void quicksort_level_synchronous(const T* in, T* out, std::int64_t n, void* workspace,
                                 std::size_t workspace_bytes, cudaStream_t stream) {
  const int count = quicksort_size(n);
  const QuicksortLevels shape(n, sizeof(T));
  quicksort_check_workspace(workspace_bytes, shape.bytes);
  if (count == 0) return;
  const Queues<T> queues(shape, in, out, workspace);
  const auto blocks = [](std::int64_t wanted) {  // those beyond a device's room stride
    return warplab::grid_of(wanted < 2048 ? wanted : 2048);
  };
  CUDA_CHECK(cudaMemsetAsync(queues.segments_of, 0, shape.segments - shape.counters, stream));
  quicksort_first_level_kernel<T><<<1, level_block, 0, stream>>>(queues, count);
  for (int level = 0; count > quicksort_base && level < queues.levels; ++level) {
    T* const to = level % 2 == 0 ? static_cast<T*>(workspace) : out;
    // BEGIN SOLUTION
    quicksort_level_kernel<T><<<blocks(shape.max_tiles), level_block, 0, stream>>>(queues, to, out, level);
    // STUB (void)to;
    // STUB warplab::todo(
    // STUB     "quicksort_level_synchronous: partition_tile() moves no key yet; launch quicksort_level_kernel here");
    // END SOLUTION
  }
  quicksort_ranges_kernel<T>
      <<<blocks(2 * shape.max_segments), quicksort_base_block, 0, stream>>>(queues, out);
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(T) \
  template void quicksort_level_synchronous<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
QUICKSORT_FOR_EACH_KEY(INSTANTIATE)
