// Unified memory has one address for host and device, and moves pages to whoever touches them. Five kernels
// run on the same number of elements: when do the pages move, and how long does a copy or a prefetch take
// that moves them all? The times mean something on a GPU only.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void increment(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

/// Prints how long the device takes for what `work` queues.
template <class Work>
static void timed(const char* what, Work work) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  work();
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, stop);
  std::printf("%-34s %9.3f ms\n", what, milliseconds);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}

static void run(const char* what, float* data, int n) {
  timed(what, [=] { increment<<<(n + 255) / 256, 256>>>(data, n); });
}

/// Moves the pages to device 0 before a kernel needs them.
static void prefetch(const void* data, std::size_t bytes) {
#if CUDART_VERSION >= 13000
  cudaMemPrefetchAsync(data, bytes, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0);
#else
  cudaMemPrefetchAsync(data, bytes, 0);
#endif
}

int main(int argc, char**) {
  const int n = argc > 1 ? 1 << 26 : 1 << 16;  // with any argument: 256 MiB
  const std::size_t bytes = n * sizeof(float);
  float *device, *host;
  cudaMalloc(&device, bytes);
  cudaMallocHost(&host, bytes);  // pinned: the device copies from it without the host
  for (int i = 0; i < n; ++i) host[i] = 0;
  const auto copy = [=] { cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice); };
  timed("(warm-up)", copy);
  run("(warm-up)", device, n);
  timed("explicit copy", copy);
  run("cudaMalloc", device, n);
  cudaFree(device);
  cudaFreeHost(host);

  float* managed;
  cudaMallocManaged(&managed, bytes);
  for (int i = 0; i < n; ++i) managed[i] = 0;  // the host touches every page
  run("managed, first touch by the device", managed, n);
  run("managed, second touch", managed, n);
  managed[0] += 1;  // one page moves back
  run("managed, one page touched by host", managed, n);
  for (int i = 0; i < n; ++i) managed[i] += 1;  // all pages move back
  timed("prefetch of all pages", [=] { prefetch(managed, bytes); });
  run("managed, after the prefetch", managed, n);
  std::printf("data[0] is %g, data[%d] is %g\n", managed[0], n - 1, managed[n - 1]);
  cudaFree(managed);
}
