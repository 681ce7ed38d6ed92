// A program that measures how long its kernel takes, and how many bytes per second that is.
//
// A launch returns at once, before the kernel has run, so a clock of the host around it measures nothing.
// Events are marks in the queue of the GPU: one is recorded before the launches, one after them, and the
// time between both is read when the second has been reached. The first launch of a kernel is slower, since
// its code is loaded then: it is made before the clock starts.
// Cost: 12 bytes per element and launch: x and y are read, y is written.
// Where it stops being good: very short kernels. Then the gaps between launches are measured as well.
// Source: NVIDIA, CUDA C++ Best Practices Guide, Timing.
#include "device_array.hpp"
#include "first_program.hpp"

static __global__ void add_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

cudaError_t first_program_timed(float a, const float* x, const float* y, float* out, int n, int launches,
                                float* milliseconds, float* gb_per_s) {
  *milliseconds = *gb_per_s = 0;
  if (n == 0) return cudaSuccess;
  DeviceArray<float> device_x, device_y;
  RETURN_IF_ERROR(device_x.copy_from(x, n));
  RETURN_IF_ERROR(device_y.copy_from(y, n));
  const int threads = 256, blocks = (n + threads - 1) / threads;
  const auto launch = [&] { add_kernel<<<blocks, threads>>>(a, device_x.data(), device_y.data(), n); };
  launch();  // the warm-up
  // BEGIN SOLUTION
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  for (int i = 0; i < launches; ++i) launch();
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float all_launches = 0;
  cudaEventElapsedTime(&all_launches, start, stop);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  *milliseconds = all_launches / static_cast<float>(launches);
  *gb_per_s = 12.0f * static_cast<float>(n) / (*milliseconds * 1e6f);  // 10^9 bytes and 10^3 ms
  // STUB RETURN_IF_ERROR(todo("first_program_timed: two events around the launches; ms per launch, and GB/s"));
  // END SOLUTION
  RETURN_IF_ERROR(cudaGetLastError());
  return device_y.copy_to(out, n);
}

int main() {
  constexpr int n = 1 << 20;
  static float x[n], y[n], out[n];
  for (int i = 0; i < n; ++i) x[i] = 1, y[i] = static_cast<float>(i % 7);
  float milliseconds = 0, gb_per_s = 0;
  const cudaError_t error = first_program_timed(0.5f, x, y, out, n, 10, &milliseconds, &gb_per_s);
  std::printf("timed: %s, out[3] is %g\n", cudaGetErrorString(error), out[3]);
  std::printf("%g ms per launch, %g GB/s\n", milliseconds, gb_per_s);
}
