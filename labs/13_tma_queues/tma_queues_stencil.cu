// Stencil: a tensor map brings boxes with their halo, zeros beyond the edge, and no bank conflicts.
//
// The map holds address, extents and strides of a. One instruction copies a box of 130 rows and 32 columns:
// what lies outside a becomes 0, so no thread looks for an edge. A box must begin at a multiple of 16 bytes,
// so it has four columns before the block's own, of which one is needed.
// z is stored transposed, so a warp's lanes take a column of 32 rows. Rows of 128 bytes lie in the same
// banks: a request of 16 bytes per lane takes 32 wavefronts in place of 4. Rows of 144 bytes would avoid that
// too. The map swizzles instead: chunk c (16 bytes) of row r lies at chunk c ^ (r % 8), so 8 neighbouring
// rows fill all banks.
// Cost per element: 1.35 elements from L2 (130x32 for 128x24), more in whole sectors, since rows of a box may
// begin in the middle of one; 0.83 loads of 16 bytes from shared memory.
// Stops being good: boxes have at most 256 rows, and swizzled ones 128 bytes per row.
// Source: CUDA Programming Guide, "Swizzle modes"; PTX ISA 9.0, "cp.async.bulk.tensor".
#include "common/device/bulk_copy.hpp"
#include "common/todo.hpp"
#include "tma_queues.hpp"
#include "tma_queues_launch.hpp"

inline constexpr int stencil_rows = 128, stencil_cols = 24;  // of a that a block takes: a row per thread
inline constexpr int halo = 4;  // columns of the box before them, of which the last is needed
static_assert(stencil_box_rows == stencil_rows + 2, "a row of halo on either side");
static_assert(2 * halo + stencil_cols == 32, "a row of the box has 128 bytes");
inline constexpr int box_bytes = stencil_box_rows * 128;
inline constexpr int slot_bytes = (box_bytes + 1023) / 1024 * 1024;  // the swizzle repeats every 1024 bytes

__global__ void __launch_bounds__(stencil_rows)
    tma_queues_stencil_kernel(const __grid_constant__ CUtensorMap map, StencilWork work, int slots) {
  extern __shared__ unsigned char shared[];
  // BEGIN SOLUTION
  unsigned char* const boxes = shared + (1024 - shared_address(shared) % 1024) % 1024;  // (slots, 130, 32)
  __shared__ std::uint64_t full[tma_queues_max_slots];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t across = (work.cols + stencil_cols - 1) / stencil_cols;
  const std::int64_t down = (work.rows + stencil_rows - 1) / stencil_rows, count = across * down;
  if (thread == 0) {
    for (int s = 0; s < slots; ++s) barrier_init(full + s, 1);
    fence_barriers();
  }
  __syncthreads();  // waits for the barriers

  const auto start = [&](std::int64_t box, int slot) {
    const int row = static_cast<int>(box / across) * stencil_rows;
    const int col = static_cast<int>(box % across) * stencil_cols;
    barrier_expect(full + slot, box_bytes);  // what lies outside counts too
    tma_load(boxes + slot * slot_bytes, &map, row - 1, col - halo, full + slot);
  };
  if (thread == 0)
    for (int s = 0; s < slots && blockIdx.x + std::int64_t{gridDim.x} * s < count; ++s)
      start(blockIdx.x + std::int64_t{gridDim.x} * s, s);

  int slot = 0;
  unsigned parity = 0;
  for (std::int64_t box = blockIdx.x; box < count; box += gridDim.x) {
    const unsigned char* const mine = boxes + slot * slot_bytes;  // (130, 32)
    const auto load = [&](int row, int chunk) {                   // columns 4 chunk to 4 chunk + 3
      return *reinterpret_cast<const float4*>(mine + row * 128 + (chunk ^ row % 8) * 16);
    };
    const std::int64_t row = box / across * stencil_rows + thread;
    const std::int64_t first_col = box % across * stencil_cols - halo;  // of the box
    const auto store = [&](int col, float value) {
      if (first_col + col < work.cols && row < work.rows) work.z[(first_col + col) * work.rows + row] = value;
    };
    barrier_wait(full + slot, parity);
    float left = load(thread + 1, 0).w;
    float4 here = load(thread + 1, halo / 4);
#pragma unroll
    for (int chunk = halo / 4; chunk < (halo + stencil_cols) / 4; ++chunk) {
      const float4 up = load(thread, chunk), below = load(thread + 2, chunk);
      const float4 right = load(thread + 1, chunk + 1);
      store(4 * chunk, left + here.y + up.x + below.x - 4 * here.x);
      store(4 * chunk + 1, here.x + here.z + up.y + below.y - 4 * here.y);
      store(4 * chunk + 2, here.y + here.w + up.z + below.z - 4 * here.z);
      store(4 * chunk + 3, here.z + right.x + up.w + below.w - 4 * here.w);
      left = here.w;
      here = right;
    }
    __syncthreads();  // waits until nobody reads this slot any more
    const std::int64_t later = box + std::int64_t{gridDim.x} * slots;
    if (thread == 0 && later < count) start(later, slot);
    if (++slot == slots) slot = 0, parity ^= 1;
  }
  // STUB // 1. Find the first multiple of 1024 bytes in `shared`; make a barrier per slot.
  // STUB // 2. Thread 0 starts the boxes: tma_load() takes row and column of a box's first element, also
  // STUB //    before a; the column is a multiple of 4.
  // STUB // 3. A thread takes a row of the box: chunk c (16 bytes) of box row r lies at 16 * (c ^ r % 8).
  // STUB // 4. Store z transposed, rows and columns of the halo left out, and nothing outside a.
  // END SOLUTION
}

void tma_queues_stencil(const StencilWork& work, const CUtensorMap& map, QueueShape shape,
                        cudaStream_t stream) {
  tma_queues_check_device();
  tma_queues_check_stencil(work, shape);
  if (work.rows == 0 || work.cols == 0) return;
  const std::size_t bytes = static_cast<std::size_t>(shape.slots) * slot_bytes + 1023;
  tma_queues_allow_shared(tma_queues_stencil_kernel, shape, bytes);
  // BEGIN SOLUTION
  const std::int64_t boxes =
      warplab::ceil_div(work.rows, stencil_rows) * warplab::ceil_div(work.cols, stencil_cols);
  const std::int64_t room =
      tma_queues_resident_blocks(tma_queues_stencil_kernel, stencil_rows, bytes, shape.blocks);
  tma_queues_stencil_kernel<<<warplab::grid_of(std::min(boxes, room)), stencil_rows, bytes, stream>>>(
      map, work, shape.slots);
  // STUB (void)map;
  // STUB warplab::todo("tma_queues_stencil: copy boxes with their halo, store z transposed; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}
