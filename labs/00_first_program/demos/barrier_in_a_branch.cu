// A hang that is real today: half of the lanes wait at the block's barrier, the others at the warp's barrier.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void wait_for_each_other(int* out) {
  if (threadIdx.x < 16)
    __syncthreads();  // waits for lanes 16 to 31
  else
    __syncwarp();  // waits for lanes 0 to 15
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  int *out, host[32] = {};
  cudaMalloc(&out, sizeof host);
  wait_for_each_other<<<1, 32>>>(out);
  const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(out);
}
