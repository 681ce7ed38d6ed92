// A warp that waits for the others of its block by a vote on their flags.
// clang-format off
//! solves reduction/warp_shuffle
//! of
  __shared__ Accumulator of_warp[32];  // (blockDim.x / 32)
  const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
//! becomes
  __shared__ Accumulator of_warp[32];  // (blockDim.x / 32)
  __shared__ volatile int is_there[32];
  const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  if (lane == 0) is_there[warp] = 0;
  __syncthreads();
//! of
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();  // waits for one value from each warp
  if (warp != 0) return;
//! becomes
  if (lane == 0) {
    of_warp[warp] = mine;
    __threadfence_block();
    is_there[warp] = 1;
  }
  if (warp != 0) return;
  while (__any_sync(0xffffffffu, lane < blockDim.x / 32 && is_there[lane] == 0)) {}
  __threadfence_block();
