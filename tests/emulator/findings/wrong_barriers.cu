// Barriers that not all threads of a block reach.

#include "tests/emulator/findings/case.hpp"

namespace {

// CASE barrier_in_a_branch: half of the block does not come
__global__ void half_waits(int* x) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) __syncthreads();  // FINDS divergent barrier
  x[threadIdx.x] = s[threadIdx.x];
}
CASE(barrier_in_a_branch) {
  Buffer<int> x(64, 0);
  half_waits<<<1, 64>>>(x);
}

// CASE return_before_barrier: the guard returns before a barrier that the others wait at
__global__ void guarded_return(const float* in, float* out, int n) {
  __shared__ float row[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  row[threadIdx.x] = in[i];
  __syncthreads();  // FINDS divergent barrier
  out[i] = row[threadIdx.x / 2];
}
CASE(return_before_barrier) {
  Buffer<float> in(200, 1.0f), out(200, 0.0f);
  guarded_return<<<2, 128>>>(in, out, 200);
}

// CASE barrier_in_a_loop: the number of turns depends on the thread
__global__ void turns(const int* counts, int* x) {
  for (int k = 0; k < counts[threadIdx.x]; ++k) __syncthreads();  // FINDS divergent barrier
  x[threadIdx.x] = 1;
}
CASE(barrier_in_a_loop) {
  std::vector<int> host(96);
  for (int i = 0; i < 96; ++i) host[i] = 1 + i / 32;
  Buffer<int> counts(96, 0), x(96, 0);
  check(cudaMemcpy(counts, host.data(), 96 * sizeof(int), cudaMemcpyHostToDevice));
  turns<<<1, 96>>>(counts, x);
}

// CASE barrier_in_a_device_function: called in a branch
template <class T>
__device__ T block_max(T* scratch, T value) {
  scratch[threadIdx.x] = value;
  __syncthreads();  // FINDS divergent barrier
  return scratch[blockDim.x - 1 - threadIdx.x];
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

}  // namespace
