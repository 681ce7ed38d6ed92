// A block turns its 256 elements round. Global memory keeps the data, shared
// memory passes it between threads.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void turn_round(const int* in, int* out) {
  __shared__ int part[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = in[i];
  __syncthreads();  // waits for all of part: the next line reads what another thread wrote
  out[i] = part[255 - threadIdx.x];
}

int main() {
  constexpr int n = 1024;
  int *in, *out, host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  turn_round<<<n / 256, 256>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("out[0] is %d, out[255] is %d, out[256] is %d\n", host[0], host[255], host[256]);
  cudaFree(in);
  cudaFree(out);
}
