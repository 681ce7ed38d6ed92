// 64 numbers per thread: in registers if all indices are known to the compiler, in local memory if not.
// Compile with `nvcc -Xptxas -v` and compare "stack frame" and "registers" of the two kernels.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void in_registers(const float* in, float* out) {
  float value[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) value[k] = in[k * 32 + threadIdx.x];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 64; ++k) sum += value[k] * value[63 - k];
  out[threadIdx.x] = sum;
}

__global__ void in_local_memory(const float* in, float* out, int step) {
  float value[64];
  for (int k = 0; k < 64; ++k) value[k] = in[k * 32 + threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += value[k] * value[(63 - k) * step % 64];  // known at run time only
  out[threadIdx.x] = sum;
}

int main() {
  static float ones[64 * 32];
  for (float& one : ones) one = 1;
  float *in, *out, host[32];
  cudaMalloc(&in, sizeof ones);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, ones, sizeof ones, cudaMemcpyHostToDevice);
  in_registers<<<1, 32>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("in registers: %g\n", host[31]);
  in_local_memory<<<1, 32>>>(in, out, 1);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("in local memory: %g\n", host[31]);
  cudaFree(in);
  cudaFree(out);
}
