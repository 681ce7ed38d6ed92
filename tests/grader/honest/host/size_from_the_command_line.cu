// A whole program whose size is an argument, and which resets the device at its end.
//! solves first_program/saxpy
#include <cstdlib>
#include <vector>
#include "first_program.hpp"

static __global__ void saxpy_kernel(float a, const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

cudaError_t first_program_saxpy(float a, const float* x, const float* y, float* out, int n) {
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
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 8;
  std::vector<float> x(n, 1.0f), y(n, 2.0f), out(n);
  const cudaError_t error = first_program_saxpy(2.0f, x.data(), y.data(), out.data(), n);
  std::printf("%s %g\n", cudaGetErrorString(error), out[0]);
  if (argc > 2) std::printf("%g\n", std::strtod(argv[2], nullptr));
  cudaDeviceReset();
  return error != cudaSuccess;
}
