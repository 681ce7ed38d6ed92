// The first program: out = a * x + y for vectors, with everything that a CUDA program needs.
//
// The host (CPU) and the device (GPU) have separate memories. So the host allocates device memory, copies
// the inputs there, launches a kernel, copies the result back, and frees. Each thread of the kernel computes
// one element. The number of blocks is rounded up, so the last block can have threads without an element:
// they need a guard.
// Cost: 12 bytes and 2 operations per element on the device; 12 bytes per element also cross the bus between
// host and device, which is many times slower.
// Where it stops being good: whenever the copies take longer than the CPU would have needed.
// Source: NVIDIA, CUDA C++ Programming Guide, Kernels.
#include "first_program.hpp"

// BEGIN SOLUTION
static __global__ void saxpy_kernel(float a, const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}
// END SOLUTION

cudaError_t first_program_saxpy(float a, const float* x, const float* y, float* out, int n) {
  // BEGIN SOLUTION
  const std::size_t bytes = sizeof(float) * n;
  float *device_x = nullptr, *device_y = nullptr, *device_out = nullptr;
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaMalloc(&device_out, bytes);
  cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice);

  constexpr int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  if (n > 0)  // a grid of 0 blocks cannot be launched
    saxpy_kernel<<<blocks, threads>>>(a, device_x, device_y, device_out, n);

  cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);  // waits for the kernel
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFree(device_out);
  return cudaGetLastError();
  // STUB return todo("first_program_saxpy: write the kernel; allocate, copy, launch, copy back and free");
  // END SOLUTION
}

int main() {
  const float x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {100, 100, 100, 100, 200, 200, 200, 200};
  float out[8] = {};
  const cudaError_t error = first_program_saxpy(2.0f, x, y, out, 8);
  std::printf("saxpy: %s\n", cudaGetErrorString(error));
  for (const float value : out) std::printf("%g ", value);
  std::printf("\n");
}
