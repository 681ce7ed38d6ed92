// Barriers that threads of a block wait at in two places, or that some return before although they are
// needed.

#include "tests/emulator/findings/case.hpp"

namespace {

// CASE barrier_in_a_device_function: called in a branch, so that some bring no value
template <class T>
__device__ T block_max(T* scratch, T value) {
  scratch[threadIdx.x] = value;
  __syncthreads();
  return scratch[blockDim.x - 1 - threadIdx.x];  // FINDS uninitialised read
}
__global__ void maximum(const int* in, int* out) {
  __shared__ int scratch[64];
  if (in[threadIdx.x] != 0) out[threadIdx.x] = block_max(scratch, in[threadIdx.x]);
}
CASE(barrier_in_a_device_function) {
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = i < 40;
  Buffer<int> in(64, 0), out(64, 0);
  check(cudaMemcpy(in, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
  maximum<<<1, 64>>>(in, out);
}

// CASE two_barriers: one for each way of a branch
__global__ void either_way(int* x) {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();  // FINDS divergent barrier
  } else {
    __syncthreads();  // FINDS divergent barrier
  }
  x[threadIdx.x] = 1;
}
CASE(two_barriers) {
  Buffer<int> x(64, 0);
  either_way<<<1, 64>>>(x);
}

// CASE lanes_leave_a_loop: an H100 waits for ever, since the lanes of a warp meet behind the loop
__global__ void turns_by_lane(const int* counts, int* x) {
  for (int k = 0; k < counts[threadIdx.x]; ++k) {
    x[threadIdx.x] = k;
    __syncthreads();  // FINDS divergent barrier
  }
}
CASE(lanes_leave_a_loop) {
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = 1 + i;
  Buffer<int> counts(64, 0), x(64, 0);
  check(cudaMemcpy(counts, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
  turns_by_lane<<<1, 64>>>(counts, x);
}

}  // namespace
