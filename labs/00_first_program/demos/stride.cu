// Each warp writes 32 ints: 1, 2, 4, 8, 16 or 32 places apart. How many sectors of
// 32 bytes does each stride need?
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void write_apart(int* out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }

int main(int argc, char** argv) {
  const int stride = argc > 1 ? std::atoi(argv[1]) : 1;
  if (stride < 1 || stride > 32) return std::printf("the stride must be 1 to 32\n"), 1;
  int *out, host[32 * 32] = {};
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  write_apart<<<1, 32>>>(out, stride);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("stride %d: thread 31 wrote %d to element %d\n", stride, host[31 * stride], 31 * stride);
  cudaFree(out);
}
