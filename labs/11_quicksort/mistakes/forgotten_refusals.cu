// A mistake to look at: launches from a kernel that nobody asks whether they took place.
//
// Each thread launches a kernel that counts one key. The device keeps at most 2048 launches that are not
// complete, unless the host asks for more; the others never run, and the host hears nothing of it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count_one(int* count) { atomicAdd(count, 1); }

__global__ void launch_each(int* count) { count_one<<<1, 1, 0, cudaStreamFireAndForget>>>(count); }

int main() {
  int count = 0, *device;
  cudaMalloc(&device, sizeof count);
  cudaMemset(device, 0, sizeof count);
  launch_each<<<10, 500>>>(device);
  const cudaError_t error = cudaMemcpy(&count, device, sizeof count, cudaMemcpyDeviceToHost);
  std::printf("%s: 5000 launches have counted %d\n", cudaGetErrorString(error), count);
  cudaFree(device);
}
