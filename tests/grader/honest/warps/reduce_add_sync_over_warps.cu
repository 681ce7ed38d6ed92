// A sum of each warp by one instruction, then of the block.
// clang-format off
//! solves first_program/block_count
//! of
  const bool above = i < n && in[i] > limit;
  const int of_block = __syncthreads_count(above);  // every thread of the block must get here
  if (threadIdx.x == 0) atomicAdd(count, of_block);
//! becomes
  __shared__ int of_warp[32];
  int mine = __reduce_add_sync(0xffffffff, i < n && in[i] > limit ? 1 : 0);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0;
  mine = __reduce_add_sync(0xffffffff, mine);
  if (threadIdx.x == 0) atomicAdd(count, mine);
