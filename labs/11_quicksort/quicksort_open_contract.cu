// Open contract: sort as you like. Only the launcher, its checks and the limits are given.
//
// What is asked: keys in order, in `out`, by kernels that the host launches. Keys are copied, and compared
// with comes_before(). Limits bound bytes and launches, far above what good strategies need. `warplab
// leaderboard` shows a class's counts side by side.
// Cost per key: yours to choose. Fewer launches often mean that keys are read more often.
// Stops being good: any sort that compares keys needs n log2(n) comparisons; a radix sort needs none.
#include <cstdint>

#include "common/todo.hpp"
#include "quicksort.hpp"
#include "quicksort_launch.hpp"
#include "quicksort_order.hpp"

// BEGIN SOLUTION
// One way: runs of 1024 keys are sorted in shared memory, then merged in pairs. Each key finds its place by a
// binary search in the other run of its pair. Widths double in both phases, so both use one function.
inline constexpr int run_keys = 1024, merge_block = 256;

/// Where key i of two sorted runs of `width` keys goes when they are merged. Of equal keys, which are in both
/// runs, the left one comes first, so no two keys share a place.
template <class T>
__device__ int merged_place(const T* keys, int i, int width, int count) {
  const int left = i / (2 * width) * (2 * width), middle = min(left + width, count);
  const bool is_left = i < middle;
  const T key = keys[i];
  int low = is_left ? middle : left, high = is_left ? min(middle + width, count) : middle;
  while (low < high) {
    const int half = low + (high - low) / 2;
    const bool goes_before = is_left ? comes_before(keys[half], key) : !comes_before(key, keys[half]);
    low = goes_before ? half + 1 : low;
    high = goes_before ? high : half;
  }
  return i + low - middle;
}

/// Sorts runs of run_keys keys.
template <class T>
__global__ void __launch_bounds__(merge_block) quicksort_sorted_runs_kernel(const T* __restrict__ in,  // (n)
                                                                            T* __restrict__ to,        // (n)
                                                                            int n) {
  __shared__ T keys[2][run_keys];  // two arrays that take turns
  const int begin = static_cast<int>(blockIdx.x) * run_keys, count = min(run_keys, n - begin);
  const int tid = static_cast<int>(threadIdx.x);
  for (int i = tid; i < count; i += merge_block) keys[0][i] = in[begin + i];
  int from = 0;
  for (int width = 1; width < count; width *= 2) {
    __syncthreads();  // waits for the keys of the width before
    for (int i = tid; i < count; i += merge_block)
      keys[1 - from][merged_place(keys[from], i, width, count)] = keys[from][i];
    from = 1 - from;
  }
  __syncthreads();  // waits for the last width
  for (int i = tid; i < count; i += merge_block) to[begin + i] = keys[from][i];
}

/// Merges pairs of runs.
template <class T>
__global__ void __launch_bounds__(merge_block)
    quicksort_merged_runs_kernel(const T* __restrict__ from,  // (n)
                                 T* __restrict__ to,          // (n)
                                 int n, int width) {
  const int i = static_cast<int>(blockIdx.x) * merge_block + static_cast<int>(threadIdx.x);
  if (i < n) to[merged_place(from, i, width, n)] = from[i];
}
// STUB // Your kernels come here.
// END SOLUTION

template <class T>
void quicksort_open_contract(const T* in, T* out, std::int64_t n, void* workspace,
                             std::size_t workspace_bytes, cudaStream_t stream) {
  const int count = quicksort_size(n);
  quicksort_check_workspace(workspace_bytes, quicksort_open_workspace(n, sizeof(T)));
  if (count == 0) return;
  // BEGIN SOLUTION
  T* const other = static_cast<T*>(workspace);
  bool is_in_out = true;  // where the sorted runs begin, so that the last merge ends in out
  for (std::int64_t width = run_keys; width < count; width *= 2) is_in_out = !is_in_out;
  quicksort_sorted_runs_kernel<T>
      <<<warplab::grid_of(warplab::ceil_div(count, run_keys)), merge_block, 0, stream>>>(
          in, is_in_out ? out : other, count);
  for (int width = run_keys; width < count; width *= 2) {
    quicksort_merged_runs_kernel<T>
        <<<warplab::grid_of(warplab::ceil_div(count, merge_block)), merge_block, 0, stream>>>(
            is_in_out ? out : other, is_in_out ? other : out, count, width);
    is_in_out = !is_in_out;
  }
  // STUB (void)in, (void)out, (void)workspace, (void)stream;
  // STUB warplab::todo("quicksort_open_contract: nothing is sorted yet; write and launch kernels of your own");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(T) \
  template void quicksort_open_contract<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
QUICKSORT_FOR_EACH_KEY(INSTANTIATE)
