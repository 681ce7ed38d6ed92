// Warps that wait for the last one of their block by a vote on its flag.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  __shared__ volatile int is_there;
  if (threadIdx.x == 0) is_there = 0;
  __syncthreads();
  const unsigned lanes = __activemask();
  if (threadIdx.x == blockDim.x - 1) is_there = 1;
  __syncwarp(lanes);
  while (__any_sync(lanes, threadIdx.x % 32 == 0 && is_there == 0)) {}
  if (i < n) c[i] = a[i] + b[i];
