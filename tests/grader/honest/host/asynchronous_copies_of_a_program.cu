// A whole program that copies on a stream of its own.
//! solves first_program/saxpy
#include <memory>
#include "first_program.hpp"

static __global__ void saxpy_kernel(float a, const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

namespace {
struct Free {
  void operator()(void* p) const { cudaFree(p); }
};
template <class T>
using Device = std::unique_ptr<T[], Free>;
template <class T>
Device<T> make_device(size_t n) {
  T* p = nullptr;
  if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) return nullptr;
  return Device<T>(p);
}
}  // namespace
cudaError_t first_program_saxpy(float a, const float* x, const float* y, float* out, int n) {
  if (n == 0) return cudaSuccess;
  auto device_x = make_device<float>(n), device_y = make_device<float>(n), device_out = make_device<float>(n);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(device_x.get(), x, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(device_y.get(), y, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  saxpy_kernel<<<(n + 255) / 256, 256, 0, stream>>>(a, device_x.get(), device_y.get(), device_out.get(), n);
  cudaMemcpyAsync(out, device_out.get(), n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  return cudaGetLastError();
}
int main() {
  const float x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {100, 100, 100, 100, 200, 200, 200, 200};
  float out[8] = {};
  const cudaError_t error = first_program_saxpy(2.0f, x, y, out, 8);
  std::printf("saxpy: %s\n", cudaGetErrorString(error));
  for (const float value : out) std::printf("%g ", value);
  std::printf("\n");
}
