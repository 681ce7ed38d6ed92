// A mistake to look at: a partition that keeps its pivot aside and writes it back over another key.
//
// It is what quicksort listings on paper often look like. The result is in order, so a test that asks only
// for order passes. Which key is lost, and at which line? Three keys are enough to see it.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int n = 3;

__device__ void exchange(int* a, int* b) {
  const int old = *a;
  *a = *b;
  *b = old;
}

__device__ int partition(int* keys, int begin, int end) {
  const int pivot = keys[begin];
  int border = begin;
  for (int i = begin + 1; i < end; ++i)
    if (keys[i] < pivot) {
      exchange(&keys[i], &keys[border]);
      ++border;
    }
  keys[border] = pivot;
  return border;
}

__global__ void sort(int* keys, int begin, int end) {
  if (begin >= end) return;
  const int border = partition(keys, begin, end);
  sort<<<1, 1>>>(keys, begin, border);
  sort<<<1, 1>>>(keys, border + 1, end);
}

int main() {
  int keys[n] = {3, 5, 1}, *device;
  cudaMalloc(&device, sizeof keys);
  cudaMemcpy(device, keys, sizeof keys, cudaMemcpyHostToDevice);
  sort<<<1, 1>>>(device, 0, n);
  const cudaError_t error = cudaMemcpy(keys, device, sizeof keys, cudaMemcpyDeviceToHost);
  std::printf("%s: 3 5 1 becomes %d %d %d\n", cudaGetErrorString(error), keys[0], keys[1], keys[2]);
  cudaFree(device);
}
