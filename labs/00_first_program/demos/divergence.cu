// The same work twice: once with a branch by thread, once with a branch by warp.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void by_lane(int* out) {
  const int i = threadIdx.x;
  if (i % 2 == 0)
    out[i] = 2 * i;
  else
    out[i] = i * i;
}

__global__ void by_warp(int* out) {
  const int i = threadIdx.x;
  if (i / 32 % 2 == 0)
    out[i] = 2 * i;
  else
    out[i] = i * i;
}

int main() {
  int *out, host[256];
  cudaMalloc(&out, sizeof host);
  by_lane<<<1, 256>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("by lane: out[2] %d, out[3] %d\n", host[2], host[3]);
  by_warp<<<1, 256>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("by warp: out[2] %d, out[34] %d\n", host[2], host[34]);
  cudaFree(out);
}
