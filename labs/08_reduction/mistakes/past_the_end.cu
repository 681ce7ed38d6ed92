// A mistake to look at: a first add on load that takes for granted
// that n is a multiple of the tile.
//
// Every block loads 2 * block_size elements and nobody looks whether they exist. With n = 1000 the last
// block reads 24 elements past the end. And the grid is (n + 127) / 128 / 2 blocks, rounded down: with n =
// 1100 nine halves make four blocks, and the last 76 elements are left out.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int block_size = 128;

__global__ void reduce(const int* in, int* out) {
  __shared__ int sums[block_size];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * block_size * 2 + tid;
  sums[tid] = in[i];
  const int second = in[i + block_size];
  sums[tid] += second;
  __syncthreads();  // waits for all of sums
  for (int stride = block_size / 2; stride > 0; stride /= 2) {
    if (tid < stride) sums[tid] += sums[tid + stride];
    __syncthreads();  // waits for the sums of this step
  }
  if (tid == 0) atomicAdd(out, sums[0]);
}

int main() {
  for (const int n : {1024, 1000, 1100}) {
    int host[1100], sum = 0, expected = 0;
    for (int i = 0; i < n; ++i) expected += host[i] = i;
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, sizeof sum);
    cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof sum);
    int blocks = n + block_size - 1;
    blocks = blocks / block_size / 2;
    reduce<<<blocks, block_size>>>(in, out);
    const cudaError_t error = cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    std::printf("n = %d: %s: the sum is %d, and should be %d\n", n, cudaGetErrorString(error), sum, expected);
    cudaFree(in);
    cudaFree(out);
  }
}
