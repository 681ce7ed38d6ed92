// Two correct kernels that show what racecheck knows of cuda::barrier (CUDA 13.0): it takes arrive_and_wait()
// for what it is, and reports a race where the same barrier is waited for by its phase's parity. Rings of
// lab 13 wait so, since no thread of a ring arrives at each barrier that it waits for.
//
// Usage: sanitizer_waits token|parity. Ordinary CUDA.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int threads = 64, rounds = 4;

/// One thread stores, all read: the round's number. The sum of what they read is stored.
template <bool by_parity>
__global__ void pass_on(int* sums) {
  __shared__ cuda::barrier<cuda::thread_scope_block> stored;
  __shared__ int slot;
  if (threadIdx.x == 0) init(&stored, threads);
  __syncthreads();  // waits for the barrier to begin
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) slot = round;
    if constexpr (by_parity) {
      (void)stored.arrive();
      stored.wait_parity(round % 2 != 0);
    } else {
      stored.arrive_and_wait();
    }
    sum += slot;
    __syncthreads();  // waits until all have read the slot
  }
  sums[threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int* sums = nullptr;
  int host[threads] = {};
  if (cudaMalloc(&sums, sizeof host) != cudaSuccess) return 3;
  if (std::strcmp(argv[1], "parity") == 0)
    pass_on<true><<<1, threads>>>(sums);
  else
    pass_on<false><<<1, threads>>>(sums);
  if (cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (const int sum : host)
    if (sum != rounds * (rounds - 1) / 2) return std::puts("a wrong sum"), 1;
  return 0;
}
