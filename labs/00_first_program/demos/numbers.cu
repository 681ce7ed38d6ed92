// Number types beyond int and float: half has 11 significant bits, a complex number has two parts.
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void try_half(float* out) {
  __half sum = __float2half(0);
  for (int k = 0; k < 4096; ++k) sum = __hadd(sum, __float2half(1));  // adds 1 to itself, 4096 times
  out[0] = __half2float(sum);
  out[1] = __half2float(__float2half(0.1f)) * 10;
}

__global__ void try_complex(cuFloatComplex* out) {
  const cuFloatComplex a = make_cuFloatComplex(3, 4), b = make_cuFloatComplex(1, -2);
  out[0] = cuCmulf(a, b);
  out[1] = cuCdivf(a, b);
  out[2] = make_cuFloatComplex(cuCabsf(a), 0);
}

int main() {
  float *floats, host[2];
  cuFloatComplex *numbers, result[3];
  cudaMalloc(&floats, sizeof host);
  cudaMalloc(&numbers, sizeof result);
  try_half<<<1, 1>>>(floats);
  try_complex<<<1, 1>>>(numbers);
  cudaMemcpy(host, floats, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(result, numbers, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("4096 times 1 in half: %g; ten times 0.1 in half: %g\n", host[0], host[1]);
  std::printf("(3 + 4i) * (1 - 2i) = %g %+gi\n", cuCrealf(result[0]), cuCimagf(result[0]));
  std::printf("(3 + 4i) / (1 - 2i) = %g %+gi, |3 + 4i| = %g\n", cuCrealf(result[1]), cuCimagf(result[1]),
              cuCrealf(result[2]));
  cudaFree(floats);
  cudaFree(numbers);
}
