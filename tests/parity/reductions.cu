// Reductions and a scan within a block.
#include "tests/parity/parity.hpp"

using namespace warplab::parity;

// 500 elements, in blocks of 128 threads.

template <class Kernel>
static void run_reduction(Kernel kernel) {
  const auto values = numbers<int>(500);
  const Array<int> in(values), out(4, -1);
  kernel<<<4, 128>>>(in, out, 500);
  expect_equal(out, [&](std::size_t block) {
    int sum = 0;
    for (std::size_t i = 128 * block; i < 500 && i < 128 * (block + 1); ++i) sum += values[i];
    return sum;
  });
}

__global__ void reduce_interleaved(const int* in, int* out, int n) {
  __shared__ int sums[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
#pragma unroll 1
  for (int step = 1; step < 128; step *= 2) {
    if (t % (2 * step) == 0) sums[t] += sums[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
PARITY_CASE(reduce_interleaved, "reductions") { run_reduction(reduce_interleaved); }

__global__ void reduce_strided_index(const int* in, int* out, int n) {
  __shared__ int sums[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
#pragma unroll 1
  for (int step = 1; step < 128; step *= 2) {
    const int at = 2 * step * t;
    if (at < 128) sums[at] += sums[at + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
PARITY_CASE(reduce_strided_index, "reductions") { run_reduction(reduce_strided_index); }

__global__ void reduce_sequential(const int* in, int* out, int n) {
  __shared__ int sums[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
#pragma unroll 1
  for (int step = 64; step > 0; step /= 2) {
    if (t < step) sums[t] += sums[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
PARITY_CASE(reduce_sequential, "reductions") { run_reduction(reduce_sequential); }

__global__ void reduce_shuffle(const int* in, int* out, int n) {
  __shared__ int sums[4];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  int sum = i < n ? in[i] : 0;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = t < 4 ? sums[t] : 0;
    for (int step = 2; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (t == 0) out[blockIdx.x] = sum;
  }
}
PARITY_CASE(reduce_shuffle, "reductions") { run_reduction(reduce_shuffle); }

__global__ void scan_in_a_block(const int* in, int* out) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
#pragma unroll 1
  for (int step = 1; step < 64; step *= 2) {
    int left = 0;
    if (t >= step) left = sums[t - step];
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  out[t] = sums[t];
}
PARITY_CASE(scan_in_a_block, "reductions") {
  const auto values = numbers<int>(64);
  const Array<int> in(values), out(64, -1);
  scan_in_a_block<<<1, 64>>>(in, out);
  expect_equal(out, [&](std::size_t i) {
    int sum = 0;
    for (std::size_t k = 0; k <= i; ++k) sum += values[k];
    return sum;
  });
}
