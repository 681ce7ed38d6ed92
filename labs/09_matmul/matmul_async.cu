// Async: the tiles of later steps are on their way while this step's are multiplied.
//
// `vectorized` loads a tile, waits for it, multiplies, waits again: memory and arithmetic take turns. Here
// a ring of `stages` tiles lies in shared memory. __pipeline_memcpy_async() starts a copy from global to
// shared memory that passes through no register, and the thread goes on. Each step waits only for copies
// that were started stages - 1 steps ago. The same idea works once more, smaller: the operands of the next
// k are loaded from shared memory before those of this k are multiplied, also across the border of two
// stages. Three numbers change as well (AsyncShape): for float, 16x8 elements per thread, tiles of 64x256,
// and bands of 8 tiles that share L2.
// Cost per warp-wide multiply-add: 6 / 128 loads of shared memory. One barrier per step instead of two.
// Ceiling: the issue slots. 128 multiply-adds and 6 loads per k are 0.96 of the fp32 peak at best.
// Stops being good: D has fewer tiles than the GPU has multiprocessors (see split_k), or the GPU has Tensor
// Cores for the type.
// Source: CUDA C++ Programming Guide, "Asynchronous Data Copies"; NVIDIA's CUTLASS, the SIMT kernels.
#include <cuda_pipeline.h>

#include "matmul.hpp"
#include "matmul_async_copy.hpp"
#include "matmul_async_shape.hpp"
#include "matmul_launch.hpp"

/// @tparam whole m, n and k are whole tiles, at least `stages` along k, and rows of B start at multiples of
/// 16 bytes: no guards
template <class T, bool whole>
__global__ void __launch_bounds__(AsyncShape<T>::threads, 2)
    matmul_async_kernel(Matmul<T> p, bool vectors_of_b, bool vectors_of_d) {
  // BEGIN SOLUTION
  using Shape = AsyncShape<T>;
  constexpr int depth = Shape::depth, stages = Shape::stages;
  __shared__ __align__(16) T ring[stages * Shape::stage_elements];  // (stages, stage_elements)
  const AsyncPlace place = async_place<T>(p.m, p.n);
  const int row = async_row<T>(), col = async_col<T>();  // of this thread, in the block's tile of D
  AsyncCopy<T, whole> copy(p, place, vectors_of_b);
  AsyncFragment<T> fragment[2];
  const auto load_fragment = [&](int stage, int k) {
    const T* const tiles = ring + stage * Shape::stage_elements;
    fragment[k % 2].load(tiles + k * Shape::a_stride + row,
                         tiles + Shape::a_elements + k * Shape::cols + col);
  };

  T sums[Shape::rows_each][Shape::cols_each] = {};
  const int steps = p.k > 0 ? (p.k - 1) / depth + 1 : 0;
  for (int s = 0; s < stages - 1; ++s) {
    if (s < steps) copy.start_next(ring + s * Shape::stage_elements, s * depth);
    __pipeline_commit();  // an empty group where there is no tile, so that the counts below are right
  }
  __pipeline_wait_prior(stages - 2);
  __syncthreads();  // waits for all threads' copies of the first tiles
  if (whole || steps > 0) load_fragment(0, 0);
  int reads = 0, writes = stages - 1;
#pragma unroll(whole ? 2 : 1)  // with guards two steps no longer fit into the instruction cache
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      if (k < depth - 1) {
        load_fragment(reads, k + 1);
      } else {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();  // waits for the next tiles, and until nobody reads these any more
        reads = reads + 1 == stages ? 0 : reads + 1;
        if (whole || step + 1 < steps) load_fragment(reads, 0);  // past the end: tiles of earlier steps
      }
      if (k == 0) {
        if (step + stages - 1 < steps)
          copy.start_next(ring + writes * Shape::stage_elements, (step + stages - 1u) * depth);
        __pipeline_commit();
        writes = writes + 1 == stages ? 0 : writes + 1;
      }
      async_multiply(fragment[k % 2], sums);
    }
  }
  async_store<whole>(p, place.row + row, place.col + col, sums, vectors_of_d);
  // STUB // 1. Start the copies of the first stages - 1 tiles, each a group of its own.
  // STUB // 2. In each step: wait for the oldest group, then for all threads. Start the copies of the tiles that
  // STUB //    are needed stages - 1 steps later. Multiply the tiles that are there, k by k.
  // STUB // 3. Which barrier makes sure that nobody reads a stage any more when it is written again?
  // END SOLUTION
}

template <class T>
void matmul_async(const Matmul<T>& product, void*, std::size_t, cudaStream_t stream) {
  if (!matmul_check(product)) return;
  using Shape = AsyncShape<T>;
  const bool vectors_of_b = matmul_rows_at_16_bytes(product.b, product.ldb);
  const bool vectors_of_d = matmul_rows_at_16_bytes(product.d, product.ldd);
  const bool whole = vectors_of_b && product.m % Shape::rows == 0 && product.n % Shape::cols == 0 &&
                     product.k % Shape::depth == 0 && product.k >= Shape::depth * Shape::stages;
  const dim3 grid =
      warplab::grid_of(warplab::ceil_div(product.m, Shape::rows) * warplab::ceil_div(product.n, Shape::cols));
  // BEGIN SOLUTION
  const auto kernel = whole ? matmul_async_kernel<T, true> : matmul_async_kernel<T, false>;
  kernel<<<grid, Shape::threads, 0, stream>>>(product, vectors_of_b, vectors_of_d);
  // STUB (void)vectors_of_d, (void)whole, (void)grid;
  // STUB warplab::todo("matmul_async: a ring of tiles, filled by __pipeline_memcpy_async; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

MATMUL_INSTANTIATE(async, float)
MATMUL_INSTANTIATE(async, double)
