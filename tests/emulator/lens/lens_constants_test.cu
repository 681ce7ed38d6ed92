// Which words of constant memory the lens has as loaded: those of LDC instructions in the machine code that
// nvcc 13.0 makes of these kernels for sm_90, read with nvdisasm. `idc__requests` does not count ULDC.

#include <gtest/gtest.h>

#include <vector>

#include "tests/emulator/device_array.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

using warplab::test::DeviceArray;
namespace lens = warplab::emulator::lens;

namespace {

struct Settings {
  float scale;
  float filter[3][3];
};
__constant__ Settings settings;
__constant__ float weights[256];

/// How many words of constant memory the loads of a warp ask for.
std::uint64_t constant_loads(void (*kernel)(const float*, float*, int), int n = 0) {
  const DeviceArray<float> in(1024), out(256);
  cudaMemset(in.data(), 0, 1024 * sizeof(float));
  cudaMemset(out.data(), 0, 256 * sizeof(float));
  lens::start({.blocks = 0});
  kernel<<<1, 32>>>(in.data(), out.data(), n);
  const std::vector<warplab::lens::Launch> launches = lens::take();
  EXPECT_EQ(launches.size(), 1u);
  return launches.empty() ? 0 : launches[0].counts.constant.loaded;
}

}  // namespace

__global__ void member(const float* in, float* out, int n) {
  const unsigned i = threadIdx.x;
  if (i < static_cast<unsigned>(n)) out[i] = in[i] * settings.scale;
}
__global__ void whole_filter(const float* in, float* out, int) {
  float sum = 0;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      sum += in[threadIdx.x + row * 100 + column] * settings.filter[row][column];
  out[threadIdx.x] = sum;
}
__device__ float weighted(const float* in, const float* by) {
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += in[threadIdx.x + k] * by[k];
  return sum;
}
__global__ void by_a_function(const float* in, float* out, int) { out[threadIdx.x] = weighted(in, weights); }

TEST(LensConstants, WordsAtKnownAddressesAreNoLoads) {
  EXPECT_EQ(constant_loads(member, 20), 0u);
  EXPECT_EQ(constant_loads(whole_filter), 0u);
  EXPECT_EQ(constant_loads(by_a_function), 0u);
}

__global__ void loop_of_all(const float* in, float* out, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += in[threadIdx.x + k] * weights[k];
  out[threadIdx.x] = sum;
}

__global__ void not_unrolled(const float* in, float* out, int n) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += in[threadIdx.x + k] * weights[k];
  out[threadIdx.x] = sum;
}

TEST(LensConstants, NorAreThoseOfALoopThatAllLanesRunAlike) {
  EXPECT_EQ(constant_loads(loop_of_all, 8), 0u);
  EXPECT_EQ(constant_loads(not_unrolled, 8), 0u);
}

__global__ void within_a_condition(const float* in, float* out, int n) {
  float sum = 0;
  for (int k = 0; k < 7; ++k) {
    const int i = static_cast<int>(threadIdx.x) + k - 3;
    if (i >= 0 && i < n) sum += in[i] * weights[k];
  }
  out[threadIdx.x] = sum;
}

TEST(LensConstants, WithinAConditionOfALoopTheyAre) { EXPECT_EQ(constant_loads(within_a_condition, 35), 7u); }

__global__ void in_both_ways(const float* in, float* out, int n) {
  float sum = 0;
  for (int k = 0; k < 7; ++k) {
    const int i = static_cast<int>(threadIdx.x) + k - 3;
    if (i >= 0 && i < n)
      sum += in[i] * weights[k];
    else
      sum += in[0] * weights[k];
  }
  out[threadIdx.x] = sum;
}

TEST(LensConstants, WithinBothWaysOfAConditionTheyAreNot) { EXPECT_EQ(constant_loads(in_both_ways, 35), 0u); }

__global__ void nested(const float* in, float* out, int n) {
  float best = 1e30f;
  for (int c = 0; c < n; ++c) {
    float sum = 0;
    for (int k = 0; k < n; ++k) {
      const float difference = in[k * 32 + threadIdx.x] - weights[c * n + k];
      sum += difference * difference;
    }
    best = fminf(best, sum);
  }
  out[threadIdx.x] = best;
}

TEST(LensConstants, InNestedLoopsTheyAre) { EXPECT_EQ(constant_loads(nested, 4), 16u); }

__global__ void by_lane(const float*, float* out, int n) { out[threadIdx.x] = weights[threadIdx.x * n]; }

TEST(LensConstants, WhereLanesLoadDifferentWordsTheyAre) { EXPECT_EQ(constant_loads(by_lane, 1), 32u); }
