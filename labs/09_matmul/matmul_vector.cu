// Vectors: one row or one column of D, where no tile helps.
//
// If D has one row, each element of B serves one product; if it has one column, each element of A does.
// Nothing is used twice, so all that counts is to read that matrix once, in whole sectors, with many loads
// under way. A block takes a part of one row of D and a slice of k, so that even one row keeps all
// multiprocessors busy. Where D is wide, neighbouring lanes take neighbouring columns. Where it is narrow
// they take neighbouring products of one sum.
// Cost: (m k + m k n) elements read: one matrix once, if m or n is 1. Sums of slices are added up by a
// second kernel, in their order, so that the result has the same bits each time.
// Ceiling: a copy of the same bytes.
// Stops being good: each row of D reads all of B again. From about 16 rows and columns on, tiles pay.
// Source: NVIDIA's CUTLASS, "GEMV"; lab 08 for the sum of a block.
#include "common/device_attribute.hpp"
#include "matmul.hpp"
#include "matmul_launch.hpp"
#include "matmul_slices.hpp"
#include "matmul_store.hpp"
#include "matmul_workspace.hpp"

constexpr int lanes = 32, warps = 8;     // per block
constexpr int cols_each = 4;             // columns of D per thread of a wide block, 32 apart
constexpr int wide = lanes * cols_each;  // columns of D per wide block

/// A block's part of D: one row, and one slice of k. Blocks go through the parts of a row, then the slices.
struct VectorPart {
  std::int64_t row, part;
  int slice, k_begin, k_end;
};

template <class T>
__device__ VectorPart vector_part(const Matmul<T>& p, int parts, int slice_k) {
  const int slice = static_cast<int>(blockIdx.x) / parts, k_begin = slice * slice_k;
  return {matmul_block_down(), static_cast<int>(blockIdx.x) % parts, slice, k_begin,
          p.k - k_begin > slice_k ? k_begin + slice_k : p.k};
}

/// Leaves a sum of a slice where the join finds it, or in D if there is one slice.
template <class T>
__device__ void vector_leave(const Matmul<T>& p, const VectorPart& mine, std::int64_t col, T sum, T* slices) {
  if (slices == nullptr)
    matmul_store(p, mine.row, col, sum);
  else
    slices[(mine.slice * std::int64_t{p.m} + mine.row) * p.n + col] = sum;
}

/// Lanes take columns, warps take rows of B.
template <class T>
__global__ void __launch_bounds__(lanes* warps) matmul_wide_kernel(Matmul<T> p,
                                                                   T* slices,  // (slices, m, n)
                                                                   int parts, int slice_k) {
  __shared__ T of_warp[warps][wide];
  const VectorPart mine = vector_part(p, parts, slice_k);
  if (mine.row >= p.m) return;  // the whole block: a layer of the grid ends past the last row
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  std::int64_t cols[cols_each];
  for (int j = 0; j < cols_each; ++j) {
    const std::int64_t col = mine.part * wide + j * lanes + lane;
    cols[j] = col < p.n ? col : p.n - 1;  // a column that does not exist reads the last one
  }
  T sums[cols_each] = {};
#pragma unroll 8
  for (int k = mine.k_begin + warp; k < mine.k_end; k += warps) {
    const T a = p.a[mine.row * p.lda + k];
    for (int j = 0; j < cols_each; ++j) sums[j] = matmul_add(sums[j], a, p.b[k * p.ldb + cols[j]]);
  }
  for (int j = 0; j < cols_each; ++j) of_warp[warp][j * lanes + lane] = sums[j];
  __syncthreads();  // waits for the sums of all warps
  const std::int64_t col = mine.part * wide + threadIdx.x;
  if (threadIdx.x >= wide || col >= p.n) return;
  T sum = 0;
  for (int w = 0; w < warps; ++w) sum += of_warp[w][threadIdx.x];
  vector_leave(p, mine, col, sum, slices);
}

/// All threads of a block take products of one element of D.
template <class T>
__global__ void __launch_bounds__(lanes* warps) matmul_narrow_kernel(Matmul<T> p,
                                                                     T* slices,  // (slices, m, n)
                                                                     int parts, int slice_k) {
  __shared__ T of_warp[warps];
  const VectorPart mine = vector_part(p, parts, slice_k);
  if (mine.row >= p.m) return;  // the whole block
  T sum = 0;
#pragma unroll 8
  for (int k = mine.k_begin + static_cast<int>(threadIdx.x); k < mine.k_end; k += lanes * warps)
    sum = matmul_add(sum, p.a[mine.row * p.lda + k], p.b[k * p.ldb + mine.part]);
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % lanes == 0) of_warp[threadIdx.x / lanes] = sum;
  __syncthreads();  // waits for the sums of all warps
  if (threadIdx.x != 0) return;
  sum = 0;
  for (int w = 0; w < warps; ++w) sum += of_warp[w];
  vector_leave(p, mine, mine.part, sum, slices);
}

/// Slices for eight blocks per multiprocessor, of at least 8 products per warp and column, as far as the
/// workspace holds their sums. 1 where one slice is enough.
template <class T>
static int vector_slices(const Matmul<T>& p, std::int64_t blocks, std::size_t workspace_bytes) {
  const std::int64_t wanted = warplab::ceil_div(std::int64_t{8} * warplab::multiprocessors(), blocks);
  const std::int64_t useful = p.k / (8 * warps);
  const auto held =
      static_cast<std::int64_t>(workspace_bytes / sizeof(T) / (std::size_t(p.m) * std::size_t(p.n)));
  return static_cast<int>(
      std::max<std::int64_t>(1, std::min({wanted, useful, held, std::int64_t{matmul_max_slices}})));
}

template <class T>
void matmul_vector(const Matmul<T>& product, void* workspace, std::size_t workspace_bytes,
                   cudaStream_t stream) {
  if (!matmul_check(product)) return;
  const bool is_wide = product.n >= lanes;
  const std::int64_t parts = is_wide ? warplab::ceil_div(product.n, wide) : product.n;
  const int wanted = vector_slices(product, parts * product.m, workspace_bytes);
  const int slice_k = static_cast<int>(std::max<std::int64_t>(1, warplab::ceil_div(product.k, wanted)));
  const auto count = static_cast<int>(std::max<std::int64_t>(1, warplab::ceil_div(product.k, slice_k)));
  T* const slices = count == 1 ? nullptr : static_cast<T*>(workspace);
  const dim3 grid = warplab::grid_in_layers(parts * count, product.m);
  const auto kernel = is_wide ? matmul_wide_kernel<T> : matmul_narrow_kernel<T>;
  kernel<<<grid, lanes * warps, 0, stream>>>(product, slices, static_cast<int>(parts), slice_k);
  CUDA_CHECK_LAUNCH();
  if (slices != nullptr) matmul_join_slices(product, slices, count, stream);
}

MATMUL_INSTANTIATE(vector, float)
MATMUL_INSTANTIATE(vector, double)
