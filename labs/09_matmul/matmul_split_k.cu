// Split k: several blocks share the sum over k of one tile.
//
// A product of 256x256 by k = 65536 has 16 tiles of 64x64: 16 blocks, on a GPU with 132 multiprocessors.
// The other rungs leave the rest idle. Here k is cut into slices, and a block sums one tile over one slice.
// The slices' sums go to the workspace, and a second kernel adds them up in their order, so that the result
// has the same bits each time. The next tiles are loaded into registers while these are multiplied.
// Cost: slices * m * n sums are written and read once more, and one launch is added.
// Ceiling per warp-wide multiply-add: 3 / 32 loads of 16 bytes, so shared memory is not the limit.
// Stops being good: D has tiles enough for all multiprocessors; then async is faster.
// Source: NVIDIA's CUTLASS, "Split-K Partitioning".
#include "common/device_attribute.hpp"
#include "matmul.hpp"
#include "matmul_launch.hpp"
#include "matmul_slices.hpp"
#include "matmul_store.hpp"

constexpr int tile = 64, depth = 16, threads = 128;  // tiles of 64x16 and 16x64
constexpr int rows_each = 8, cols_each = 4;          // of D, per thread: 8 threads down, 16 across
static_assert((tile / rows_each) * (tile / cols_each) == threads);

template <class T>
__global__ void __launch_bounds__(threads) matmul_split_k_kernel(Matmul<T> p,
                                                                 T* slices,  // (gridDim.y, m, n)
                                                                 int slice_k) {
  __shared__ __align__(16) T a_tile[depth][tile + 4];  // by columns; 4 more: no bank conflicts
  __shared__ __align__(16) T b_tile[depth][tile];
  const int tid = threadIdx.x;
  const unsigned across = (p.n - 1) / tile + 1;
  const std::int64_t row0 = std::int64_t{blockIdx.x / across} * tile, col0 = blockIdx.x % across * tile;
  const int k_begin = blockIdx.y * slice_k, k_end = p.k - k_begin > slice_k ? k_begin + slice_k : p.k;

  constexpr int each = tile * depth / threads;  // elements of A's tile per thread, and of B's
  T next_a[each], next_b[each];
  const int a_k = tid % depth, a_row = tid / depth, b_k = tid / tile, b_col = tid % tile;
  const auto load = [&](int k) {
#pragma unroll
    for (int i = 0; i < each; ++i) {
      const std::int64_t row = row0 + a_row + i * (threads / depth);
      next_a[i] = row < p.m && k + a_k < k_end ? p.a[row * p.lda + k + a_k] : T{0};
      const int k_of_b = k + b_k + i * (threads / tile);
      next_b[i] = k_of_b < k_end && col0 + b_col < p.n ? p.b[k_of_b * p.ldb + col0 + b_col] : T{0};
    }
  };
  T sums[rows_each][cols_each] = {};
  const int row = tid / (tile / cols_each) * rows_each, col = tid % (tile / cols_each) * cols_each;
  load(k_begin);
  for (int k = k_begin; k < k_end; k += depth) {
#pragma unroll
    for (int i = 0; i < each; ++i) {
      a_tile[a_k][a_row + i * (threads / depth)] = next_a[i];
      b_tile[b_k + i * (threads / tile)][b_col] = next_b[i];
    }
    __syncthreads();  // waits for the tiles
    if (k_end - k > depth) load(k + depth);
#pragma unroll
    for (int kk = 0; kk < depth; ++kk) {
      T a[rows_each], b[cols_each];
#pragma unroll
      for (int i = 0; i < rows_each; ++i) a[i] = a_tile[kk][row + i];
#pragma unroll
      for (int j = 0; j < cols_each; ++j) b[j] = b_tile[kk][col + j];
#pragma unroll
      for (int i = 0; i < rows_each; ++i)
#pragma unroll
        for (int j = 0; j < cols_each; ++j) sums[i][j] += a[i] * b[j];
    }
    __syncthreads();  // waits until nobody reads the tiles any more
  }
  T* const mine = slices + std::int64_t{blockIdx.y} * p.m * p.n;
#pragma unroll
  for (int i = 0; i < rows_each; ++i)
#pragma unroll
    for (int j = 0; j < cols_each; ++j)
      if (row0 + row + i < p.m && col0 + col + j < p.n)
        mine[(row0 + row + i) * p.n + col0 + col + j] = sums[i][j];
}

/// Slices for four blocks per multiprocessor, of at least 128 along k, as far as
/// the workspace holds their sums.
template <class T>
static int slices_for(const Matmul<T>& p, std::int64_t tiles, std::size_t workspace_bytes) {
  const std::int64_t wanted = warplab::ceil_div(std::int64_t{4} * warplab::multiprocessors(), tiles);
  const std::int64_t useful = std::max<std::int64_t>(1, p.k / 128);
  const auto held =
      static_cast<std::int64_t>(workspace_bytes / sizeof(T) / (std::size_t(p.m) * std::size_t(p.n)));
  if (held < 1)
    warplab::refuse("a workspace of ", workspace_bytes, " bytes is too small for the sums of one slice, ",
                    p.m, "x", p.n);
  return static_cast<int>(std::min({wanted, useful, held}));
}

template <class T>
void matmul_split_k(const Matmul<T>& product, void* workspace, std::size_t workspace_bytes,
                    cudaStream_t stream) {
  if (!matmul_check(product)) return;
  const std::int64_t tiles = warplab::ceil_div(product.n, tile) * warplab::ceil_div(product.m, tile);
  T* const slices = static_cast<T*>(workspace);
  if (product.k == 0) return matmul_join_slices(product, slices, 0, stream);
  const int wanted = slices_for(product, tiles, workspace_bytes);
  const int slice_k =
      static_cast<int>(warplab::ceil_div(warplab::ceil_div(product.k, wanted), depth) * depth);
  const auto count = static_cast<int>(warplab::ceil_div(product.k, slice_k));
  const dim3 grid = warplab::grid_of(tiles, count);
  matmul_split_k_kernel<T><<<grid, threads, 0, stream>>>(product, slices, slice_k);
  CUDA_CHECK_LAUNCH();
  matmul_join_slices(product, slices, count, stream);
}

MATMUL_INSTANTIATE(split_k, float)
MATMUL_INSTANTIATE(split_k, double)
