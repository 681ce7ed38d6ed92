// 1024 threads change the same six counters. Which results are always the same?
#include <cuda_runtime.h>

#include <cstdio>

__global__ void change(int* value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  value[0] += 1;             // not atomic: counts get lost
  atomicAdd(&value[1], 1);   // from 0 up
  atomicSub(&value[2], 1);   // from 0 down
  atomicExch(&value[3], i);  // the last thread wins
  atomicMin(&value[4], i - 500);
  atomicMax(&value[5], i - 500);
  // Add 1 and double, modulo 1009, built from compare-and-swap: try again until no other thread came in
  // between.
  int old = value[6], assumed;
  do {
    assumed = old;
    old = atomicCAS(&value[6], assumed, (assumed + 1) * 2 % 1009);
  } while (old != assumed);
}

int main() {
  int *value, host[7];
  cudaMalloc(&value, sizeof host);
  cudaMemset(value, 0, sizeof host);
  change<<<4, 256>>>(value);
  cudaMemcpy(host, value, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("add %d, sub %d, min %d, max %d, compare-and-swap %d\n", host[1], host[2], host[4], host[5],
              host[6]);
  std::printf("plain += %d, exchange %d\n", host[0], host[3]);
  cudaFree(value);
}
