// A product of 16x16 halves by one warp on Tensor Cores, as lab 09 shows its calls.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>
#include <vector>

namespace wmma = nvcuda::wmma;

// c = a * b, with rows of 16 elements. Launch: 32 threads.
__global__ void multiply(const half* left, const half* right, float* product) {
  constexpr int leading = 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a, left, leading);  // elements from row to row
  wmma::load_matrix_sync(b, right, leading);
  wmma::mma_sync(sum, a, b, sum);  // sum = a * b + sum, by the whole warp
  wmma::store_matrix_sync(product, sum, leading, wmma::mem_row_major);
}

int main() {
  std::vector<half> left(256), right(256);
  for (int i = 0; i < 256; ++i) {
    left[i] = __float2half(static_cast<float>(i % 7));
    right[i] = __float2half(static_cast<float>(i % 5));
  }
  half *a = nullptr, *b = nullptr;
  float* c = nullptr;
  cudaMalloc(&a, 256 * sizeof(half));
  cudaMalloc(&b, 256 * sizeof(half));
  cudaMalloc(&c, 256 * sizeof(float));
  cudaMemcpy(a, left.data(), 256 * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(b, right.data(), 256 * sizeof(half), cudaMemcpyHostToDevice);
  multiply<<<1, 32>>>(a, b, c);
  std::vector<float> product(256);
  cudaMemcpy(product.data(), c, 256 * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column) {
      int expected = 0;
      for (int k = 0; k < 16; ++k) expected += (row * 16 + k) % 7 * ((k * 16 + column) % 5);
      wrong += product[row * 16 + column] != static_cast<float>(expected);
    }
  std::printf("%d of 256 elements are wrong\n", wrong);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return wrong != 0;
}
