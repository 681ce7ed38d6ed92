// Tiles that tensor maps and wgmma work on, in an order that only some threads establish.

#include "tests/emulator/findings/tensor_tile.hpp"

namespace {

using namespace findings;

// CASE wgmma_stage_refilled_by_one_that_waited: whoever has waited for the group knows that all have read
__global__ void refill_in_time(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) unsigned char tiles[2 * tile_bytes];
  __shared__ Barrier barrier;
  begin(barrier);
  float d[4] = {};
  const std::uint64_t a = operand_at(tiles);
  for (int step = 0; step < 6; ++step) {
    if (threadIdx.x == 0) {
      for (int i = 0; i < 2; ++i)
        cde::cp_async_bulk_tensor_2d_global_to_shared(tiles + i * tile_bytes, &map, 16 * (step % 2) + 8 * i,
                                                      0, barrier);
      static_cast<void>(cuda::device::barrier_arrive_tx(barrier, 1, sizeof tiles));
    }
    barrier.wait_parity(step % 2);
    products_begin();
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3},%4,%5,1,1,1,0,0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(a));
    products_commit();
    products_wait();
  }
  out[threadIdx.x] = d[0];
}
CASE(wgmma_stage_refilled_by_one_that_waited) {
  Buffer<unsigned short> matrix(64 * 32, 0);
  Buffer<float> out(128, 1.0f);
  refill_in_time<<<1, 128>>>(map_of_tiles(matrix, 4), out);
}

// CASE tensor_boxes_beyond_the_tensor: what is outside is neither read nor written
__global__ void move_beyond(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) unsigned char tile[tile_bytes];
  __shared__ Barrier barrier;
  begin(barrier);
  if (threadIdx.x != 0) return;
  cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &map, -8, 40, barrier);
  static_cast<void>(cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile));
  barrier.wait_parity(0);
  cde::cp_async_bulk_tensor_2d_shared_to_global(&map, 8, 40, tile);
  cde::cp_async_bulk_commit_group();
  cde::cp_async_bulk_wait_group_read<0>();
}
CASE(tensor_boxes_beyond_the_tensor) {
  Buffer<unsigned short> matrix(64 * 8, 1);
  move_beyond<<<1, 32>>>(map_of_tiles(matrix, 1));
}

// CASE tensor_store_of_what_is_inside: the part of the box that lies outside the tensor was never written
__global__ void store_inside(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) unsigned short tile[64 * 8];
  for (unsigned row = threadIdx.x; row < 40; row += blockDim.x)
    for (unsigned col = 0; col < 8; ++col) tile[row * 8 + col] = 1;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x != 0) return;
  cde::cp_async_bulk_tensor_2d_shared_to_global(&map, 0, 24, tile);  // rows 24 to 63 of 64
  cde::cp_async_bulk_commit_group();
  cde::cp_async_bulk_wait_group_read<0>();
}
CASE(tensor_store_of_what_is_inside) {
  Buffer<unsigned short> matrix(64 * 8, 1);
  store_inside<<<1, 32>>>(map_of_tiles(matrix, 1));
}

}  // namespace
