// Counting with atomics: how many elements are above a limit.
//
// `*count += 1` by many threads loses counts: two threads read the same value and write the same sum. An
// atomic operation does reading, adding and writing as one step. But all atomic operations on one address
// wait for one another. So each block counts first: __syncthreads_count() is a barrier that also gives every
// thread the number of threads whose condition was true. Then one thread per block does one atomicAdd.
// Cost: 4 bytes per element, one atomic operation per block.
// Where it stops being good: with very many blocks; lab 08 lets each thread read more than one element.
// Source: NVIDIA, CUDA C++ Programming Guide, Synchronization Functions.
#include "device_array.hpp"
#include "first_program.hpp"

// BEGIN SOLUTION
static __global__ void count_kernel(const float* in, int n, float limit, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool above = i < n && in[i] > limit;
  const int of_block = __syncthreads_count(above);  // every thread of the block must get here
  if (threadIdx.x == 0) atomicAdd(count, of_block);
}
// END SOLUTION

cudaError_t first_program_block_count(const float* in, int n, float limit, int* count) {
  DeviceArray<float> device_in;
  DeviceArray<int> device_count;
  RETURN_IF_ERROR(device_in.copy_from(in, n));
  RETURN_IF_ERROR(device_count.allocate(1));
  // BEGIN SOLUTION
  RETURN_IF_ERROR(cudaMemset(device_count.data(), 0, sizeof(int)));
  constexpr int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  if (n > 0) count_kernel<<<blocks, threads>>>(device_in.data(), n, limit, device_count.data());
  // STUB RETURN_IF_ERROR(todo("first_program_block_count: a kernel with one atomicAdd per block; begin at 0"));
  // END SOLUTION
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
