// Small ranges: the recursion ends at 1024 keys, which a block sorts in shared memory.
//
// Nearly all launches of `recursive` are for ranges of a few keys. A bitonic network sorts such a range
// without any decision: in each step, thread t puts the two keys of pair t in order.
// For 1024 keys these are 55 steps of 512 pairs. Before 40 of them a warp waits for its own lanes, not for
// the block: in these steps, and in those just before them, no other warp touches its 64 keys.
// Cost: about 4n / 1024 launches in place of 2n + 1.
// Stops being good: above 1024 keys one thread still partitions, and sorted keys still take n^2 / 2 steps.
// Source: K. E. Batcher, "Sorting networks and their applications", AFIPS 1968.
#include <cstdint>

#include "common/todo.hpp"
#include "quicksort.hpp"
#include "quicksort_in_place.hpp"
#include "quicksort_launch.hpp"

// BEGIN SOLUTION
/// Moves the keys that come before keys[begin] to the front, and that key between them and the others.
/// @pre begin < end @return where it is now
template <class T>
__device__ int partition(T* keys, int begin, int end) {
  const T pivot = keys[begin];
  int border = begin;
  for (int i = begin + 1; i < end; ++i)
    if (comes_before(keys[i], pivot)) swap_keys(keys[++border], keys[i]);
  swap_keys(keys[begin], keys[border]);
  return border;
}

/// Sorts keys[0, count) in shared memory. The first step for a size joins i with its mirror
/// image, so that the smaller key always goes to the smaller index: what lies past the end
/// would never move, and is left out.
template <class T>
__device__ void bitonic_sort(T* keys, int count) {
  const int pair = static_cast<int>(threadIdx.x);
  for (int size = 2; size < 2 * count; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      if (step >= 32)
        __syncthreads();  // waits for other warps' keys: those of this step, or of the one before
      else
        __syncwarp();  // waits for the other lanes: no other warp touches these 64 keys
      const int low = 2 * pair - pair % step, high = 2 * step == size ? low ^ (size - 1) : low + step;
      if (high < count && comes_before(keys[high], keys[low])) swap_keys(keys[low], keys[high]);
    }
  __syncthreads();  // waits for the last exchanges
}
// STUB // Your partition() of task 1, and a bitonic_sort() by the threads of a block fit here.
// END SOLUTION

/// One block of quicksort_base_block threads for at most quicksort_base keys.
template <class T>
__global__ void __launch_bounds__(quicksort_base_block) quicksort_small_kernel(T* keys,  // (n)
                                                                               int begin, int end) {
  // BEGIN SOLUTION
  __shared__ T mine[quicksort_base];
  const int count = end - begin;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += quicksort_base_block) mine[i] = keys[begin + i];
  __syncthreads();  // waits for all keys
  bitonic_sort(mine, count);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += quicksort_base_block) keys[begin + i] = mine[i];
  // STUB // 1. Load the range into shared memory. 2. Sort it. 3. Store it.
  // END SOLUTION
}

template <class T>
__global__ void quicksort_small_ranges_kernel(T* keys,  // (n)
                                              int begin, int end) {
  // BEGIN SOLUTION
  const int border = partition(keys, begin, end);
  const auto sort = [keys](int from, int to) {
    if (to - from < 2) return;  // in order as it is
    if (to - from <= quicksort_base)
      quicksort_small_kernel<T><<<1, quicksort_base_block, 0, cudaStreamFireAndForget>>>(keys, from, to);
    else
      quicksort_small_ranges_kernel<T><<<1, 1, 0, cudaStreamFireAndForget>>>(keys, from, to);
    if (cudaGetLastError() != cudaSuccess) heap_sort(keys + from, to - from);
  };
  sort(begin, border);
  sort(border + 1, end);
  // STUB // 1. Partition. 2. For either side launch this kernel, the one above, or nothing.
  // END SOLUTION
}

template <class T>
void quicksort_small_ranges(const T* in, T* out, std::int64_t n, void*, std::size_t, cudaStream_t stream) {
  const int count = quicksort_size(n);
  quicksort_allow_pending(8 * n / quicksort_base + 1);
  if (count == 0) return;
  CUDA_CHECK(cudaMemcpyAsync(out, in, count * sizeof(T), cudaMemcpyDeviceToDevice, stream));
  // BEGIN SOLUTION
  if (count <= quicksort_base)
    quicksort_small_kernel<T><<<1, quicksort_base_block, 0, stream>>>(out, 0, count);
  else
    quicksort_small_ranges_kernel<T><<<1, 1, 0, stream>>>(out, 0, count);
  // STUB warplab::todo("quicksort_small_ranges: end the recursion at quicksort_base keys, which one block sorts");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(T) \
  template void quicksort_small_ranges<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
QUICKSORT_FOR_EACH_KEY(INSTANTIATE)
