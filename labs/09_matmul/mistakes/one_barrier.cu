// A mistake to look at: tiles in shared memory, with one barrier per pair of tiles.
//
// The barrier makes every thread wait until both tiles are loaded. Nothing makes a fast warp wait until the
// others have used them: it goes on, and loads the next tiles over those that are still being read.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int side = 16, n = 64;

__global__ void multiply(const int* a, const int* b, int* c) {
  __shared__ int tile_a[side][side], tile_b[side][side];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * side + y, col = blockIdx.x * side + x;
  int sum = 0;
  for (int tile = 0; tile < n / side; ++tile) {
    tile_a[y][x] = a[row * n + tile * side + x];
    tile_b[y][x] = b[(tile * side + y) * n + col];
    __syncthreads();  // waits for both tiles
    for (int k = 0; k < side; ++k) sum += tile_a[y][k] * tile_b[k][x];
  }
  c[row * n + col] = sum;
}

int main() {
  static int a[n * n], b[n * n], c[n * n];
  for (int i = 0; i < n * n; ++i) a[i] = i % 7, b[i] = i % 5;
  int *device_a, *device_b, *device_c;
  cudaMalloc(&device_a, sizeof a);
  cudaMalloc(&device_b, sizeof b);
  cudaMalloc(&device_c, sizeof c);
  cudaMemcpy(device_a, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice);
  multiply<<<dim3(n / side, n / side), dim3(side, side)>>>(device_a, device_b, device_c);
  const cudaError_t error = cudaMemcpy(c, device_c, sizeof c, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < n; ++col) {
      int sum = 0;
      for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
      wrong += sum != c[row * n + col];
    }
  std::printf("%s: %d of %d elements are wrong\n", cudaGetErrorString(error), wrong, n * n);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);
}
