// Sums the rows of a matrix, once with a thread for each row and once with a warp for each
// row: an example for docs/lens.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void thread_per_row(const float* matrix, float* sums, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int col = 0; col < cols; ++col) sum += matrix[row * cols + col];
  sums[row] = sum;
}

__global__ void warp_a_row(const float* matrix, float* sums, int rows, int cols) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int col = lane; col < cols; col += 32) sum += matrix[row * cols + col];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
  if (lane == 0) sums[row] = sum;
}

int main() {
  constexpr int rows = 1024, cols = 256, threads = 256;
  const std::vector<float> ones(std::size_t{rows} * cols, 1.0f);
  std::vector<float> sums(rows);
  float *matrix = nullptr, *result = nullptr;
  cudaMalloc(&matrix, ones.size() * sizeof(float));
  cudaMalloc(&result, sums.size() * sizeof(float));
  cudaMemcpy(matrix, ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice);
  int wrong = 0;
  const auto check = [&] {
    cudaMemcpy(sums.data(), result, sums.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (float sum : sums) wrong += sum != cols;
  };
  thread_per_row<<<rows / threads, threads>>>(matrix, result, rows, cols);
  check();
  warp_a_row<<<rows * 32 / threads, threads>>>(matrix, result, rows, cols);
  check();
  std::printf("%d of %d sums are wrong\n", wrong, 2 * rows);
  cudaFree(matrix);
  cudaFree(result);
  return wrong != 0;
}
