// Device functions, templates, warp primitives, half precision, constant and local memory.
#include <cuda_fp16.h>

#include "tests/parity/parity.hpp"

using namespace warplab::parity;

static constexpr int count = 200;

__device__ int inlined(const int* in, int i) { return in[i] + 1; }
__global__ void calls_inlined(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = inlined(in, i) * inlined(in, n - 1 - i);
}
PARITY_CASE(calls_inlined, "functions") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), out(count, -1);
  calls_inlined<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) { return (values[i] + 1) * (values[count - 1 - i] + 1); });
}

__device__ __noinline__ int far_away(const int* in, int i) {
  return in[i] % 10 == 0 ? in[i] : in[i] + in[i / 2];
}
__global__ void calls_noinline(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = far_away(in, i);
  if (i % 3 == 0) sum += far_away(in, i / 3);
  out[i] = sum;
}
PARITY_CASE(calls_noinline, "functions") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), out(count, -1);
  calls_noinline<<<2, 128>>>(in, out, count);
  const auto far = [&](std::size_t i) { return values[i] % 10 == 0 ? values[i] : values[i] + values[i / 2]; };
  expect_equal(out, [&](std::size_t i) { return far(i) + (i % 3 == 0 ? far(i / 3) : 0); });
}

__device__ __noinline__ int looping(const int* in, int first, int trips) {
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < trips; ++k) sum += in[first + k];
  return sum;
}
__global__ void noinline_loop_in_loop(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k <= i % 3; ++k) sum += looping(in, i + k, (i + k) % 4);
  out[i] = sum;
}
PARITY_CASE(noinline_loop_in_loop, "functions") {
  const auto values = numbers<int>(count + 8);
  const Array<int> in(values), out(count, -1);
  noinline_loop_in_loop<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) {
    int sum = 0;
    for (std::size_t k = 0; k <= i % 3; ++k)
      for (std::size_t j = 0; j < (i + k) % 4; ++j) sum += values[i + k + j];
    return sum;
  });
}

template <class T, int stride>
__global__ void template_stride(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride % n];
}
PARITY_CASE(template_stride, "functions") {
  const auto values = numbers<double>(count);
  const Array<double> in(values), out(count, -1);
  template_stride<double, 3><<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) { return values[i * 3 % count]; });
}

template <class F>
__device__ __forceinline__ int applied(F f, int i) {
  return f(i);
}
__global__ void calls_lambda(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = applied([=](int k) { return in[k] * 2; }, n - 1 - i);
}
PARITY_CASE(calls_lambda, "functions") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), out(count, -1);
  calls_lambda<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) { return 2 * values[count - 1 - i]; });
}

__global__ void read_through_ldg(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __ldg(&in[i ^ 1]);
}
PARITY_CASE(read_through_ldg, "functions") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), out(count, -1);
  read_through_ldg<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) { return values[i ^ 1]; });
}

__global__ void volatile_reads(const volatile int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + in[i];
}
PARITY_CASE(volatile_reads, "functions") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), out(count, -1);
  volatile_reads<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) { return 2 * values[i]; });
}

// --- Warps

__global__ void shuffle_down_sums(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}
PARITY_CASE(shuffle_down_sums, "warps") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), out(8, -1);
  shuffle_down_sums<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t w) {
    int sum = 0;
    for (std::size_t i = 32 * w; i < count && i < 32 * (w + 1); ++i) sum += values[i];
    return sum;
  });
}

__global__ void shuffle_xor_exchange(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? in[i] : 0;
  const int other = __shfl_xor_sync(0xffffffffu, v, 5);
  if (i < n) out[i] = other;
}
PARITY_CASE(shuffle_xor_exchange, "warps") {
  const auto values = numbers<int>(256);
  const Array<int> in(values), out(256, -1);
  shuffle_xor_exchange<<<2, 128>>>(in, out, 256);
  expect_equal(out, [&](std::size_t i) { return values[i ^ 5]; });
}

__global__ void ballot_compaction(const int* in, int* out, int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const int v = i < n ? in[i] : 0;
  const unsigned kept = __ballot_sync(0xffffffffu, v > 50);
  if (v > 50) out[i - lane + __popc(kept & ((1u << lane) - 1))] = v;
  if (lane == 0) counts[i / 32] = __popc(kept);
}
PARITY_CASE(ballot_compaction, "warps") {
  const auto values = numbers<int>(count);
  const Array<int> in(values), out(256, -1), counts(8, -1);
  ballot_compaction<<<2, 128>>>(in, out, counts, count);
  std::vector<int> right(256, -1), right_counts(8);
  for (int i = 0; i < count; ++i)
    if (values[i] > 50) right[i / 32 * 32 + right_counts[i / 32]++] = values[i];
  expect_equal(out, [&](std::size_t i) { return right[i]; });
  expect_equal(counts, [&](std::size_t w) { return right_counts[w]; });
}

__global__ void any_ends_the_loop(const int* trips, const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int last = i < n ? trips[i] : 0;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; __any_sync(0xffffffffu, k < last); ++k)
    if (k < last) sum += in[16 * i + k];
  if (i < n) out[i] = sum;
}
PARITY_CASE(any_ends_the_loop, "warps") {
  const auto trips = numbers<int>(count, 12, 5), values = numbers<int>(16 * count);
  const Array<int> in_trips(trips), in(values), out(count, -1);
  any_ends_the_loop<<<4, 64>>>(in_trips, in, out, count);
  expect_equal(out, [&](std::size_t i) {
    int sum = 0;
    for (int k = 0; k < trips[i]; ++k) sum += values[16 * i + k];
    return sum;
  });
}

// --- Half precision

__global__ void half_scale(const __half* in, __half* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hmul(in[i], __float2half(2.0f));
}
static std::vector<__half> halves(std::size_t n) {
  std::vector<__half> values;
  for (const float v : numbers<float>(n)) values.push_back(__float2half(v));
  return values;
}
static void expect_doubled(const Array<__half>& out, const std::vector<__half>& values) {
  const auto result = out.host();
  for (std::size_t i = 0; i < result.size(); ++i)
    if (__half2float(result[i]) != 2 * __half2float(values[i]))
      throw std::runtime_error("element " + std::to_string(i) + " is not doubled");
}
PARITY_CASE(half_scale, "half") {
  const auto values = halves(count);
  const Array<__half> in(values), out(values);
  half_scale<<<2, 128>>>(in, out, count);
  expect_doubled(out, values);
}

__global__ void half2_scale(const __half2* in, __half2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half2 pair = in[i];
  out[i] = __hadd2(pair, pair);
}
PARITY_CASE(half2_scale, "half") {
  const auto values = halves(count);
  const Array<__half> in(values), out(values);
  half2_scale<<<2, 64>>>(reinterpret_cast<__half2*>(static_cast<__half*>(in)),
                         reinterpret_cast<__half2*>(static_cast<__half*>(out)), count / 2);
  expect_doubled(out, values);
}

__global__ void half_in_shared(const __half* in, __half* out) {
  __shared__ __half tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const __half v = tile[threadIdx.x ^ 8];
  out[threadIdx.x] = __hadd(v, v);
}
PARITY_CASE(half_in_shared, "half") {
  const auto values = halves(64);
  const Array<__half> in(values), out(values);
  half_in_shared<<<1, 64>>>(in, out);
  std::vector<__half> right;
  for (int i = 0; i < 64; ++i) right.push_back(values[i ^ 8]);
  expect_doubled(out, right);
}

__global__ void adjacent_halves_in_shared(const __half* in, __half* out) {
  __shared__ __half tile[64][2];
  tile[threadIdx.x][0] = in[threadIdx.x];
  tile[threadIdx.x][1] = in[64 + threadIdx.x];
  __syncthreads();
  const __half first = tile[threadIdx.x ^ 8][0], second = tile[threadIdx.x ^ 8][1];
  out[threadIdx.x] = __hadd(first, first);
  out[64 + threadIdx.x] = __hadd(second, second);
}
PARITY_CASE(adjacent_halves_in_shared, "half") {
  const auto values = halves(128);
  const Array<__half> in(values), out(values);
  adjacent_halves_in_shared<<<1, 64>>>(in, out);
  std::vector<__half> right;
  for (int i = 0; i < 128; ++i) right.push_back(values[i ^ 8]);
  expect_doubled(out, right);
}

// --- Constant memory

__constant__ int weights[64];

static const std::vector<int>& upload_weights() {
  static const std::vector<int> values = numbers<int>(64);
  check(cudaMemcpyToSymbol(weights, values.data(), 64 * sizeof(int)), "cudaMemcpyToSymbol");
  return values;
}

__global__ void constant_uniform(const int* in, int* out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < taps; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}
PARITY_CASE(constant_uniform, "constant") {
  const auto values = numbers<int>(count + 9);
  const auto& w = upload_weights();
  const Array<int> in(values), out(count, -1);
  constant_uniform<<<2, 128>>>(in, out, count, 9);
  expect_equal(out, [&](std::size_t i) {
    int sum = 0;
    for (int k = 0; k < 9; ++k) sum += w[k] * values[i + k];
    return sum;
  });
}

__global__ void constant_divergent(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = weights[in[i]];
}
PARITY_CASE(constant_divergent, "constant") {
  const auto values = numbers<int>(count, 64);
  const auto& w = upload_weights();
  const Array<int> in(values), out(count, -1);
  constant_divergent<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) { return w[values[i]]; });
}

__global__ void constant_by_groups(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = weights[i / 8 % 64];
}
PARITY_CASE(constant_by_groups, "constant") {
  const auto& w = upload_weights();
  const Array<int> out(count, -1);
  constant_by_groups<<<2, 128>>>(out, count);
  expect_equal(out, [&](std::size_t i) { return w[i / 8 % 64]; });
}

// --- Local arrays

__global__ void local_constant_index(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int part[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) part[k] = in[k * n + i];
  out[i] = part[0] - part[1] + part[2] - part[3];
}
PARITY_CASE(local_constant_index, "local") {
  const auto values = numbers<int>(4 * count);
  const Array<int> in(values), out(count, -1);
  local_constant_index<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) {
    return values[i] - values[count + i] + values[2 * count + i] - values[3 * count + i];
  });
}

__global__ void local_dynamic_index(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int part[32];
#pragma unroll 1
  for (int k = 0; k < 32; ++k) part[k] = k * k + i;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 3; ++k) sum += part[in[3 * i + k]];
  out[i] = sum;
}
PARITY_CASE(local_dynamic_index, "local") {
  const auto values = numbers<int>(3 * count, 32);
  const Array<int> in(values), out(count, -1);
  local_dynamic_index<<<2, 128>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) {
    int sum = 0;
    for (int k = 0; k < 3; ++k) sum += values[3 * i + k] * values[3 * i + k] + static_cast<int>(i);
    return sum;
  });
}

__global__ void local_counts_by_lane(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int counts[10];
#pragma unroll 1
  for (int k = 0; k < 10; ++k) counts[k] = 0;
#pragma unroll 1
  for (int k = 0; k < 6; ++k) ++counts[in[k * n + i]];
  out[i] = counts[in[i]];
}
PARITY_CASE(local_counts_by_lane, "local") {
  const auto values = numbers<int>(6 * count, 10);
  const Array<int> in(values), out(count, -1);
  local_counts_by_lane<<<3, 96>>>(in, out, count);
  expect_equal(out, [&](std::size_t i) {
    int same = 0;
    for (int k = 0; k < 6; ++k) same += values[k * count + i] == values[i];
    return same;
  });
}
