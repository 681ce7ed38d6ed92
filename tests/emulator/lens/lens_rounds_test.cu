// How often a warp asks for memory in a loop whose lanes go round unlike often. What is expected follows the
// machine code that nvcc 13.0 makes of these loops for sm_90, read with nvdisasm: rounds of four iterations,
// and a loop for what remains, before them or after them; for short bodies also rounds of sixteen and eight.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/emulator/device_array.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

using warplab::test::DeviceArray;
namespace lens = warplab::emulator::lens;

namespace {

constexpr int elements = 4096;

/// The loads of one warp of a kernel. Its lanes from 16 on take `fewer` iterations less than `most`.
std::uint64_t loads_of(void (*kernel)(const float*, float*, int, int), int most, int fewer) {
  const DeviceArray<float> in(elements), out(elements);
  cudaMemset(in.data(), 0, elements * sizeof(float));
  lens::start({.blocks = 0});
  kernel<<<1, 32>>>(in.data(), out.data(), most, fewer);
  const std::vector<warplab::lens::Launch> launches = lens::take();
  EXPECT_EQ(launches.size(), 1u);
  return launches.empty() ? 0 : launches[0].counts.global_load.requests;
}

__device__ int iterations(int most, int fewer) { return threadIdx.x < 16 ? most : most - fewer; }

}  // namespace

__global__ void from_zero(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int n = iterations(most, fewer), lane = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[lane + i];
  out[lane] = sum;
}

TEST(LensRounds, LanesThatLeaveLetTheOthersGoOn) {
  EXPECT_EQ(loads_of(from_zero, 20, 0), 20u);
  EXPECT_EQ(loads_of(from_zero, 20, 20), 20u);
}
TEST(LensRounds, WhatRemainsHasALoopOfItsOwn) {
  EXPECT_EQ(loads_of(from_zero, 20, 1), 16u + 4 + 3);  // the first half: 16 + 4, the second: 16 + 3
  EXPECT_EQ(loads_of(from_zero, 4, 1), 4u + 3);
  EXPECT_EQ(loads_of(from_zero, 3, 1), 3u);      // no rounds at all
  EXPECT_EQ(loads_of(from_zero, 7, 2), 4u + 3);  // the second: 4 + 1
}
TEST(LensRounds, ShortBodiesHaveRoundsOfSixteenAndEight) {
  EXPECT_EQ(loads_of(from_zero, 24, 4), 16u + 8 + 4);   // 16 + 8, and 16 + 4
  EXPECT_EQ(loads_of(from_zero, 28, 16), 16u + 8 + 4);  // 16 + 8 + 4, and 8 + 4
  EXPECT_EQ(loads_of(from_zero, 32, 16), 32u);
  EXPECT_EQ(loads_of(from_zero, 16, 8), 16u + 8);
}

__global__ void of_a_long_body(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int n = iterations(most, fewer);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    const float x = in[i];
    sum = sum * x + 0.5f;
    sum = sum * x + 1.5f;
    sum = sum * x + 2.5f;
    sum = sum * x + 3.5f;
    sum = sum * x + 4.5f;
    sum = sum * x + 5.5f;
    sum = sum * x + 6.5f;
    sum = sum * x + 7.5f;
    sum = sum * x + 8.5f;
    sum = sum * x + 9.5f;
  }
  out[threadIdx.x] = sum;
}

TEST(LensRounds, LongerBodiesHaveOnlyRoundsOfFour) {
  EXPECT_EQ(loads_of(of_a_long_body, 24, 4), 24u);
  EXPECT_EQ(loads_of(of_a_long_body, 24, 3), 24u + 1);
}

__global__ void of_64_bits(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const long long n = iterations(most, fewer);
  float sum = 0;
  for (long long i = 0; i < n; ++i) sum += in[i];
  out[threadIdx.x] = sum;
}
TEST(LensRounds, CountersOf64BitsHaveOnlyRoundsOfFour) {
  EXPECT_EQ(loads_of(of_64_bits, 24, 4), 24u);
  EXPECT_EQ(loads_of(of_64_bits, 24, 5), 24u + 3);
}

__global__ void in_strides(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t n = most * 32 - 16 * (fewer != 0);
  for (std::int64_t i = first; i < n; i += stride) out[i] = in[i];
}
TEST(LensRounds, WhatRemainsComesFirstWhereTheStartIsNoConstant) {
  EXPECT_EQ(loads_of(in_strides, 8, 0), 8u);
  EXPECT_EQ(loads_of(in_strides, 8, 1), 3u + 4 + 4);  // 4 + 4, and 3 + 4
  EXPECT_EQ(loads_of(in_strides, 6, 1), 2u + 4);      // 2 + 4, and 1 + 4
}

__global__ void in_constant_strides(const float* __restrict__ in, float* __restrict__ out, int most,
                                    int fewer) {
  const int n = most * 32 - 16 * (fewer != 0);
  for (int i = threadIdx.x; i < n; i += 32) out[i] = in[i];
}
TEST(LensRounds, ConstantStridesHaveRoundsOfSixteenToo) {
  EXPECT_EQ(loads_of(in_constant_strides, 25, 0), 25u);
  EXPECT_EQ(loads_of(in_constant_strides, 25, 1), 1u + 24);
  EXPECT_EQ(loads_of(in_constant_strides, 24, 1), 3u + 16 + 8 + 4);  // 16 + 8, and 3 + 16 + 4
}

__global__ void with_an_integer(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int n = most * 32 - 16 * (fewer != 0);
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) sum += static_cast<int>(in[i]);
  out[threadIdx.x] = static_cast<float>(sum);
}
TEST(LensRounds, WhatRemainsComesLastWhereAnIntegerGrowsFromAConstant) {
  EXPECT_EQ(loads_of(with_an_integer, 8, 1), 8u + 4 + 3);  // 8, and 4 + 3
}

template <class T>
struct Sum {
  using Total = T;
  static __device__ T nothing() { return 0; }
  static __device__ T of(T a, float b) { return a + static_cast<T>(b); }
};
template <class Op>
__global__ void with_an_operation(const float* __restrict__ in, float* __restrict__ out, int most,
                                  int fewer) {
  const int n = most * 32 - 16 * (fewer != 0);
  const int stride = gridDim.x * blockDim.x;
  typename Op::Total total = Op::nothing();
  for (int i = threadIdx.x; i < n; i += stride) total = Op::of(total, in[i]);
  out[threadIdx.x] = static_cast<float>(total);
}
TEST(LensRounds, OfATemplateTheTypeDecides) {
  EXPECT_EQ(loads_of(with_an_operation<Sum<int>>, 6, 1), 4u + 2);
  EXPECT_EQ(loads_of(with_an_operation<Sum<float>>, 6, 1), 2u + 4);
  EXPECT_EQ(loads_of(with_an_operation<Sum<float>>, 8, 1), 3u + 4 + 4);  // 4 + 4, and 3 + 4
}

__global__ void in_unsigned_strides(const float* __restrict__ in, float* __restrict__ out, int most,
                                    int fewer) {
  const int n = most * 32 - 16 * (fewer != 0);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[i];
}
__global__ void left_early(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int n = iterations(most, fewer);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (sum < 0) break;
    sum += in[i];
  }
  out[threadIdx.x] = sum;
}
__global__ void kept_as_a_loop(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int n = iterations(most, fewer);
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum += in[i];
  out[threadIdx.x] = sum;
}
__global__ void by_unsigned_index(const float* __restrict__ in, float* __restrict__ out, int most,
                                  int fewer) {
  const int n = iterations(most, fewer);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i + threadIdx.x];
  out[threadIdx.x] = sum;
}
__global__ void by_multiples(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int n = iterations(most, fewer), lane = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i * 32 + lane];
  out[threadIdx.x] = sum;
}
TEST(LensRounds, WhereAddressesNeedAProductThereAreOnlyRoundsOfFour) {
  EXPECT_EQ(loads_of(by_unsigned_index, 24, 4), 24u);
  EXPECT_EQ(loads_of(by_multiples, 24, 4), 24u);
  EXPECT_EQ(loads_of(by_multiples, 24, 1), 24u + 3);
}

TEST(LensRounds, LoopsThatItDoesNotUnrollCountAsTheirSource) {
  EXPECT_EQ(loads_of(in_unsigned_strides, 8, 1), 8u);  // the sum of an int and an unsigned number may wrap
  EXPECT_EQ(loads_of(left_early, 20, 1), 20u);
  EXPECT_EQ(loads_of(kept_as_a_loop, 20, 1), 20u);
}

__global__ void by_eight(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int n = iterations(most, fewer);
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < n; ++i) sum += in[i];
  out[threadIdx.x] = sum;
}
TEST(LensRounds, ARoundHasAsManyIterationsAsTheSourceAsksFor) {
  EXPECT_EQ(loads_of(by_eight, 24, 1), 24u + 7);
  EXPECT_EQ(loads_of(by_eight, 24, 8), 24u);
}

__global__ void up_by_while(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int n = iterations(most, fewer), lane = threadIdx.x;
  float sum = 0;
  int i = 0;
  while (i < n) {
    sum += in[lane + i];
    ++i;
  }
  out[lane] = sum;
}
__global__ void down_by_while(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int lane = threadIdx.x;
  int n = iterations(most, fewer);
  float sum = 0;
  while (n--) sum += in[lane + n];
  out[lane] = sum;
}
__global__ void down_before(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int lane = threadIdx.x;
  int n = iterations(most, fewer);
  float sum = 0;
  while (--n > 0) sum += in[lane + n];
  out[lane] = sum;
}
__global__ void up_by_do(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int n = iterations(most, fewer), lane = threadIdx.x;
  float sum = 0;
  int i = 0;
  do sum += in[lane + i];
  while (++i < n);
  out[lane] = sum;
}
__global__ void without_a_start(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int lane = threadIdx.x;
  int n = iterations(most, fewer);
  float sum = 0;
  for (; n > 0; --n) sum += in[lane + n];
  out[lane] = sum;
}
__global__ void by_pointer(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const float *at = in + threadIdx.x, *end = at + iterations(most, fewer);
  float sum = 0;
  while (at != end) sum += *at++;
  out[threadIdx.x] = sum;
}
TEST(LensRounds, OtherLoopsThatCountHavePartsToo) {
  EXPECT_EQ(loads_of(up_by_while, 24, 4), 16u + 8 + 4);        // 16 + 8, and 16 + 4
  EXPECT_EQ(loads_of(up_by_while, 20, 1), 16u + 4 + 3);        // what remains comes last
  EXPECT_EQ(loads_of(down_by_while, 24, 1), 3u + 16 + 8 + 4);  // and here first
  EXPECT_EQ(loads_of(down_before, 25, 1), 3u + 16 + 8 + 4);
  EXPECT_EQ(loads_of(up_by_do, 24, 4), 16u + 8 + 4);
  EXPECT_EQ(loads_of(up_by_do, 20, 20), 16u + 4 + 1);  // the second half goes round once, too
  EXPECT_EQ(loads_of(without_a_start, 24, 1), 3u + 16 + 8 + 4);
  EXPECT_EQ(loads_of(by_pointer, 24, 1), 3u + 16 + 8 + 4);
}

__global__ void in_twelves(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int lane = threadIdx.x;
  unsigned n = iterations(most, fewer) * 12 + 11;
  float sum = 0;
  while (n > 11) {
    sum += in[n + lane];
    n -= 12;
  }
  out[lane] = sum;
}
__global__ void perhaps_past_zero(const float* __restrict__ in, float* __restrict__ out, int most,
                                  int fewer) {
  const int lane = threadIdx.x;
  unsigned n = iterations(most, fewer) * 12 + 10;
  float sum = 0;
  while (n > 10) {
    sum += in[n + lane];
    n -= 12;
  }
  out[lane] = sum;
}
TEST(LensRounds, UnsignedNumbersThatGoDownMustEndBeforeTheyWrap) {
  EXPECT_EQ(loads_of(in_twelves, 24, 1), 3u + 24);
  EXPECT_EQ(loads_of(perhaps_past_zero, 24, 1), 24u);
}

__global__ void with_shifts(const float* __restrict__ in, float* __restrict__ out, int most, int fewer) {
  const int n = iterations(most, fewer);
  unsigned sum = most;
  for (int i = threadIdx.x; i < n * 32; i += 32) {
    sum += static_cast<unsigned>(in[i]);
    sum = (sum << 3) ^ (sum >> 7);
    sum = (sum << 4) ^ (sum >> 8);
    sum = (sum << 5) ^ (sum >> 9);
    sum = (sum << 6) ^ (sum >> 7);
    sum = (sum << 7) ^ (sum >> 8);
    sum = (sum << 3) ^ (sum >> 9);
    sum = (sum << 4) ^ (sum >> 7);
    sum = (sum << 5) ^ (sum >> 8);
    sum = (sum << 6) ^ (sum >> 9);
    sum = (sum << 7) ^ (sum >> 7);
    sum = (sum << 3) ^ (sum >> 8);
  }
  out[threadIdx.x] = static_cast<float>(sum);
}
TEST(LensRounds, AShiftIsOneInstruction) {
  EXPECT_EQ(loads_of(with_shifts, 24, 2), 2u + 24);  // rounds of four, none of sixteen
}
