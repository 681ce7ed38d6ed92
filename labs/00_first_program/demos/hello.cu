// Two blocks of four threads say hello. Which line comes first?
#include <cuda_runtime.h>

#include <cstdio>

__global__ void hello() { printf("block %d, thread %d\n", blockIdx.x, threadIdx.x); }

int main() {
  hello<<<2, 4>>>();
  std::printf("the host goes on while the kernel runs\n");
  const cudaError_t error = cudaDeviceSynchronize();  // waits for the kernel, and prints what it printed
  std::printf("done: %s\n", cudaGetErrorString(error));
}
