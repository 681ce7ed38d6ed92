// Tensor Cores fed from shared memory: tiles are copied ahead, and operands too.
//
// `wmma` waits for its tiles, then loads fragments, then multiplies: one after another. Here a block copies
// tiles of A and B to shared memory by cp.async, three tiles ahead. Its 8 warps take their fragments from
// there by ldmatrix: one instruction brings what a whole warp needs of four 8x8 matrices, transposed for B.
// The pieces of a row are permuted (MatmulTile), so that ldmatrix meets no bank conflict. A warp computes
// 64x64 elements of D: 8 ldmatrix per 32 mma.sync. The next fragments are on their way while it multiplies.
// Cost per step of 16 along k of a warp: 4 KiB of shared memory, 32 clocks of the SM's bandwidth, for 65,536
// multiply-adds, which take the SM's Tensor Cores 32 clocks at their peak. Rows that do not begin at
// multiples of 16 bytes come through registers instead, with a narrower tile.
// Stops being good: mma.sync reads its operands from registers, and does not reach an H100's peak;
// `wgmma_tma` reads them from shared memory.
// Source: NVIDIA CUTLASS; PTX ISA, mma.m16n8k16 and ldmatrix.
#include "matmul_capability.hpp"
#include "matmul_launch.hpp"
#include "matmul_store.hpp"
#include "mma/stages.hpp"

constexpr int tile_rows = 128, threads = 256, warps_across = 4;  // of D; 2 x 4 warps

/// What the kernel's forms differ in.
/// @param aligned rows begin at multiples of 16 bytes
/// @param steps of 16 along k that a tile has
template <bool aligned, int steps>
struct Form {
  static constexpr int cols = aligned ? 256 : 128;  // of D, per block
  static constexpr int depth = steps * 16;          // of a tile along k
  static constexpr int warp_cols = cols / warps_across;
  template <class T>
  using Stages = MatmulStages<T, aligned, tile_rows, cols, depth, aligned ? 4 : 2, threads>;
};

/// The kernel's work, compiled only for GPUs that have its instructions.
template <class T, bool aligned, int steps>
static __device__ void multiply_tile(const Matmul<T>& p) {
  using F = Form<aligned, steps>;
  constexpr int warp_rows = 64, step = 16;  // of D per warp; of one mma along k
  extern __shared__ __align__(128) char memory[];
  constexpr int frags_down = warp_rows / 16,
                across = F::warp_cols / 16;  // operands of a warp: 16x16 elements
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int my_row = warp / warps_across * warp_rows, my_col = warp % warps_across * F::warp_cols;
  const std::int64_t row = matmul_block_down() * tile_rows, col = std::int64_t{blockIdx.x} * F::cols;
  typename F::template Stages<T> stages(memory, p, row, col);

  float sums[frags_down][across * 2][4] = {};
  struct Operands {
    unsigned a[frags_down][4], b[across][4];
  };
  Operands operands[2];  // of this step and of the next
  const auto load = [&](Operands& into, int tile, int k) {
#pragma unroll
    for (int i = 0; i < frags_down; ++i) stages.load_a(into.a[i], tile, my_row + i * 16, k);
#pragma unroll
    for (int j = 0; j < across; ++j) stages.load_b(into.b[j], tile, k, my_col + j * 16);
  };
  const int count = stages.count();
  for (int tile = 0; tile < stages.ahead; ++tile) {
    stages.fetch(tile);
    if (tile == 0) stages.keep(0);
  }
  stages.wait();
  __syncthreads();  // waits for tile 0
  if (count > 0) load(operands[0], 0, 0);
  for (int tile = 0; tile < count; ++tile) {
    stages.keep(tile + 1);
    stages.fetch(tile + stages.ahead);
#pragma unroll
    for (int k = 0; k < F::depth; k += step) {
      const bool last = k + step == F::depth;
      if (last) {
        stages.wait();
        __syncthreads();  // waits for the next tile, and for all that read this one
      }
      if (!last || tile + 1 < count) load(operands[(k / step + 1) % 2], tile + last, last ? 0 : k + step);
#pragma unroll
      for (int i = 0; i < frags_down; ++i)
#pragma unroll
        for (int j = 0; j < across * 2; ++j) {
          const Operands& with = operands[k / step % 2];
          matmul_mma<T>(sums[i][j], with.a[i], with.b[j / 2][j % 2 * 2], with.b[j / 2][j % 2 * 2 + 1]);
        }
    }
  }
#pragma unroll
  for (int i = 0; i < frags_down; ++i)
#pragma unroll
    for (int j = 0; j < across * 2; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        matmul_store_pair(p, row + my_row + i * 16 + half * 8 + lane / 4, col + my_col + j * 8 + lane % 4 * 2,
                          sums[i][j] + half * 2);
}

template <class T, bool aligned, int steps>
__global__ void __launch_bounds__(threads) matmul_mma_ldmatrix_kernel(const Matmul<T> p) {
  if constexpr (matmul_code_for_sm_80) multiply_tile<T, aligned, steps>(p);
}

template <class T, bool aligned, int steps>
static void launch(const Matmul<T>& product, cudaStream_t stream) {
  using F = Form<aligned, steps>;
  constexpr int bytes = F::template Stages<T>::bytes;
  const auto kernel = matmul_mma_ldmatrix_kernel<T, aligned, steps>;
  CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<matmul_grid(product, tile_rows, F::cols), threads, bytes, stream>>>(product);
  CUDA_CHECK_LAUNCH();
}

/// Whether a block of the current device can have this much shared memory.
static bool device_has_shared_memory(int bytes) {
  int device = 0, most = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return bytes <= most;
}

template <class T>
void matmul_mma_ldmatrix(const Matmul<T>& product, void*, std::size_t, cudaStream_t stream) {
  if (!matmul_check(product)) return;
  matmul_check_sm_80("mma_ldmatrix");
  if (!matmul_rows_at_16_bytes(product.a, product.lda) || !matmul_rows_at_16_bytes(product.b, product.ldb))
    launch<T, false, 2>(product, stream);
  else if (device_has_shared_memory(Form<true, 4>::Stages<T>::bytes))
    launch<T, true, 4>(product, stream);
  else  // before compute capability 9.0: half the depth
    launch<T, true, 2>(product, stream);
}

MATMUL_INSTANTIATE(mma_ldmatrix, __half)
MATMUL_INSTANTIATE(mma_ldmatrix, __nv_bfloat16)
