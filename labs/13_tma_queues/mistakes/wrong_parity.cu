// One slot, four tiles: whoever waits for the same parity in every round reads before the tile is there.
#include <cstdio>
#include <cuda/barrier>

#ifdef __CUDACC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

using Barrier = cuda::barrier<cuda::thread_scope_block>;

// sums[t] = the sum of tile t, whose 4 elements are all t + 1.
// The parity changes with each round, or it does not.
__global__ void sum_tiles(const float* tiles, int count, bool parity_changes, float* sums) {
  __shared__ alignas(16) float slot[4];
  __shared__ Barrier full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();  // waits for the barrier
  bool parity = false;
  for (int t = 0; t < count; ++t) {
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(slot, tiles + 4 * t, cuda::aligned_size_t<16>(16), full);
      (void)cuda::device::barrier_arrive_tx(full, 1, 16);
    }
    full.wait_parity(parity);
    if (threadIdx.x == 0) sums[t] = slot[0] + slot[1] + slot[2] + slot[3];
    __syncthreads();  // waits until nobody reads the slot any more
    if (parity_changes) parity = !parity;
  }
}

int main() {
  const int count = 4;
  float *tiles = nullptr, *sums = nullptr;
  cudaMallocManaged(&tiles, 4 * count * sizeof(float));
  cudaMallocManaged(&sums, count * sizeof(float));
  for (int i = 0; i < 4 * count; ++i) tiles[i] = static_cast<float>(i / 4 + 1);
  for (const bool changes : {true, false}) {
    sum_tiles<<<1, 32>>>(tiles, count, changes, sums);
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
      std::printf("parity %s: %s\n", changes ? "changes" : "stays", cudaGetErrorString(error));
      break;
    }
    std::printf("parity %s: %g %g %g %g\n", changes ? "changes" : "stays", sums[0], sums[1], sums[2],
                sums[3]);
  }
  cudaFree(tiles);
  cudaFree(sums);
}
