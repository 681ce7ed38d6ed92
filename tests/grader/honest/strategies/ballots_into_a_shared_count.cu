// A ballot of each warp is added to a count of the block, and one thread adds that.
//! solves first_program/block_count
#include "device_array.hpp"
#include "first_program.hpp"

static __global__ void count_kernel(const float* in, int n, float limit, int* count) {
  __shared__ int of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned votes = __ballot_sync(0xffffffffu, i < n && in[i] > limit);
  if (threadIdx.x % warpSize == 0) atomicAdd(&of_block, __popc(votes));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, of_block);
}

cudaError_t first_program_block_count(const float* in, int n, float limit, int* count) {
  DeviceArray<float> device_in;
  DeviceArray<int> device_count;
  RETURN_IF_ERROR(device_in.copy_from(in, n));
  RETURN_IF_ERROR(device_count.allocate(1));
  RETURN_IF_ERROR(cudaMemset(device_count.data(), 0, sizeof(int)));
  constexpr int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  if (n > 0) count_kernel<<<blocks, threads>>>(device_in.data(), n, limit, device_count.data());
  RETURN_IF_ERROR(cudaGetLastError());
  return device_count.copy_to(count, 1);
}

int main() {
  const float in[] = {0.1f, 0.9f, 0.5f, 0.7f, 0.2f};
  int count = 0;
  const cudaError_t error = first_program_block_count(in, 5, 0.4f, &count);
  std::printf("block count: %s\n", cudaGetErrorString(error));
  std::printf("%d of 5 are above 0.4\n", count);
}
