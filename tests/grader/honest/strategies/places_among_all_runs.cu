// The open contract in two launches: sorted runs, then the place of each key among all runs at once.
//! solves quicksort/open_contract
#include <cstdint>

#include "common/todo.hpp"
#include "quicksort.hpp"
#include "quicksort_launch.hpp"
#include "quicksort_order.hpp"

constexpr int run = 1024;

/// Each key's place is the number of keys that come before it, in a run of its own block.
template <class T>
__global__ void sorted_runs(const T* in, T* runs, int n) {
  __shared__ T keys[run];
  const int begin = static_cast<int>(blockIdx.x) * run, count = min(run, n - begin);
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) keys[i] = in[begin + i];
  __syncthreads();
  if (i >= count) return;
  int place = 0;
  for (int j = 0; j < count; ++j)
    place += comes_before(keys[j], keys[i]) || (j < i && !comes_before(keys[i], keys[j]));
  runs[begin + place] = keys[i];
}

/// How many keys of a sorted run come before a key, or are equal to it and count as before it.
template <class T>
__device__ int before(const T* run_of_keys, int count, T key, bool equal_ones_too) {
  int low = 0, high = count;
  while (low < high) {
    const int half = (low + high) / 2;
    if (equal_ones_too ? !comes_before(key, run_of_keys[half]) : comes_before(run_of_keys[half], key))
      low = half + 1;
    else
      high = half;
  }
  return low;
}

template <class T>
__global__ void places_among_all_runs(const T* runs, T* out, int n) {
  const int i = static_cast<int>(blockIdx.x) * 256 + static_cast<int>(threadIdx.x);
  if (i >= n) return;
  const T key = runs[i];
  int place = i % run;
  for (int begin = 0; begin < n; begin += run)
    if (begin != i / run * run) place += before(runs + begin, min(run, n - begin), key, begin < i);
  out[place] = key;
}

template <class T>
void quicksort_open_contract(const T* in, T* out, std::int64_t n, void* workspace,
                             std::size_t workspace_bytes, cudaStream_t stream) {
  const int count = quicksort_size(n);
  quicksort_check_workspace(workspace_bytes, quicksort_open_workspace(n, sizeof(T)));
  if (count == 0) return;
  T* const runs = static_cast<T*>(workspace);
  sorted_runs<T><<<warplab::grid_of(warplab::ceil_div(count, run)), run, 0, stream>>>(in, runs, count);
  places_among_all_runs<T>
      <<<warplab::grid_of(warplab::ceil_div(count, 256)), 256, 0, stream>>>(runs, out, count);
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(T) \
  template void quicksort_open_contract<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
QUICKSORT_FOR_EACH_KEY(INSTANTIATE)
