// Mistakes to find: each element of a matrix of 200 rows and 300 columns is set to its own index.
// There are four mistakes, and on a GPU the result is right all the same.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void matr(int* a, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  a[row * N + col] = row * N + col;
}

int main() {
  const int N = 200, M = 300;
  int* A;
  cudaMallocManaged(&A, N * M * sizeof(int));
  int blockCount = N * M + 1023;
  blockCount /= 1024 + 1;
  matr<<<blockCount, 1024>>>(A, N);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%d blocks: %s\n", blockCount, cudaGetErrorString(error));
  if (error == cudaSuccess) std::printf("A[59999] is %d\n", A[59999]);
  cudaFree(A);
}
