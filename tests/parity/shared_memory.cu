// Shared memory: widths, strides, broadcast, dynamic size.
#include "tests/parity/parity.hpp"

using namespace warplab::parity;

template <class T, class Kernel>
static void run_permutation(Kernel kernel, int n, int block, int (*source)(int)) {
  const auto values = numbers<T>(n);
  const Array<T> in(values), out(n, T(101));
  kernel<<<n / block, block>>>(in, out);
  expect_equal(out, [&](std::size_t i) {
    const int first = static_cast<int>(i) / block * block;
    return values[first + source(static_cast<int>(i) - first)];
  });
}

__global__ void shared_reverse(const int* in, int* out) {
  __shared__ int tile[96];
  const int i = blockIdx.x * 96 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[95 - threadIdx.x];
}
PARITY_CASE(shared_reverse, "shared") {
  run_permutation<int>(shared_reverse, 288, 96, [](int i) { return 95 - i; });
}

__global__ void shared_bytes(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char tile[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x * 5 % 128];
}
PARITY_CASE(shared_bytes, "shared") {
  run_permutation<unsigned char>(shared_bytes, 256, 128, [](int i) { return i * 5 % 128; });
}

__global__ void shared_shorts(const short* in, short* out) {
  __shared__ short tile[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  tile[threadIdx.x * 2 % 128 + threadIdx.x / 64] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x];
}
PARITY_CASE(shared_shorts, "shared") {
  run_permutation<short>(shared_shorts, 256, 128, [](int i) { return i / 2 + i % 2 * 64; });
}

__global__ void shared_doubles(const double* in, double* out) {
  __shared__ double tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x ^ 1];
}
PARITY_CASE(shared_doubles, "shared") {
  run_permutation<double>(shared_doubles, 192, 64, [](int i) { return i ^ 1; });
}

__global__ void shared_doubles_strided(const double* in, double* out) {
  __shared__ double tile[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  tile[threadIdx.x * 8 % 128 + threadIdx.x / 16] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x];
}
PARITY_CASE(shared_doubles_strided, "shared") {
  run_permutation<double>(shared_doubles_strided, 256, 128, [](int i) { return i / 8 + i % 8 * 16; });
}

__global__ void shared_float4s(const float4* in, float4* out) {
  __shared__ float4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x * 3 % 64];
}
PARITY_CASE(shared_float4s, "shared") {
  const auto values = numbers<float>(512);
  const Array<float> in(values), out(512, -1);
  shared_float4s<<<2, 64>>>(reinterpret_cast<float4*>(static_cast<float*>(in)),
                            reinterpret_cast<float4*>(static_cast<float*>(out)));
  expect_equal(out, [&](std::size_t i) { return values[i / 256 * 256 + i % 256 / 4 * 3 % 64 * 4 + i % 4]; });
}

__global__ void shared_stride_2(const int* in, int* out) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x * 2 % 64 + threadIdx.x / 32];
}
PARITY_CASE(shared_stride_2, "shared") {
  run_permutation<int>(shared_stride_2, 192, 64, [](int i) { return i * 2 % 64 + i / 32; });
}

__global__ void shared_stride_32(const int* in, int* out) {
  __shared__ int tile[1024];
  const int i = threadIdx.x;
  tile[i % 32 * 32 + i / 32] = in[i];
  __syncthreads();
  out[i] = tile[i];
}
PARITY_CASE(shared_stride_32, "shared") {
  run_permutation<int>(shared_stride_32, 1024, 1024, [](int i) { return i % 32 * 32 + i / 32; });
}

__global__ void shared_broadcast(const int* in, int* out) {
  __shared__ int tile[80];
  const int i = blockIdx.x * 80 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[blockIdx.x] + tile[threadIdx.x / 16];
}
PARITY_CASE(shared_broadcast, "shared") {
  const auto values = numbers<int>(240);
  const Array<int> in(values), out(240, -1);
  shared_broadcast<<<3, 80>>>(in, out);
  expect_equal(out, [&](std::size_t i) {
    const std::size_t block = i / 80;
    return values[block * 80 + block] + values[block * 80 + i % 80 / 16];
  });
}

__global__ void shared_broadcast_wide(const float4* in, float4* out) {
  __shared__ float4 tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x / 8];
}
PARITY_CASE(shared_broadcast_wide, "shared") {
  const auto values = numbers<float>(128);
  const Array<float> in(values), out(128, -1);
  shared_broadcast_wide<<<1, 32>>>(reinterpret_cast<float4*>(static_cast<float*>(in)),
                                   reinterpret_cast<float4*>(static_cast<float*>(out)));
  expect_equal(out, [&](std::size_t i) { return values[i / 32 * 4 + i % 4]; });
}

__global__ void dynamic_shared_two_arrays(const int* in, int* out, int n) {
  extern __shared__ int memory[];
  int* low = memory;
  int* high = memory + n;
  const int i = threadIdx.x;
  low[i] = in[i];
  high[n - 1 - i] = 2 * in[i];
  __syncthreads();
  out[i] = low[n - 1 - i] + high[i];
}
PARITY_CASE(dynamic_shared_two_arrays, "shared") {
  const auto values = numbers<int>(100);
  const Array<int> in(values), out(100, -1);
  dynamic_shared_two_arrays<<<1, 100, 200 * sizeof(int)>>>(in, out, 100);
  expect_equal(out, [&](std::size_t i) { return 3 * values[99 - i]; });
}
