// Two correct kernels that show what racecheck knows of rings (CUDA 13.0). A warp fills a slot, another one
// reads it, and two barriers say when; both wait for the parity of a phase. Where each thread that has read
// the slot arrives at `empty`, racecheck is content. Where one lane arrives for its warp, after __syncwarp(),
// it reports a race: it does not see that the other lanes read before. The rings of lab 13 arrive so.
//
// Usage: sanitizer_rings each|warp. Ordinary CUDA for compute capability 9.0.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "common/device/transaction_barrier.hpp"

constexpr int warp = 32, rounds = 4;

/// The sum of the rounds' numbers, as each lane of the second warp has read them.
template <bool each_arrives>
__global__ void pass_on(int* sums) {  // (32)
  __shared__ std::uint64_t full, empty;
  __shared__ int slot;
  if (threadIdx.x == 0) {
    barrier_init(&full, 1);
    barrier_init(&empty, each_arrives ? warp : 1);
    fence_barriers();
  }
  __syncthreads();  // waits until the barriers are made
  if (threadIdx.x < warp) {
    for (unsigned round = 0; threadIdx.x == 0 && round < rounds; ++round) {
      barrier_wait(&empty, round % 2 ^ 1);  // passes at once in the first round
      slot = static_cast<int>(round);
      barrier_arrive(&full);
    }
    return;
  }
  const unsigned lane = threadIdx.x - warp;
  int sum = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    barrier_wait(&full, round % 2);
    sum += slot;
    if (!each_arrives) __syncwarp();  // waits until all lanes have read
    if (each_arrives || lane == 0) barrier_arrive(&empty);
  }
  sums[lane] = sum;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int* sums = nullptr;
  int host[warp] = {};
  if (cudaMalloc(&sums, sizeof host) != cudaSuccess) return 3;
  if (std::strcmp(argv[1], "each") == 0)
    pass_on<true><<<1, 2 * warp>>>(sums);
  else
    pass_on<false><<<1, 2 * warp>>>(sums);
  if (cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (const int sum : host)
    if (sum != rounds * (rounds - 1) / 2) return std::puts("a wrong sum"), 1;
  return 0;
}
