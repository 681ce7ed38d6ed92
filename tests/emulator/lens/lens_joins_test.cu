// Which requests the lens counts as one: for neighbouring elements, and of the two ways of a choice. What is
// expected is what the machine code that nvcc 13.0 makes of these kernels for sm_90 has, read with nvdisasm.

#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/emulator/device_array.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

using warplab::test::DeviceArray;
namespace lens = warplab::emulator::lens;

namespace {

/// The counts of one warp of a kernel that takes an array of 1,024 elements, an array for 256 results, and a
/// number.
template <class In, class Out>
warplab::lens::Launch counts_of(void (*kernel)(const In*, Out*, int), int n = 0, int shared_bytes = 0) {
  const DeviceArray<In> in(1024);
  const DeviceArray<Out> out(256);
  cudaMemset(in.data(), 0, 1024 * sizeof(In));
  cudaMemset(out.data(), 0, 256 * sizeof(Out));
  lens::start({.blocks = 0});
  kernel<<<1, 32, shared_bytes>>>(in.data(), out.data(), n);
  const std::vector<warplab::lens::Launch> launches = lens::take();
  EXPECT_EQ(launches.size(), 1u);
  return launches.empty() ? warplab::lens::Launch{} : launches[0];
}

template <class In, class Out>
std::uint64_t shared_loads(void (*kernel)(const In*, Out*, int), int n = 0, int shared_bytes = 0) {
  return counts_of(kernel, n, shared_bytes).counts.shared_load.requests;
}

template <class In, class Out>
std::uint64_t global_loads(void (*kernel)(const In*, Out*, int), int n = 0) {
  return counts_of(kernel, n).counts.global_load.requests;
}

}  // namespace

template <int rows, int columns>
__device__ void fill(float (&tile)[rows][columns], const float* in) {
  for (int i = threadIdx.x; i < rows * columns; i += 32) (&tile[0][0])[i] = in[i];
  __syncthreads();
}

template <int columns>
__global__ void row_of_tile(const float* in, float* out, int) {
  __shared__ float tile[8][columns];
  fill(tile, in);
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += tile[threadIdx.x / 4][k];
  out[threadIdx.x] = sum;
}

__global__ void row_kept_as_a_loop(const float* in, float* out, int) {
  __shared__ float tile[8][16];
  fill(tile, in);
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) sum += tile[threadIdx.x / 4][k];
  out[threadIdx.x] = sum;
}

template <int by>
__global__ void row_unrolled_by_a_parameter(const float* in, float* out, int) {
  __shared__ float tile[8][16];
  fill(tile, in);
  float sum = 0;
#pragma unroll by
  for (int k = 0; k < 16; ++k) sum += tile[threadIdx.x / 4][k];
  out[threadIdx.x] = sum;
}

__global__ void as_far_as_told(const float* in, float* out, int n) {
  __shared__ float tile[8][32];
  fill(tile, in);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += tile[0][k] * static_cast<float>(k);
  out[threadIdx.x] = sum;
}

__global__ void from_where_told(const float* in, float* out, int n) {
  __shared__ float tile[8][32];
  fill(tile, in);
  float sum = 0;
  for (int k = n; k < 24; ++k) sum += tile[0][k];
  out[threadIdx.x] = sum;
}

__global__ void rows_as_wide_as_told(const float* in, float* out, int n) {
  __shared__ float tile[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += tile[threadIdx.x / 4 * n + k];
  out[threadIdx.x] = sum;
}

__global__ void largest_of_row(const float* in, float* out, int) {
  __shared__ float tile[8][16];
  fill(tile, in);
  float most = 0;
  for (int k = 0; k < 16; ++k)
    if (tile[threadIdx.x / 4][k] > most) most = tile[threadIdx.x / 4][k];
  out[threadIdx.x] = most;
}

__global__ void some_of_row(const float* in, float* out, int) {
  __shared__ float tile[8][16];
  fill(tile, in);
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    if (in[k] >= 0) sum += tile[threadIdx.x / 4][k];
  out[threadIdx.x] = sum;
}

TEST(LensJoins, RowsOfATileWhereTheLoopIsUnrolledAndRowsAreAligned) {
  EXPECT_EQ(shared_loads(row_of_tile<16>), 4u);
  EXPECT_EQ(shared_loads(row_of_tile<18>), 8u);
  EXPECT_EQ(shared_loads(row_of_tile<17>), 16u);
  EXPECT_EQ(shared_loads(row_kept_as_a_loop), 16u);
  EXPECT_EQ(shared_loads(row_unrolled_by_a_parameter<1>), 16u);
  EXPECT_EQ(shared_loads(row_unrolled_by_a_parameter<16>), 4u);
  EXPECT_EQ(shared_loads(largest_of_row), 4u) << "a condition that only chooses a value";
  EXPECT_EQ(shared_loads(some_of_row), 16u) << "loads that hang on a condition";
}

TEST(LensJoins, LoopsWhoseLengthOnlyTheKernelKnows) {
  for (const int n : {0, 1, 3, 4, 7, 8, 21})
    EXPECT_EQ(shared_loads(as_far_as_told, n), static_cast<unsigned>(n / 4 + n % 4)) << n;
  EXPECT_EQ(shared_loads(from_where_told, 0), 24u);
  EXPECT_EQ(shared_loads(from_where_told, 8), 16u);
  EXPECT_EQ(shared_loads(rows_as_wide_as_told, 16), 16u);
}

// Products of the sides of a square per thread: 4x4 are unrolled over the depth of 8, 8x8 are too many.
template <int side>
__global__ void outer_products(const float* in, float* out, int) {
  __shared__ float a[32][8], b[8][64];
  fill(a, in);
  fill(b, in);
  const int row = threadIdx.x / 8 * side, col = threadIdx.x % 8 * side;
  float sums[side][side] = {};
  for (int k = 0; k < 8; ++k) {
    float of_a[side], of_b[side];
    for (int i = 0; i < side; ++i) of_a[i] = a[row + i][k];
    for (int j = 0; j < side; ++j) of_b[j] = b[k][col + j];
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) sums[i][j] += of_a[i] * of_b[j];
  }
  float sum = 0;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) sum += sums[i][j];
  out[threadIdx.x] = sum;
}

TEST(LensJoins, LoopsThatWouldBecomeTooLongStayLoops) {
  EXPECT_EQ(shared_loads(outer_products<4>), 4u * 2 + 8u);
  EXPECT_EQ(shared_loads(outer_products<8>), 8u * 8 + 8u * 2);
}

__global__ void at_fractions(const float* in, float* out, int) {
  __shared__ float tile[64];
  fill(reinterpret_cast<float(&)[8][8]>(tile), in);
  float sum = 0;
  for (float x = 0; x < 1; x += 0.25f) sum += tile[static_cast<int>(8 * x) * 8 + threadIdx.x % 8];
  out[threadIdx.x] = sum;
}

TEST(LensJoins, LoopsWhoseStepIsAFraction) {
  EXPECT_EQ(shared_loads(at_fractions), 4u);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(LensJoins, IterationsOfLoops) {
  using warplab::emulator::lens_iterations;
  static_assert(lens_iterations(0, 9, 4, false) == 3);
  static_assert(lens_iterations(0, 8, 4, false) == 2);
  static_assert(lens_iterations(0, 8, 4, true) == 3);
  static_assert(lens_iterations(16u, 0u, 2, false) == 8);
  static_assert(lens_iterations(0.F, 1.F, 0.25F, false) == 4);
  static_assert(lens_iterations(0, 8, 0, false) == 1);
}

__global__ void rows_of_floats(const float* in, float* out, int) {
  extern __shared__ float floats[];
  for (int i = threadIdx.x; i < 128; i += 32) floats[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += floats[threadIdx.x / 4 * 16 + k];
  out[threadIdx.x] = sum;
}

// Begins at a multiple of 64 bytes, wherever that is.
__global__ void rows_in_bytes(const float* in, float* out, int n) {
  extern __shared__ unsigned char bytes[];
  float* const floats = reinterpret_cast<float*>(bytes + (64 - n % 64) % 64);
  for (int i = threadIdx.x; i < 128; i += 32) floats[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += floats[threadIdx.x / 4 * 16 + k];
  out[threadIdx.x] = sum;
}

TEST(LensJoins, RowsInDynamicSharedMemoryUnlessItIsBytes) {
  EXPECT_EQ(shared_loads(rows_of_floats, 0, 1024), 4u);
  EXPECT_EQ(shared_loads(rows_in_bytes, 0, 1024), 16u);
}

template <int first, int second>
__global__ void two_of_four(const float* in, float* out, int) {
  __shared__ float tile[8][16];
  fill(tile, in);
  const float* const own = &tile[0][0] + 4 * threadIdx.x;
  out[threadIdx.x] = own[first] + own[second];
}

__global__ void three_of_four(const float* in, float* out, int) {
  __shared__ float tile[8][16];
  fill(tile, in);
  const float* const own = &tile[0][0] + 4 * threadIdx.x;
  out[threadIdx.x] = own[3] + own[1] * own[2];
}

__global__ void with_stores_between(const float* in, float* out, int) {
  __shared__ float tile[8][16], other[8][16];
  fill(tile, in);
  for (int i = 0; i < 4; ++i) (&other[0][0])[threadIdx.x + 32 * i] = (&tile[0][0])[4 * threadIdx.x + i];
  __syncthreads();
  out[threadIdx.x] = other[0][threadIdx.x % 16];
}

__global__ void volatile_row(const float* in, float* out, int) {
  __shared__ float tile[8][16];
  fill(tile, in);
  const volatile float* const row = tile[threadIdx.x / 4];
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += row[k];
  out[threadIdx.x] = sum;
}

// In the last round the two elements are neighbours, but in the code they are `step` apart.
__global__ void halving(const float* in, float* out, int n) {
  __shared__ float values[64];
  for (int i = threadIdx.x; i < 64; i += 32) values[i] = in[i];
  for (int step = n; step > 0; step /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < step) values[threadIdx.x] += values[threadIdx.x + step];
  }
  out[0] = values[0];
}

// Neighbours each time, but at a multiple of 8 bytes only in every second step: rows have 17 elements.
__global__ void diagonals(const float* in, float* out, int n) {
  __shared__ float values[17 * 17];
  for (int i = threadIdx.x; i < 17 * 17; i += 32) values[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int step = 0; step < n; ++step) {
    if (static_cast<int>(threadIdx.x) > step) continue;
    const int place = (step - static_cast<int>(threadIdx.x)) * 17 + static_cast<int>(threadIdx.x);
    sum += values[place] * values[place + 1];
  }
  out[threadIdx.x] = sum;
}

// Of odd strides nvcc knows the place of each turn of a loop that it unrolls.
template <int stride>
__global__ void groups(const float* in, float* out, int n) {
  __shared__ float values[512];
  for (int i = 0; i < 16; ++i) values[threadIdx.x + 32 * i] = in[threadIdx.x + 32 * i];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < stride; ++k) sum = sum * 2 + values[stride * i + k];
  out[threadIdx.x] = sum;
}
__global__ void groups_by_two(const float* in, float* out, int n) {
  __shared__ float values[512];
  for (int i = 0; i < 16; ++i) values[threadIdx.x + 32 * i] = in[threadIdx.x + 32 * i];
  __syncthreads();
  float sum = 0;
#pragma unroll 2
  for (int i = 0; i < n; ++i) sum += values[3 * i] * values[3 * i + 1] + values[3 * i + 2];
  out[threadIdx.x] = sum;
}
__global__ void eight_groups(const float* in, float* out, int) {
  __shared__ float values[512];
  for (int i = 0; i < 16; ++i) values[threadIdx.x + 32 * i] = in[threadIdx.x + 32 * i];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += values[3 * i] * values[3 * i + 1] + values[3 * i + 2];
  out[threadIdx.x] = sum;
}

TEST(LensJoins, ElementsAtOddStridesOfUnrolledLoops) {
  EXPECT_EQ(shared_loads(groups<3>, 16), 3u * 4);
  EXPECT_EQ(shared_loads(groups<5>, 16), 5u * 4);
  EXPECT_EQ(shared_loads(eight_groups), 6u);
  EXPECT_EQ(shared_loads(groups_by_two, 16), 3u * 8) << "of two turns nvcc knows multiples of 8 bytes only";
}

TEST(LensJoins, ElementsInStraightLineCode) {
  EXPECT_EQ(shared_loads(two_of_four<0, 1>), 1u);
  EXPECT_EQ(shared_loads(two_of_four<2, 3>), 1u);
  EXPECT_EQ(shared_loads(two_of_four<1, 2>), 2u);
  EXPECT_EQ(shared_loads(two_of_four<0, 2>), 2u);
  EXPECT_EQ(shared_loads(three_of_four), 1u);
  EXPECT_EQ(shared_loads(with_stores_between), 4u + 1);
  EXPECT_EQ(shared_loads(volatile_row), 16u);
  EXPECT_EQ(shared_loads(halving, 32), 6u * 2 + 1) << "neighbours by chance";
  EXPECT_EQ(shared_loads(diagonals, 16), 8u + 8u * 2) << "aligned in every second step";
}

__global__ void stores_of_floats(const float* in, float* out, int) {
  __shared__ float values[128];
  for (int i = 0; i < 4; ++i) values[4 * threadIdx.x + i] = in[threadIdx.x + 32 * i];
  __syncthreads();
  out[threadIdx.x] = values[127 - threadIdx.x];
}

__global__ void stores_of_halves(const __half* in, __half* out, int) {
  __shared__ __half values[256];
  for (int i = 0; i < 8; ++i) values[8 * threadIdx.x + i] = in[threadIdx.x + 32 * i];
  __syncthreads();
  out[threadIdx.x] = values[255 - threadIdx.x];
}

__global__ void stores_of_bytes(const unsigned char* in, unsigned char* out, int) {
  __shared__ unsigned char values[128];
  for (int i = 0; i < 4; ++i) values[4 * threadIdx.x + i] = in[threadIdx.x + 32 * i];
  __syncthreads();
  out[threadIdx.x] = values[127 - threadIdx.x];
}

TEST(LensJoins, StoresOfUpToFourElements) {
  EXPECT_EQ(counts_of(stores_of_floats).counts.shared_store.requests, 1u);
  EXPECT_EQ(counts_of(stores_of_halves).counts.shared_store.requests, 2u);
  EXPECT_EQ(counts_of(stores_of_bytes).counts.shared_store.requests, 4u);
}

__global__ void first_members(const float4* in, float* out, int) {
  out[threadIdx.x] = in[threadIdx.x].x + in[threadIdx.x].y * in[threadIdx.x].z;
}
__global__ void last_members(const float4* __restrict__ in, float* __restrict__ out, int) {
  out[threadIdx.x] = in[threadIdx.x].y + in[threadIdx.x].z * in[threadIdx.x].w;
}
__global__ void members_of_bytes(const uchar4* in, float* out, int) {
  out[threadIdx.x] = static_cast<float>(in[threadIdx.x].x + in[threadIdx.x].y * in[threadIdx.x].z);
}
__global__ void members_without_alignment(const float3* in, float* out, int) {
  out[threadIdx.x] = in[threadIdx.x].x + in[threadIdx.x].y * in[threadIdx.x].z;
}
__global__ void member_for_a_condition(const float4* in, float* out, int) {
  if (in[threadIdx.x].w >= 0) out[threadIdx.x] = in[threadIdx.x].x + in[threadIdx.x].y;
}
__global__ void elements_of_an_array(const float* in, float* out, int) {
  out[threadIdx.x] = in[4 * threadIdx.x] + in[4 * threadIdx.x + 1];
}
__global__ void moved(const float4* in, float4* out, int) {
  const int i = threadIdx.x;
  out[i].x += in[i].x;
  out[i].y += in[i].y;
  out[i].z += in[i].z;
}

TEST(LensJoins, MembersOfStructuresInGlobalMemory) {
  EXPECT_EQ(global_loads(first_members), 1u);
  EXPECT_EQ(global_loads(last_members), 2u);
  EXPECT_EQ(global_loads(members_of_bytes), 1u);
  EXPECT_EQ(global_loads(members_without_alignment), 3u);
  EXPECT_EQ(global_loads(member_for_a_condition), 2u);
  EXPECT_EQ(global_loads(elements_of_an_array), 2u) << "nobody says how they are aligned";
  const warplab::lens::Launch launch = counts_of(moved);
  EXPECT_EQ(launch.counts.global_load.requests, 2u);
  EXPECT_EQ(launch.counts.global_store.requests, 2u) << "of 8 bytes and of 4";
  EXPECT_EQ(launch.counts.global_store.bytes, 32u * 12);
}

__host__ __device__ int is_positive(int a) { return a > 0; }

// Each statement that the translator rewrites for the lens, in each place that one may have.
__host__ __device__ int conditions_of_parts(int a, int n) {
  int x = 1;
  if (a > 1 && is_positive(n))
    if (a > 2 && is_positive(a - 9))
      x = 1;
    else
      x = 2;
  else if (a == 0 && n)
    x = 3;
  else
    x = 4;
  if (a < 0 || n < 0) {
    if (a && n)
      x += 9;
    else
      x += 8;
  }
  for (int i = 0; i < 2; ++i)
    if (i && a) {
      for (int j = 0; j < 2; ++j)
        if (j && i)
          x += 10;
        else
          x += 20;
    }
  if (const int m = n; m && a)
    x += m;
  else
    x -= m;
  while (a > 20 && n)
    if (--a && n) {
      --n;
    } else {
      ++n;
    }
  const auto change = [&](int by) {
    if (a && n)
      x += by;
    else
      return;
    x *= 2;
  };
  change(100);
  if (n && a == 5) return x;
  do
    if (a && n)
      a = 0;
    else
      n = 0;
  while (a && n);
  return 3 * x + a + (a == 0 && n == 0 ? 1000 : 2000);
}

__global__ void try_conditions(const int* in, int* out, int n) {
  out[threadIdx.x] = conditions_of_parts(in[threadIdx.x], n);
}

TEST(LensJoins, ConditionsOfPartsDoUnderTheLensWhatTheyDoOtherwise) {
  std::vector<int> numbers(32);
  for (int i = 0; i < 32; ++i) numbers[i] = i - 2;
  const DeviceArray<int> in(numbers);
  for (const int n : {0, 1, 7, -3}) {
    const DeviceArray<int> out(32);
    lens::start({.blocks = 0});
    try_conditions<<<1, 32>>>(in.data(), out.data(), n);
    lens::take();
    const std::vector<int> results = out.host();
    for (int i = 0; i < 32; ++i)
      EXPECT_EQ(results[i], conditions_of_parts(numbers[i], n)) << numbers[i] << " " << n;
  }
}

// --- The two ways of a choice ---

__global__ void of_two_arrays(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  out[i] = i % 3 == n ? in[i] : in[i + 512];
}
__global__ void of_one_way(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  out[i] = i % 3 == n ? in[i] : 0.0f;
}
__global__ void of_ends(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  out[i] = (i == n ? in[512] : 0.0f) + (i == 31 ? in[513] : 0.0f);
}
__global__ void on_two_lines(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  float x = 0;
  if (i % 3 == n)
    x = in[i];
  else
    x = in[i + 512] + 1;
  out[i] = x;
}
__global__ void one_element_on_two_lines(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  float x = 0;
  if (i % 3 == n)
    x = in[i] * 3 + 7;
  else
    x = in[i] - 9;
  out[i] = x;
}
__global__ void stored_by_either(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  for (int k = 0; k < n; ++k)
    // clang-format off
    if (i < k) out[i] = in[i]; else out[i + 64] = in[i];
  // clang-format on
}

TEST(LensJoins, AChoiceOfTwoElementsLoadsOnce) {
  EXPECT_EQ(global_loads(of_two_arrays), 1u);
  EXPECT_EQ(global_loads(of_two_arrays, 7), 1u);  // all lanes go one way
  EXPECT_EQ(global_loads(of_one_way), 1u);
}
TEST(LensJoins, TwoChoicesThatAreNotWaysOfOneLoadTwice) { EXPECT_EQ(global_loads(of_ends), 2u); }
TEST(LensJoins, WaysOnTwoLinesLoadEachForThemselves) { EXPECT_EQ(global_loads(on_two_lines), 2u); }
TEST(LensJoins, WaysThatLoadOneElementLoadItOnce) { EXPECT_EQ(global_loads(one_element_on_two_lines), 1u); }
TEST(LensJoins, AStoreOfEitherWayIsOne) {
  EXPECT_EQ(counts_of(stored_by_either, 1).counts.global_store.requests, 1u);
  EXPECT_EQ(counts_of(stored_by_either, 5).counts.global_store.requests, 5u);
}

// --- Sums of floats in shared memory ---

template <int lanes_of_one>
__global__ void sums_of_floats(const float* in, float* out, int) {
  __shared__ float sums[32];
  sums[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[threadIdx.x / lanes_of_one], in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = sums[threadIdx.x];
}

TEST(LensJoins, ASumOfFloatsInSharedMemoryLoadsForEachLaneOnABank) {
  EXPECT_EQ(shared_loads(sums_of_floats<1>), 1u + 1);
  EXPECT_EQ(shared_loads(sums_of_floats<4>), 4u + 1);
  EXPECT_EQ(shared_loads(sums_of_floats<32>), 32u + 1);
}
