// Mistakes to find: an array is filled with 0, 2, 4, ... by one block, but for 2000
// elements. The program prints no error, and the array is not filled. There are three mistakes.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill_arr(int* arr) {
  int idx = threadIdx.x;
  arr[idx] = idx * 2;
}

int main() {
  int *X, *d_array = nullptr;
  const int N = 2000;
  cudaMallocManaged(&X, N * sizeof(int));
  fill_arr<<<1, N>>>(X);
  cudaDeviceSynchronize();
  std::printf("X[10] is %d, and should be 20\n", X[10]);
  cudaFree(d_array);
}
