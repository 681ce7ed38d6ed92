#include "tests/emulator/kernel_forms_other.cuh"

// The same names as in the first unit, with another meaning.
static __constant__ int table[1] = {100};
static __device__ __noinline__ int linear_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void kernel_of_another_unit(int* x, int n) {
  if (linear_thread() < n) x[linear_thread()] += table[0];
}
