// Unified memory has one address for host and device, and moves pages to whoever touches them. Four kernels
// run on the same data: when do the pages move? The times mean something on a GPU only.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void increment(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

static void run(const char* what, float* data, int n) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  increment<<<(n + 255) / 256, 256>>>(data, n);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, stop);
  std::printf("%-34s %9.3f ms\n", what, milliseconds);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}

int main(int argc, char**) {
  const int n = argc > 1 ? 1 << 26 : 1 << 16;  // with any argument: 256 MiB
  float* device;
  cudaMalloc(&device, n * sizeof(float));
  cudaMemset(device, 0, n * sizeof(float));
  run("(warm-up)", device, n);
  run("cudaMalloc", device, n);
  cudaFree(device);

  float* managed;
  cudaMallocManaged(&managed, n * sizeof(float));
  for (int i = 0; i < n; ++i) managed[i] = 0;  // the host touches every page
  run("managed, first touch by the device", managed, n);
  run("managed, second touch", managed, n);
  managed[0] += 1;  // one page moves back
  run("managed, one page touched by host", managed, n);
  std::printf("data[0] is %g, data[%d] is %g\n", managed[0], n - 1, managed[n - 1]);
  cudaFree(managed);
}
