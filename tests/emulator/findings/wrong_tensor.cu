// Tiles that tensor maps and wgmma work on, used before or after they may be.

#include "tests/emulator/findings/tensor_tile.hpp"

namespace {

using namespace findings;

// CASE wgmma_without_a_proxy_fence: a barrier orders the threads, and tensor cores read by another way
__global__ void multiply_unfenced(float* out) {
  __shared__ alignas(128) unsigned char tiles[2 * tile_bytes];
  for (unsigned i = threadIdx.x; i < sizeof tiles; i += blockDim.x) tiles[i] = 0;
  __syncthreads();
  float d[4] = {};
  const std::uint64_t a = operand_at(tiles);
  products_begin();
  asm volatile(  // FINDS proxy fence
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3},%4,%5,1,1,1,0,0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(a), "l"(a));
  products_commit();
  products_wait();
  out[threadIdx.x] = d[0];
}
CASE(wgmma_without_a_proxy_fence) {
  Buffer<float> out(128, 1.0f);
  multiply_unfenced<<<1, 128>>>(out);
}

// CASE wgmma_tile_written_before_the_wait: the product may still read
__global__ void overwrite(float* out) {
  __shared__ alignas(128) unsigned char tiles[2 * tile_bytes];
  for (unsigned i = threadIdx.x; i < sizeof tiles; i += blockDim.x) tiles[i] = 0;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  float d[4] = {};
  const std::uint64_t a = operand_at(tiles);
  products_begin();
  asm volatile(  // FINDS race
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3},%4,%5,1,1,1,0,0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(a), "l"(a));
  products_commit();
  if (threadIdx.x < 64) tiles[threadIdx.x] = 1;  // FINDS race
  products_wait();
  out[threadIdx.x] = d[0];
}
CASE(wgmma_tile_written_before_the_wait) {
  Buffer<float> out(128, 1.0f);
  overwrite<<<1, 128>>>(out);
}

// CASE tensor_load_into_a_tile_in_use: the stage is filled again before the product is waited for
__global__ void refill_too_early(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) unsigned char tiles[2 * tile_bytes];
  __shared__ Barrier barrier;
  begin(barrier);
  float d[4] = {};
  const std::uint64_t a = operand_at(tiles);
  for (int step = 0; step < 2; ++step) {
    for (int i = 0; threadIdx.x == 0 && i < 2; ++i) {
      unsigned char* const to = tiles + i * tile_bytes;
      const int col = 16 * step + 8 * i;
      cde::cp_async_bulk_tensor_2d_global_to_shared(to, &map, col, 0, barrier);  // FINDS race
    }
    if (threadIdx.x == 0) static_cast<void>(cuda::device::barrier_arrive_tx(barrier, 1, sizeof tiles));
    barrier.wait_parity(step);
    products_begin();
    asm volatile(  // FINDS race
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3},%4,%5,1,1,1,0,0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(a), "l"(a));
    products_commit();
  }
  products_wait();
  out[threadIdx.x] = d[0];
}
CASE(tensor_load_into_a_tile_in_use) {
  Buffer<unsigned short> matrix(64 * 32, 0);
  Buffer<float> out(128, 1.0f);
  refill_too_early<<<1, 128>>>(map_of_tiles(matrix, 4), out);
}

// CASE tensor_store_without_a_proxy_fence: what threads have stored is not known to the copy
__global__ void store_unfenced(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) unsigned char tile[tile_bytes];
  for (unsigned i = threadIdx.x; i < sizeof tile; i += blockDim.x) tile[i] = 0;
  __syncthreads();
  if (threadIdx.x != 0) return;
  cde::cp_async_bulk_tensor_2d_shared_to_global(&map, 0, 0, tile);  // FINDS proxy fence
  cde::cp_async_bulk_commit_group();
  cde::cp_async_bulk_wait_group_read<0>();
}
CASE(tensor_store_without_a_proxy_fence) {
  Buffer<unsigned short> matrix(64 * 8, 1);
  store_unfenced<<<1, 128>>>(map_of_tiles(matrix, 1));
}

}  // namespace
