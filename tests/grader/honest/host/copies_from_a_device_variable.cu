// The count is a variable of the device, which the host sets and reads by its name.
//! solves first_program/block_count
#include "device_array.hpp"
#include "first_program.hpp"

static __device__ int total;

static __global__ void count_kernel(const float* in, int n, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int sum;
  const int above = __syncthreads_count(i < n && in[i] > limit);
  if (threadIdx.x == 0) sum = above;
  __syncthreads();
  if (threadIdx.x == 32) atomicAdd(&total, sum);
}

cudaError_t first_program_block_count(const float* in, int n, float limit, int* count) {
  DeviceArray<float> device_in;
  RETURN_IF_ERROR(device_in.copy_from(in, n));
  const int zero = 0;
  RETURN_IF_ERROR(cudaMemcpyToSymbol(total, &zero, sizeof zero));
  constexpr int threads = 256;
  if (n > 0) count_kernel<<<(n + threads - 1) / threads, threads>>>(device_in.data(), n, limit);
  RETURN_IF_ERROR(cudaGetLastError());
  return cudaMemcpyFromSymbol(count, total, sizeof *count);
}

int main() {
  const float in[] = {0.1f, 0.9f, 0.5f, 0.7f, 0.2f};
  int count = 0;
  const cudaError_t error = first_program_block_count(in, 5, 0.4f, &count);
  std::printf("block count: %s\n", cudaGetErrorString(error));
  std::printf("%d of 5 are above 0.4\n", count);
}
