// A mistake to look at: the last warp of a reduction without __syncwarp().
//
// `volatile` makes every access go to shared memory, but it orders nothing between lanes:
// lane 0 may read sums[16] before lane 16 has written it. On GPUs before Volta a warp's lanes
// ran in lock-step, and it worked.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int block_size = 128, n = 1024;

__device__ void warp_reduce(volatile int* sums, int tid) {
  sums[tid] = sums[tid] + sums[tid + 32];
  sums[tid] = sums[tid] + sums[tid + 16];
  sums[tid] = sums[tid] + sums[tid + 8];
  sums[tid] = sums[tid] + sums[tid + 4];
  sums[tid] = sums[tid] + sums[tid + 2];
  sums[tid] = sums[tid] + sums[tid + 1];
}

__global__ void reduce(const int* in, int* out) {
  __shared__ int sums[block_size];
  const int tid = threadIdx.x;
  sums[tid] = in[blockIdx.x * block_size + tid];
  __syncthreads();  // waits for all of sums
  for (int stride = block_size / 2; stride > 32; stride /= 2) {
    if (tid < stride) sums[tid] += sums[tid + stride];
    __syncthreads();  // waits for the sums of this step
  }
  if (tid < 32) warp_reduce(sums, tid);
  if (tid == 0) atomicAdd(out, sums[0]);
}

int main() {
  int host[n], sum = 0, expected = 0;
  for (int i = 0; i < n; ++i) expected += host[i] = i;
  int *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof sum);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof sum);
  reduce<<<n / block_size, block_size>>>(in, out);
  const cudaError_t error = cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%s: the sum is %d, and should be %d\n", cudaGetErrorString(error), sum, expected);
  cudaFree(in);
  cudaFree(out);
}
