// A program that notices every error and frees all memory, however it ends.
//
// Every CUDA call returns a cudaError_t. A launch returns nothing: cudaGetLastError() has its error. What
// the program before ignored becomes visible here: too little memory, or a block that is too large. On the
// way out, each path must free what was allocated so far. The kernel writes copies of a vector, so the
// result can be far larger than the input, and its allocation can fail after the first one succeeded.
// Cost: nothing measurable; a check is a comparison on the host.
// Where it stops being good: the same lines after every call. device_array.hpp
// does it better, from task 3 on.
// Source: NVIDIA, CUDA C++ Programming Guide, Error Checking.
#include "first_program.hpp"

__global__ void repeat_kernel(const float* in, int n, float* out, std::int64_t total) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < total) out[i] = in[i % n];
}

cudaError_t first_program_checked(const float* in, int n, float* out, std::int64_t copies, int threads) {
  const std::int64_t total = n * copies;  // elements of out
  if (total == 0) return cudaSuccess;
  // BEGIN SOLUTION
  float *device_in = nullptr, *device_out = nullptr;
  cudaError_t error = cudaMalloc(&device_in, n * sizeof(float));
  if (error == cudaSuccess) error = cudaMalloc(&device_out, total * sizeof(float));
  if (error == cudaSuccess) error = cudaMemcpy(device_in, in, n * sizeof(float), cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    const std::int64_t blocks = (total + threads - 1) / threads;
    if (blocks > 0x7fffffff) {  // the cast below would cut it
      error = cudaErrorInvalidConfiguration;
    } else {
      repeat_kernel<<<static_cast<unsigned>(blocks), threads>>>(device_in, n, device_out, total);
      error = cudaGetLastError();
    }
  }
  if (error == cudaSuccess) error = cudaDeviceSynchronize();  // an error while the kernel ran
  if (error == cudaSuccess)
    error = cudaMemcpy(out, device_out, total * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device_in);  // freeing a null pointer does nothing
  cudaFree(device_out);
  return error;
  // STUB return todo("first_program_checked: allocate, copy, launch, copy back; return the first error and free");
  // END SOLUTION
}

int main() {
  const float in[] = {1, 2, 3};
  float out[6] = {};
  const auto attempt = [&](std::int64_t copies, int threads) {
    const cudaError_t error = first_program_checked(in, 3, out, copies, threads);
    std::printf("%lld copies, %d threads per block: %s\n", static_cast<long long>(copies), threads,
                cudaGetErrorString(error));
  };
  attempt(2, 256);
  attempt(2, 2048);                     // more threads than a block can have
  attempt(std::int64_t{1} << 40, 256);  // 12 TiB
  for (const float value : out) std::printf("%g ", value);
  std::printf("\n");
}
