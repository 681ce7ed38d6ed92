// Three-way: equal keys are done at once, the pivot is a better guess, and depth has a limit.
//
// Keys equal to the pivot go to neither side. They have the pivot's bits, so the gap between both sides is
// filled with the pivot at the end.
// The pivot is the median of three medians of three. It halves a range of sorted keys. A random key passes
// about 1.09 log2 n levels in place of 1.39 log2 n.
// An input made against this pivot can still cut off a few keys per level. After 2 log2(n / 1024) levels
// odd_even_merge_sort() takes over: n log^2 n steps, whatever the keys are.
// Cost: as block_partition, with a second ballot.
// Stops being good: at the top of the tree, where one block works and the others have not been launched.
// Source: Bentley, McIlroy, "Engineering a sort function", 1993; Musser, "Introspective sorting", 1997.
#include <cstdint>

#include "common/todo.hpp"
#include "quicksort.hpp"
#include "quicksort_in_place.hpp"
#include "quicksort_launch.hpp"

inline constexpr int three_way_block = 1024;  // 32 warps: a warp can hold a count of each

// BEGIN SOLUTION
/// How many threads of a block go left and right: in the low and in the high 16 bits.
__device__ int both(int left, int right) { return left | right << 16; }

/// For each thread, how many before it go left, and how many right. All threads must call it, and wait for
/// one another before they call it again. @param totals of the block
__device__ int ranks_of(bool left, bool right, int* of_warp, int& totals) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, below_me = (1u << lane) - 1;
  const unsigned to_left = __ballot_sync(0xffffffffu, left), to_right = __ballot_sync(0xffffffffu, right);
  const int mine = both(__popc(to_left), __popc(to_right));
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();  // waits for the counts of all warps
  int sum = of_warp[lane];
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, sum, distance);
    if (static_cast<int>(lane) >= distance) sum += below;
  }
  totals = __shfl_sync(0xffffffffu, sum, 31);
  return __shfl_sync(0xffffffffu, sum, static_cast<int>(warp)) - mine +
         both(__popc(to_left & below_me), __popc(to_right & below_me));
}
// STUB // What a block does together fits here: your rank_among() of task 3, for two questions at a time.
// END SOLUTION

/// Partitions from[begin, end) to `to`, and launches what sorts either side from there to out.
/// @param spare the children's `to`; @param levels that may follow this one; @pre
/// end - begin > quicksort_base
template <class T>
__global__ void __launch_bounds__(three_way_block)
    quicksort_three_way_kernel(const T* from, T* to, T* spare, T* out,  // (n)
                               int begin, int end, int levels) {
  // BEGIN SOLUTION
  __shared__ int of_warp[32];
  const int tid = static_cast<int>(threadIdx.x);
  const T pivot = ninther(from, begin, end);
  int left = begin, right = end;  // to[left, right) is still free
  for (int tile = begin; tile < end; tile += three_way_block) {
    const T key = tile + tid < end ? from[tile + tid] : pivot;
    const bool goes_left = comes_before(key, pivot), goes_right = comes_before(pivot, key);
    int totals;
    const int ranks = ranks_of(goes_left, goes_right, of_warp, totals);
    if (goes_left) to[left + (ranks & 0xffff)] = key;
    if (goes_right) to[right - 1 - (ranks >> 16)] = key;
    left += totals & 0xffff;
    right -= totals >> 16;
    __syncthreads();  // waits until nobody needs the counts; after the last tile, for all keys
  }
  for (int i = left + tid; i < right; i += three_way_block) out[i] = pivot;

  __shared__ bool refused;
  for (int side = 0; side < 2; ++side) {
    const int first = side == 0 ? begin : right, last = side == 0 ? left : end;
    if (first == last) continue;
    if (tid == 0) {
      if (last - first <= quicksort_base || levels == 0)
        quicksort_base_kernel<T>
            <<<1, quicksort_base_block, 0, cudaStreamFireAndForget>>>(to, out, first, last);
      else
        quicksort_three_way_kernel<T>
            <<<1, three_way_block, 0, cudaStreamFireAndForget>>>(to, spare, to, out, first, last, levels - 1);
      refused = cudaGetLastError() != cudaSuccess;
    }
    __syncthreads();  // waits for thread 0's launch
    if (refused) sort_range<T>(to, out, first, last);
    __syncthreads();  // waits until nobody needs `refused`
  }
  // STUB // 1. ninther() gives the pivot. 2. Tile by tile: who goes left, who right, who to neither side?
  // STUB // 3. What is left between both sides holds the pivot, in out.
  // STUB // 4. Launch for either side; quicksort_base_kernel also where no more levels may follow.
  // END SOLUTION
}

template <class T>
void quicksort_three_way(const T* in, T* out, std::int64_t n, void* workspace, std::size_t workspace_bytes,
                         cudaStream_t stream) {
  const int count = quicksort_size(n);
  quicksort_check_workspace(workspace_bytes, count * sizeof(T));
  quicksort_allow_pending(8 * n / quicksort_base + 1);
  if (count == 0) return;
  T* const spare = static_cast<T*>(workspace);  // (n)
  const int levels = 2 * quicksort_log2(count / quicksort_base + 1);
  if (count <= quicksort_base) {
    quicksort_base_kernel<T><<<1, quicksort_base_block, 0, stream>>>(in, out, 0, count);
  } else {
    // BEGIN SOLUTION
    quicksort_three_way_kernel<T><<<1, three_way_block, 0, stream>>>(in, spare, out, out, 0, count, levels);
    // STUB (void)spare, (void)levels;
    // STUB warplab::todo("quicksort_three_way: leave out what equals the pivot, and end at the last level");
    // END SOLUTION
  }
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(T) \
  template void quicksort_three_way<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
QUICKSORT_FOR_EACH_KEY(INSTANTIATE)
