// Barriers that some threads of a block never reach, because they have returned: the others do not wait for
// them.

#include "tests/emulator/findings/case.hpp"

namespace {

// CASE barrier_in_a_branch: half of the block ends without it
__global__ void half_waits(int* x) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) __syncthreads();
  x[threadIdx.x] = s[threadIdx.x];
}
CASE(barrier_in_a_branch) {
  Buffer<int> x(64, 0);
  half_waits<<<1, 64>>>(x);
}

// CASE return_before_barrier: the guard returns; nobody reads what those threads would have brought
__global__ void guarded_return(const float* in, float* out, int n) {
  __shared__ float row[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  row[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = row[threadIdx.x / 2];
}
CASE(return_before_barrier) {
  Buffer<float> in(200, 1.0f), out(200, 0.0f);
  guarded_return<<<2, 128>>>(in, out, 200);
}

// CASE barrier_in_a_loop: the number of turns depends on the thread
__global__ void turns(const int* counts, int* x) {
  for (int k = 0; k < counts[threadIdx.x]; ++k) __syncthreads();
  x[threadIdx.x] = 1;
}
CASE(barrier_in_a_loop) {
  std::vector<int> host(96);
  for (int i = 0; i < 96; ++i) host[i] = 1 + i / 32;
  Buffer<int> counts(96, 0), x(96, 0);
  check(cudaMemcpy(counts, host.data(), 96 * sizeof(int), cudaMemcpyHostToDevice));
  turns<<<1, 96>>>(counts, x);
}

// CASE barrier_called_twice: in a function, and lanes return between its calls
__device__ int block_sum(int value, int* scratch) {
  scratch[threadIdx.x] = value;
  __syncthreads();
  int sum = 0;
  for (unsigned i = 0; i < blockDim.x; ++i) sum += scratch[i];
  return sum;
}
__global__ void sums_of_the_first(int* out, unsigned n) {
  __shared__ int all[32], first[32];
  first[threadIdx.x] = 0;
  const int sum = block_sum(threadIdx.x, all);
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = sum + block_sum(1, first);
}
CASE(barrier_called_twice) {
  Buffer<int> out(32, 0);
  sums_of_the_first<<<1, 32>>>(out, 20);
}

// CASE barrier_called_twice_in_a_loop: lanes return between its calls in the last round
__global__ void sums_in_rounds(int* out, unsigned n) {
  __shared__ int scratch[4 * 32];
  for (int i = 0; i < 4; ++i) scratch[32 * i + threadIdx.x] = 0;
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
    sum += block_sum(threadIdx.x, scratch + 64 * round);
    if (round == 1 && threadIdx.x >= n) return;
    sum += block_sum(1, scratch + 64 * round + 32);
  }
  out[threadIdx.x] = sum;
}
CASE(barrier_called_twice_in_a_loop) {
  Buffer<int> out(32, 0);
  sums_in_rounds<<<1, 32>>>(out, 20);
}

}  // namespace
