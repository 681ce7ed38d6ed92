// Block partition: the 1024 threads of a block partition a range together.
//
// Each thread takes one key of a tile. Its place depends on how many keys before it go left.
// Within a warp a ballot gives the answer: each thread counts the votes below its own with __popc().
// The 32 warps leave 32 counts, which a scan adds up.
// 1024 threads cannot exchange keys in place, so keys go from one array to another and back.
// Cost: two barriers per 1024 keys; each key is loaded and stored once per level, in nearly whole sectors.
// Stops being good: the first levels have one block, two or four, and a GPU has 132 multiprocessors.
// Keys that are sorted or equal still make n - 1024 levels.
// Source: D. Cederman, P. Tsigas, "GPU-Quicksort", ACM Journal of Experimental Algorithmics 14, 2009.
#include <cstdint>

#include "common/todo.hpp"
#include "quicksort.hpp"
#include "quicksort_in_place.hpp"
#include "quicksort_launch.hpp"

inline constexpr int partition_block = 1024;  // 32 warps: a warp can hold a count of each

// BEGIN SOLUTION
/// For each thread of the block, how many threads before it say `yes`. All must call it, and wait for one
/// another before they call it again. @param total how many there are
__device__ int rank_among(bool yes, int* of_warp, int& total) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned votes = __ballot_sync(0xffffffffu, yes);
  if (lane == 0) of_warp[warp] = __popc(votes);
  __syncthreads();  // waits for the counts of all warps
  int sum = of_warp[lane];
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, sum, distance);
    if (static_cast<int>(lane) >= distance) sum += below;
  }
  total = __shfl_sync(0xffffffffu, sum, 31);
  const int up_to_mine = __shfl_sync(0xffffffffu, sum, static_cast<int>(warp));
  return up_to_mine - __popc(votes) + __popc(votes & ((1u << lane) - 1));
}
// STUB // A function that gives each thread its place among those that vote yes fits here.
// END SOLUTION

/// Partitions from[begin, end) to `to`, and launches what sorts either side from there to out.
/// @param spare the children's `to`; @pre end - begin > quicksort_base
template <class T>
__global__ void __launch_bounds__(partition_block)
    quicksort_block_partition_kernel(const T* from, T* to, T* spare, T* out,  // (n)
                                     int begin, int end) {
  // BEGIN SOLUTION
  __shared__ int of_warp[32];
  const int tid = static_cast<int>(threadIdx.x);
  const T pivot = from[begin];
  int left = begin, right = end;  // to[left, right) is still free
  for (int tile = begin + 1; tile < end; tile += partition_block) {
    const int i = tile + tid, in_tile = end - tile < partition_block ? end - tile : partition_block;
    const T key = i < end ? from[i] : pivot;
    const bool goes_left = i < end && comes_before(key, pivot);
    int to_left;
    const int rank = rank_among(goes_left, of_warp, to_left);
    if (i < end) to[goes_left ? left + rank : right - 1 - (tid - rank)] = key;
    left += to_left;
    right -= in_tile - to_left;
    __syncthreads();  // waits until nobody needs the counts; after the last tile, for all keys
  }
  if (tid == 0) out[left] = pivot;

  __shared__ bool refused;
  for (int side = 0; side < 2; ++side) {
    const int first = side == 0 ? begin : right, last = side == 0 ? left : end;
    if (first == last) continue;
    if (tid == 0) {
      if (last - first <= quicksort_base)
        quicksort_base_kernel<T>
            <<<1, quicksort_base_block, 0, cudaStreamFireAndForget>>>(to, out, first, last);
      else
        quicksort_block_partition_kernel<T>
            <<<1, partition_block, 0, cudaStreamFireAndForget>>>(to, spare, to, out, first, last);
      refused = cudaGetLastError() != cudaSuccess;
    }
    __syncthreads();  // waits for thread 0's launch
    if (refused) sort_range<T>(to, out, first, last);
    __syncthreads();  // waits until nobody needs `refused`
  }
  // STUB // 1. Tile by tile: who goes left? My place is left + my rank, or right - 1 - my rank among the others.
  // STUB // 2. The pivot's place is final: it goes to out.
  // STUB // 3. One thread launches quicksort_base_kernel or this kernel for either side; what if it is refused?
  // END SOLUTION
}

template <class T>
void quicksort_block_partition(const T* in, T* out, std::int64_t n, void* workspace,
                               std::size_t workspace_bytes, cudaStream_t stream) {
  const int count = quicksort_size(n);
  quicksort_check_workspace(workspace_bytes, count * sizeof(T));
  quicksort_allow_pending(8 * n / quicksort_base + 1);
  if (count == 0) return;
  T* const spare = static_cast<T*>(workspace);  // (n)
  if (count <= quicksort_base) {
    quicksort_base_kernel<T><<<1, quicksort_base_block, 0, stream>>>(in, out, 0, count);
  } else {
    // BEGIN SOLUTION
    quicksort_block_partition_kernel<T><<<1, partition_block, 0, stream>>>(in, spare, out, out, 0, count);
    // STUB (void)spare;
    // STUB warplab::todo("quicksort_block_partition: ballot, count the bits below, and launch for either side");
    // END SOLUTION
  }
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(T) \
  template void quicksort_block_partition<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
QUICKSORT_FOR_EACH_KEY(INSTANTIATE)
