#pragma once

#include "quicksort_order.hpp"

// Sorts that launch nothing: for short ranges, and for those whose launch was refused. Device code.

/// Ranges of at most so many keys are sorted by one block in shared memory. A power of two.
inline constexpr int quicksort_base = 1024;
inline constexpr int quicksort_base_block = quicksort_base / 2;  ///< threads: one for each pair of keys

/// Sorts keys[0, count) by the calling thread. Takes n log n steps, whatever the input, and needs no stack.
/// Source: J. W. J. Williams, "Algorithm 232: Heapsort", Communications of the ACM 7(6), 1964.
template <class T>
__device__ void heap_sort(T* keys, int count) {
  const auto sift_down = [keys](int at, int end) {
    const T key = keys[at];
    for (int child; (child = 2 * at + 1) < end; at = child) {
      if (child + 1 < end && comes_before(keys[child], keys[child + 1])) ++child;
      if (!comes_before(key, keys[child])) break;
      keys[at] = keys[child];
    }
    keys[at] = key;
  };
  for (int at = count / 2 - 1; at >= 0; --at) sift_down(at, count);
  for (int end = count - 1; end > 0; --end) {
    swap_keys(keys[0], keys[end]);
    sift_down(0, end);
  }
}

/// Sorts keys[0, count), in shared or global memory, by all threads of the block: Batcher's odd-even merge
/// sort. Any count. Source: D. E. Knuth, "The Art of Computer Programming", volume 3, 5.3.4.
template <class T>
__device__ void odd_even_merge_sort(T* keys, int count) {
  for (long long run = 1; run < count; run *= 2)  // runs of this length are sorted, and merged in pairs
    for (long long step = run; step > 0; step /= 2) {
      __syncthreads();  // waits for the exchanges of the last step
      for (long long t = threadIdx.x; t < count; t += blockDim.x) {
        const long long low = t / step * 2 * step + t % step + step % run, high = low + step;
        if (high >= count) break;  // so it is for all larger t
        if (low / (2 * run) == high / (2 * run) && comes_before(keys[high], keys[low]))
          swap_keys(keys[low], keys[high]);
      }
    }
  __syncthreads();  // waits for all exchanges of the last step
}

/// Sorts from[begin, end) to out[begin, end) by all threads of the block: in shared memory where it fits,
/// else in out. The two may be one array.
template <class T>
__device__ void sort_range(const T* from, T* out, int begin, int end) {
  __shared__ T keys[quicksort_base];
  const int length = end - begin;
  if (length > quicksort_base) {
    for (int i = begin + static_cast<int>(threadIdx.x); i < end; i += static_cast<int>(blockDim.x))
      out[i] = from[i];
    odd_even_merge_sort(out + begin, length);
    return;
  }
  for (int i = static_cast<int>(threadIdx.x); i < length; i += static_cast<int>(blockDim.x))
    keys[i] = from[begin + i];
  odd_even_merge_sort(keys, length);
  for (int i = static_cast<int>(threadIdx.x); i < length; i += static_cast<int>(blockDim.x))
    out[begin + i] = keys[i];
  __syncthreads();  // waits until keys may be used for another range
}

/// sort_range() as a launch: one block of quicksort_base_block threads.
template <class T>
__global__ void __launch_bounds__(quicksort_base_block)
    quicksort_base_kernel(const T* from, T* out, int begin, int end) {
  sort_range(from, out, begin, end);
}
