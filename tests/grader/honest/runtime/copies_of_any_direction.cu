// Copies within device memory by cudaMemcpyDefault.
//! solves quicksort/recursive
#include <cstdint>

#include "common/todo.hpp"
#include "quicksort.hpp"
#include "quicksort_in_place.hpp"
#include "quicksort_launch.hpp"

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

template <class T>
__global__ void quicksort_recursive_kernel(T* keys,  // (n)
                                           int begin, int end) {
  if (begin >= end) return;
  const int border = partition(keys, begin, end);
  // The launch comes after the stores: a child sees what its parent wrote before.
  quicksort_recursive_kernel<T><<<1, 1, 0, cudaStreamFireAndForget>>>(keys, begin, border);
  if (cudaGetLastError() != cudaSuccess) heap_sort(keys + begin, border - begin);
  quicksort_recursive_kernel<T><<<1, 1, 0, cudaStreamFireAndForget>>>(keys, border + 1, end);
  if (cudaGetLastError() != cudaSuccess) heap_sort(keys + border + 1, end - border - 1);
}

template <class T>
void quicksort_recursive(const T* in, T* out, std::int64_t n, void*, std::size_t, cudaStream_t stream) {
  const int count = quicksort_size(n);
  quicksort_allow_pending(2 * n + 1);
  if (count > 0) CUDA_CHECK(cudaMemcpyAsync(out, in, count * sizeof(T), cudaMemcpyDefault, stream));
  quicksort_recursive_kernel<T><<<1, 1, 0, stream>>>(out, 0, count);
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(T) \
  template void quicksort_recursive<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
QUICKSORT_FOR_EACH_KEY(INSTANTIATE)
