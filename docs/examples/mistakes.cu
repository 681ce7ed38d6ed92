// Ten classic mistakes, one per kernel. `mistakes N` makes the one of that number; docs/student-guide.md
// shows what warplab says of it. Each is the only mistake of its kernel, and each kernel is right without it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int n = 1000, threads = 256, blocks = (n + threads - 1) / threads;

// 1: the last block has threads past the end.
__global__ void no_guard(float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
}

// For 2, 3, 4 and 9, whose mistakes are the host's.
__global__ void twice(float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2 * x[i];
}

// 5: threads that have returned load nothing.
__global__ void barrier_behind_a_return(float* x) {
  __shared__ float tile[threads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = tile[threads - 1 - threadIdx.x];
}

// 6: tile is read before all of it is written.
__global__ void no_barrier(float* x) {
  __shared__ float tile[threads];
  tile[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

// 7: the next round writes to tile while others still read it.
__global__ void one_barrier_of_two(float* x) {
  __shared__ float tile[threads];
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = x[threadIdx.x] + round;
    __syncthreads();
    x[threadIdx.x] = tile[threads - 1 - threadIdx.x];
  }
}

// 8: two blocks read the same sum, and one addition is lost.
__global__ void no_atomic(const float* x, float* sum) {
  if (threadIdx.x == 0) *sum += x[blockIdx.x];
}

// 10: the launch gives dynamic no bytes.
__global__ void nobody_sized_it(float* x) {
  extern __shared__ float dynamic[];
  dynamic[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = dynamic[threads - 1 - threadIdx.x];
}

void make(int mistake, float* x, float* sum, std::vector<float>& host) {
  const std::size_t bytes = n * sizeof(float);
  if (mistake == 1) no_guard<<<blocks, threads>>>(x);
  if (mistake == 2) twice<<<blocks, threads>>>(host.data());
  if (mistake == 3) x[0] = 1;
  if (mistake == 4) twice<<<1, dim3(64, 32)>>>(x);
  if (mistake == 5) barrier_behind_a_return<<<blocks, threads>>>(x);
  if (mistake == 6) no_barrier<<<1, threads>>>(x);
  if (mistake == 7) one_barrier_of_two<<<1, threads>>>(x);
  if (mistake == 8) no_atomic<<<blocks, threads>>>(x, sum);
  if (mistake == 9) {
    float* copy = nullptr;
    cudaMalloc(&copy, bytes);
    cudaMemcpy(copy, host.data(), n, cudaMemcpyHostToDevice);
    twice<<<blocks, threads>>>(copy);
    cudaDeviceSynchronize();
    cudaFree(copy);
  }
  if (mistake == 10) nobody_sized_it<<<1, threads>>>(x);
  cudaMemcpy(host.data(), x, bytes, cudaMemcpyDeviceToHost);
}

int main(int argc, char** argv) {
  const int mistake = argc == 2 ? std::atoi(argv[1]) : 0;
  if (mistake < 1 || mistake > 10) {
    std::fprintf(stderr, "usage: %s N, a number from 1 to 10\n", argv[0]);
    return 2;
  }
  std::vector<float> host(n, 1.0f);
  float *x = nullptr, *sum = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(float));
  make(mistake, x, sum, host);
  const cudaError_t error = cudaGetLastError();
  std::fprintf(stderr, "CUDA says: %s\n", cudaGetErrorString(error));
  cudaFree(x);
  cudaFree(sum);
  return error == cudaSuccess ? 0 : 1;
}
