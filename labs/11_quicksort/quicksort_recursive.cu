// Recursive: quicksort as a CPU does it, with a kernel launch for each call of the function.
//
// One thread partitions its range about the first key. It launches the same kernel for either side.
// An empty range ends the recursion, but only after it was launched.
// Keys only change places, so none is lost. The children go into streams of their own, so that both
// sides run side by side; in one stream the second would wait for the first.
// Cost: 2n + 1 launches of one thread; 1.39 n log2 n comparisons on average, n^2 / 2 for sorted keys.
// Stops being good: at once. A launch takes about half a microsecond, and most of them sort nothing.
// Source: I. Nyrkov, "GPU Programming using CUDA", TU Munich, 2025, section 8; C. A. R. Hoare, 1962.
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
  int border = begin;  // keys[begin + 1 .. border] come before the pivot
  for (int i = begin + 1; i < end; ++i)
    if (comes_before(keys[i], pivot)) swap_keys(keys[++border], keys[i]);
  swap_keys(keys[begin], keys[border]);
  return border;
}
// STUB // A function that partitions keys[begin, end) and returns the pivot's place fits here.
// END SOLUTION

template <class T>
__global__ void quicksort_recursive_kernel(T* keys,  // (n)
                                           int begin, int end) {
  // BEGIN SOLUTION
  if (begin >= end) return;
  const int border = partition(keys, begin, end);
  // The launch comes after the stores: a child sees what its parent wrote before.
  quicksort_recursive_kernel<T><<<1, 1, 0, cudaStreamFireAndForget>>>(keys, begin, border);
  if (cudaGetLastError() != cudaSuccess) heap_sort(keys + begin, border - begin);
  quicksort_recursive_kernel<T><<<1, 1, 0, cudaStreamFireAndForget>>>(keys, border + 1, end);
  if (cudaGetLastError() != cudaSuccess) heap_sort(keys + border + 1, end - border - 1);
  // STUB // 1. Nothing to do for an empty range. 2. Partition. 3. Launch this kernel for either side.
  // STUB // 4. What if cudaGetLastError() says that a launch was refused? heap_sort() needs no launch.
  // END SOLUTION
}

template <class T>
void quicksort_recursive(const T* in, T* out, std::int64_t n, void*, std::size_t, cudaStream_t stream) {
  const int count = quicksort_size(n);
  quicksort_allow_pending(2 * n + 1);
  if (count > 0) CUDA_CHECK(cudaMemcpyAsync(out, in, count * sizeof(T), cudaMemcpyDeviceToDevice, stream));
  // BEGIN SOLUTION
  quicksort_recursive_kernel<T><<<1, 1, 0, stream>>>(out, 0, count);
  // STUB warplab::todo("quicksort_recursive: one thread partitions and launches a kernel for either side");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(T) \
  template void quicksort_recursive<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
QUICKSORT_FOR_EACH_KEY(INSTANTIATE)
