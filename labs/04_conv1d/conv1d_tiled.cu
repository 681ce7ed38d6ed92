// A tile of the input in shared memory, with its halo: each element is loaded once per block, not m times.
//
// The outputs of a block of w threads need w + m - 1 neighbouring elements of the input: w of their own, and
// a halo of m - 1 that belongs to the blocks on the right. The block loads them once, waits, and walks along
// the filter in shared memory, where 32 neighbours are 32 different banks: one wavefront. What lies beyond
// the end is neither loaded nor read. The filter is in constant memory.
// Cost per tap: 1 shared load, 1 constant load for one multiply-add; (w + m - 1) / w loads per output.
// Stops being good: where the halo is longer than the tile (m > w: more than half of what a block loads
// is loaded by others as well); and still each product needs a load from shared memory. The memory
// is out of the way now, and the number of instructions sets the time.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "conv1d.hpp"

/// The filter, as T. A kernel of float and one of double share it: there is room for only one.
__constant__ double conv1d_tiled_filter[conv1d_constant_bytes / sizeof(double)];

template <class T>
__global__ void conv1d_tiled_kernel(const T* __restrict__ in,  // (n)
                                    T* __restrict__ out,       // (n)
                                    std::int64_t n, int m) {
  extern __shared__ __align__(16) unsigned char conv1d_tiled_memory[];
  T* const tile = reinterpret_cast<T*>(conv1d_tiled_memory);                // (blockDim.x + m - 1)
  const T* const filter = reinterpret_cast<const T*>(conv1d_tiled_filter);  // (m)
  // BEGIN SOLUTION
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x;  // of this block's outputs
  const int x = threadIdx.x, wide = blockDim.x;

  for (int k = x; k < wide + m - 1; k += wide)
    if (first + k < n) tile[k] = in[first + k];
  __syncthreads();  // waits for the whole tile: a thread reads m elements, and loaded few of them

  const std::int64_t j = first + x;
  if (j >= n) return;
  // The end is the thread's own, as before. With an end that all threads have in common, nvcc 13.0 would read
  // the filter through the uniform data path, where on an H100 every other tap waits for its load.
  const int taps = static_cast<int>(n - j < m ? n - j : m);
  T sum = 0;
  for (int i = 0; i < taps; ++i) sum += filter[i] * tile[x + i];
  out[j] = sum;
  // STUB (void)tile, (void)filter;
  // STUB // 1. Load the elements first .. first + blockDim.x + m - 2 into the tile, as far as they exist.
  // STUB // 2. Wait for the whole tile.
  // STUB // 3. Sum over the filter, from the tile; store, if your output exists.
  // END SOLUTION
}

template <class T>
void conv1d_tiled(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                  cudaStream_t stream) {
  warplab::check_block(block, 1);
  if (!conv1d_has_work(in, filter, out, n, m)) return;
  conv1d_check_taps<T>(m, conv1d_shared_bytes / sizeof(T) - block.x + 1, "a tile of this block");
  CUDA_CHECK(cudaMemcpyToSymbolAsync(conv1d_tiled_filter, filter, m * sizeof(T), 0, cudaMemcpyDeviceToDevice,
                                     stream));
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  // BEGIN SOLUTION
  const std::size_t tile_bytes = (block.x + m - 1) * sizeof(T);
  conv1d_tiled_kernel<<<grid, block, tile_bytes, stream>>>(in, out, n, m);
  // STUB (void)grid;
  // STUB warplab::todo("conv1d_tiled: how many bytes is the tile? Load it, wait, sum; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void conv1d_tiled(const float*, const float*, float*, std::int64_t, int, dim3, cudaStream_t);
template void conv1d_tiled(const double*, const double*, double*, std::int64_t, int, dim3, cudaStream_t);
