// Asynchronous copies of the library.

#include <cuda/barrier>

#include "tests/emulator/findings/case.hpp"

#pragma nv_diag_suppress static_var_with_dynamic_init  // a barrier in shared memory

namespace {

// CASE asynchronous_copy_past_the_end: named at the line that issues it
__global__ void copies_past_the_end(const int* in, int* out) {
  __shared__ int staged[32];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 32);
  __syncthreads();
  cuda::memcpy_async(&staged[threadIdx.x], &in[threadIdx.x], sizeof(int), barrier);  // FINDS out of bounds
  barrier.arrive_and_wait();
  out[threadIdx.x] = staged[threadIdx.x];
}
CASE(asynchronous_copy_past_the_end) {
  Buffer<int> in(31, 1), out(32, 0);
  copies_past_the_end<<<1, 32>>>(in, out);
}

}  // namespace
