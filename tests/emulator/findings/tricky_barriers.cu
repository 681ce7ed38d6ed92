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

}  // namespace
