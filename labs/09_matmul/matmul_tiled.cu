// Tiles in shared memory: what a block reads from far away, all its threads use.
//
// A block computes 32x32 elements of D. It loads a tile of 32x32 of A and one of B, waits, adds up 32
// products per thread from them, waits, and goes on with the next two tiles. Each element now comes from
// global memory once per block, and serves 32 products there.
// Cost per warp-wide multiply-add: 3/2 wavefronts in shared memory, so at most 1/6 of the peak (B: one for 32
// neighbours; A: nvcc reads four at once, the same for all lanes, in two wavefronts). From global memory:
// 2/32 elements per product instead of 1/32 + 1/8, and none of them depends on what L1 keeps.
// Stops being good: at those wavefronts. A product needs two operands, and both come from shared memory.
// Source: NVIDIA, CUDA C++ Programming Guide, Shared Memory. mistakes/one_barrier.cu lacks the
// second barrier.
#include "matmul_launch.hpp"
#include "matmul_store.hpp"

constexpr int side = 32;  // of a tile and of the block: a row of a tile is a warp
static_assert(side * side <= warplab::max_block_threads, "one thread for each element of a tile");

template <class T>
__global__ void matmul_tiled_kernel(const Matmul<T> p) {
  // BEGIN SOLUTION
  __shared__ T tile_a[side][side], tile_b[side][side];  // (rows of D, k), (k, columns of D)
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t row = matmul_block_down() * side + y, col = std::int64_t{blockIdx.x} * side + x;

  MatmulSum<T> sum = 0;
  for (std::int64_t first = 0; first < p.k; first += side) {
    tile_a[y][x] = row < p.m && first + x < p.k ? p.a[row * p.lda + first + x] : T{};
    tile_b[y][x] = first + y < p.k && col < p.n ? p.b[(first + y) * p.ldb + col] : T{};
    __syncthreads();  // waits for both tiles
    for (int k = 0; k < side; ++k) sum = matmul_add(sum, tile_a[y][k], tile_b[k][x]);
    __syncthreads();  // waits for all that read these tiles: the next ones take their place
  }
  if (row < p.m && col < p.n) matmul_store(p, row, col, sum);
  // STUB // For each pair of tiles along k: load one element of each per thread, 0 where the matrix has none; wait;
  // STUB // add up `side` products from shared memory; wait again before the tiles are overwritten. Which threads
  // STUB // must come to the barriers?
  // END SOLUTION
}

template <class T>
void matmul_tiled(const Matmul<T>& product, void*, std::size_t, cudaStream_t stream) {
  if (!matmul_check(product)) return;
  // BEGIN SOLUTION
  const dim3 grid = matmul_grid(product, side, side), block(side, side);
  matmul_tiled_kernel<<<grid, block, 0, stream>>>(product);
  // STUB warplab::todo(
  // STUB     "matmul_tiled: tiles of 32x32 of A and B in shared memory, two barriers per pair; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

MATMUL_INSTANTIATE_ALL(tiled)
