// A ballot of each warp is added to a count of the block, and one thread adds that.
// clang-format off
//! solves first_program/block_count
//! of
  const bool above = i < n && in[i] > limit;
  const int of_block = __syncthreads_count(above);  // every thread of the block must get here
  if (threadIdx.x == 0) atomicAdd(count, of_block);
//! becomes
  __shared__ int of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  const unsigned votes = __ballot_sync(0xffffffffu, i < n && in[i] > limit);
  if (threadIdx.x % warpSize == 0) atomicAdd(&of_block, __popc(votes));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, of_block);
