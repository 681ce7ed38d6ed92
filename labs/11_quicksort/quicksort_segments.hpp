#pragma once

#include <cstddef>

#include "quicksort_in_place.hpp"
#include "quicksort_shape.hpp"

// What a level of level_synchronous leaves for the next one. Device memory, set up by the launcher.

/// A range that a level partitions.
template <class T>
struct Segment {
  T pivot;
  int begin, end;
  int left, right;  ///< to[left, right) is still free: blocks reserve places at either end by atomics
  int tiles, done;  ///< how many parts it has, and how many of them are partitioned
};
static_assert(sizeof(Segment<double>) <= 40);

/// At most QuicksortLevels::tile keys of a segment, for one block.
struct Tile {
  int segment, begin;
};

/// A range that is left to sort_range(), and the array that holds its keys.
struct Range {
  int begin, end, array;
};

/// The queues of all levels. Level k reads those of k % 2, and fills the others.
template <class T>
struct Queues {
  int* segments_of;   ///< (levels + 1) how many segments a level has
  int* tiles_of;      ///< (levels + 1)
  int* ranges_count;  ///< (1)
  Segment<T>* segments[2];
  Tile* tiles[2];
  Range* ranges;
  int levels;
  const T* arrays[3];  ///< (n) in, workspace, out

  Queues(const QuicksortLevels& shape, const T* in, T* out, void* workspace) {
    auto* const base = static_cast<char*>(workspace);
    levels = static_cast<int>(shape.levels);
    segments_of = reinterpret_cast<int*>(base + shape.counters);
    tiles_of = segments_of + levels + 1;
    ranges_count = tiles_of + levels + 1;
    segments[0] = reinterpret_cast<Segment<T>*>(base + shape.segments);
    segments[1] = segments[0] + shape.max_segments;
    tiles[0] = reinterpret_cast<Tile*>(base + shape.tiles);
    tiles[1] = tiles[0] + shape.max_tiles;
    ranges = reinterpret_cast<Range*>(base + shape.ranges);
    arrays[0] = in, arrays[1] = reinterpret_cast<const T*>(base), arrays[2] = out;
  }
};

/// Which of the arrays holds the keys at the beginning of a level: in, then workspace and out in turn.
__host__ __device__ inline int array_of(int level) { return level == 0 ? 0 : 2 - level % 2; }

/// Queues keys [begin, end) for `level`, or as a range that is sorted at the end.
/// All threads of a block call it.
template <class T>
__device__ void enqueue(const Queues<T>& queues, int level, int begin, int end) {
  __shared__ int segment, first_tile;
  const int count = end - begin, tiles = (count + QuicksortLevels::tile - 1) / QuicksortLevels::tile;
  if (count == 0) return;
  if (count <= quicksort_base || level == queues.levels) {
    if (threadIdx.x == 0) queues.ranges[atomicAdd(queues.ranges_count, 1)] = {begin, end, array_of(level)};
    return;
  }
  if (threadIdx.x == 0) {
    segment = atomicAdd(&queues.segments_of[level], 1);
    first_tile = atomicAdd(&queues.tiles_of[level], tiles);
    queues.segments[level % 2][segment] = {
        ninther(queues.arrays[array_of(level)], begin, end), begin, end, begin, end, tiles, 0};
  }
  __syncthreads();  // waits for the places in both queues
  for (int t = static_cast<int>(threadIdx.x); t < tiles; t += static_cast<int>(blockDim.x))
    queues.tiles[level % 2][first_tile + t] = {segment, begin + t * QuicksortLevels::tile};
  __syncthreads();  // waits until nobody needs the places
}
