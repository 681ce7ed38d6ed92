// The open contract by a sorting network: fewer bytes than a merge, and more launches.
//! solves quicksort/open_contract
#include <cstdint>

#include "common/todo.hpp"
#include "quicksort.hpp"
#include "quicksort_launch.hpp"
#include "quicksort_order.hpp"

constexpr int tile = 1024, half_tile = tile / 2;

/// Joins a pair of a bitonic step, where both keys exist.
template <class T>
__device__ void join(T* keys, int pair, int size, int step, int count) {
  const int low = 2 * pair - pair % step;
  const int high = 2 * step == size ? low ^ (size - 1) : low + step;
  if (high < count && comes_before(keys[high], keys[low])) swap_keys(keys[low], keys[high]);
}

/// The steps of `first_size` and more that stay within a tile, in shared memory.
template <class T>
__global__ void steps_in_tiles(const T* from, T* to, int n, int first_size, int last_size) {
  __shared__ T keys[tile];
  const int begin = static_cast<int>(blockIdx.x) * tile, count = min(tile, n - begin);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += half_tile) keys[i] = from[begin + i];
  for (int size = first_size; size <= last_size; size *= 2)
    for (int step = min(size, tile) / 2; step > 0; step /= 2) {
      __syncthreads();
      join(keys, static_cast<int>(threadIdx.x), size, step,
           count);  // mirrored only in the first step of a size
    }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += half_tile) to[begin + i] = keys[i];
}

template <class T>
__global__ void step_between_tiles(T* keys, int n, int size, int step) {
  const int pair = static_cast<int>(blockIdx.x) * 256 + static_cast<int>(threadIdx.x);
  const long long last = 2ll * pair - pair % step;
  if (last < n) join(keys, pair, size, step, n);
}

template <class T>
void quicksort_open_contract(const T* in, T* out, std::int64_t n, void* workspace,
                             std::size_t workspace_bytes, cudaStream_t stream) {
  const int count = quicksort_size(n);
  quicksort_check_workspace(workspace_bytes, quicksort_open_workspace(n, sizeof(T)));
  if (count == 0) return;
  (void)workspace;
  const dim3 tiles = warplab::grid_of(warplab::ceil_div(count, tile));
  steps_in_tiles<T><<<tiles, half_tile, 0, stream>>>(in, out, count, 2, tile);
  for (int size = 2 * tile; size / 2 < count; size *= 2) {
    const dim3 pairs = warplab::grid_of(warplab::ceil_div(warplab::ceil_div(count, size) * (size / 2), 256));
    for (int step = size / 2; step >= tile; step /= 2)
      step_between_tiles<T><<<pairs, 256, 0, stream>>>(out, count, size, step);
    steps_in_tiles<T><<<tiles, half_tile, 0, stream>>>(out, out, count, size, size);
  }
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(T) \
  template void quicksort_open_contract<T>(const T*, T*, std::int64_t, void*, std::size_t, cudaStream_t);
QUICKSORT_FOR_EACH_KEY(INSTANTIATE)
