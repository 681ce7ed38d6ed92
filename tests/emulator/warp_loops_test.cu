// A warp's functions, in forms that the emulator runs as loops over threads or on fibers. Ordinary CUDA: a
// GPU gives the same results.

#include <cuda_fp16.h>

#include <numeric>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

constexpr int threads = 256;

std::vector<int> counted(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

// What a kernel for one block makes of 0, 1, 2, ...
template <class Kernel>
std::vector<int> result_of(Kernel kernel, dim3 block = threads) {
  const int n = static_cast<int>(block.x * block.y * block.z);
  DeviceArray<int> x(counted(n));
  kernel<<<1, block>>>(x.data(), n);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  return x.host();
}

// By the thread's number, for all of them.
template <class F>
std::vector<int> for_each(int n, F f) {
  std::vector<int> values;
  for (int t = 0; t < n; ++t) values.push_back(f(t));
  return values;
}

int sum_of_warp(int t) { return 32 * (t / 32 * 32) + 31 * 16; }

}  // namespace

__global__ void sums_by_halves(int* x, int) {
  int mine = x[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, distance);
  x[threadIdx.x] = mine;
}

__global__ void shuffles_of_every_kind(int* x, int) {
  const int t = threadIdx.x;
  const int up = __shfl_up_sync(~0u, x[t], 3), down = __shfl_down_sync(~0u, x[t], 2, 8);
  int other = 1000 * __shfl_sync(~0u, t, t * 7);
  other += __shfl_xor_sync(~0u, t, 5, 16) + up;
  x[t] = other + 3 * down;
}

TEST(WarpLoops, ShufflesOfEveryKind) {
  EXPECT_EQ(result_of(sums_by_halves), for_each(threads, sum_of_warp));
  EXPECT_EQ(result_of(shuffles_of_every_kind), for_each(threads, [](int t) {
              const int lane = t % 32, first = t - lane;
              const int up = lane < 3 ? t : t - 3, down = t % 8 + 2 > 7 ? t : t + 2;
              return 1000 * (first + lane * 7 % 32) + (t ^ 5) + up + 3 * down;
            }));
}

__global__ void shuffles_of_every_type(int* x, int) {
  const int t = threadIdx.x;
  const double d = __shfl_down_sync(~0u, t + 0.5, 1);
  const long long l = __shfl_down_sync(~0u, (1ll << 40) + t, 1);
  const float f = __shfl_down_sync(~0u, t / 4.0f, 1);
  const __half h = __shfl_down_sync(~0u, __int2half_rn(t), 1);
  const char c = 'a';
  const auto promoted = __shfl_down_sync(~0u, c, 1);
  static_assert(sizeof promoted == sizeof(int), "as in CUDA");
  x[t] =
      static_cast<int>(d) + static_cast<int>(l >> 40) + static_cast<int>(f * 4) + __half2int_rn(h) + promoted;
}

TEST(WarpLoops, ShuffleEveryType) {
  EXPECT_EQ(result_of(shuffles_of_every_type, 32), for_each(32, [](int t) {
              const int next = t == 31 ? t : t + 1;
              return 3 * next + 1 + 'a';
            }));
}

__global__ void votes(int* x, int) {
  const int t = threadIdx.x;
  const unsigned odd = __ballot_sync(~0u, x[t] & 1);
  const int any = __any_sync(~0u, t == 70), all = __all_sync(~0u, t < 96);
  __syncwarp();
  x[t] = __popc(odd & ((2u << t % 32) - 1)) + 100 * any + 1000 * all;
}

// Lanes that exchange in two groups.
__global__ void votes_in_groups(int* x, int) {
  const int t = threadIdx.x;
  const unsigned group = t % 2 ? 0xaaaaaaaau : 0x55555555u;
  const int seventh = __any_sync(group, t % 32 == 7), from = __shfl_sync(group, t, 4 + t % 2);
  x[t] = from + 1000 * seventh;
}

TEST(WarpLoops, Vote) {
  EXPECT_EQ(result_of(votes), for_each(threads, [](int t) {
              return (t % 32 + 1) / 2 + (t / 32 == 2 ? 100 : 0) + (t < 96 ? 1000 : 0);
            }));
  EXPECT_EQ(result_of(votes_in_groups),
            for_each(threads, [](int t) { return t / 32 * 32 + 4 + t % 2 + (t % 2 ? 1000 : 0); }));
}

// The last warp has 8 lanes, and lanes return.
__global__ void sums_of_those_left(int* x, int) {
  const int t = threadIdx.x;
  if (t % 32 == 3) return;
  const int there = __popc(__ballot_sync(0xffffffffu, 1));
  int mine = t;
  mine += __shfl_down_sync(0xffffffffu, mine, 4, 8);
  if (t % 32 == 5) {
    x[t] = -there;
    return;
  }
  x[t] = mine + 1000 * __popc(__ballot_sync(~0u, t >= 0)) + there;
}

TEST(WarpLoops, DoNotWaitForLanesThatHaveReturned) {
  const std::vector<int> sums = result_of(sums_of_those_left, 40);
  for (const int t : {0, 1, 2, 4, 6, 7, 31, 32, 39}) {
    const int lanes = t < 32 ? 31 : 7, first = t % 8 < 4 && t % 32 < 28;
    if (t % 8 == 1 || t % 8 == 3) continue;  // it read a lane that had returned, or none
    const int mine = t + (first ? t + 4 : t);
    EXPECT_EQ(sums[static_cast<std::size_t>(t)], mine + 1000 * (lanes - 1) + lanes) << t;
  }
  EXPECT_EQ(sums[3], 3);
  EXPECT_EQ(sums[5], -31);
  EXPECT_EQ(sums[37], -7);
}

// Some of the warps take a branch; both ways exchange.
__global__ void branches_of_warps(int* x, int n) {
  const int t = threadIdx.x, warp = t / 32;
  int mine = t, rounds = 0;
  if (warp == 1) {
    for (int d = 1; d < 32; d *= 2) {
      mine += __shfl_xor_sync(~0u, mine, d);
      ++rounds;
    }
    if (t >= 64) mine = -1;
  } else if (t < 96 && n > 0) {
    mine = __shfl_sync(~0u, mine, 31);
    const int zero = n - 256;
    if (zero != 0) mine = n / zero;
  } else {
    if (t == 100) return;
    mine = -__popc(__ballot_sync(~0u, t % 4 == 0));
  }
  if (threadIdx.x >> 5 == 7) mine += __shfl_xor_sync(~0u, t, 1);
  x[t] = mine + 10000 * rounds;
}

// The same where a row of the block is half a warp, and the number in x says nothing of the warp's.
__global__ void branches_of_half_warps(int* x, int) {
  const int t = threadIdx.x, number = threadIdx.y * blockDim.x + t;
  int mine = number;
  if (t / 32 == 0) mine = __shfl_sync(~0u, mine, 5);
  x[number] = mine;
}

TEST(WarpLoops, WarpsTakeBranches) {
  EXPECT_EQ(result_of(branches_of_warps), for_each(threads, [](int t) {
              const int warp = t / 32;
              if (warp == 1) return sum_of_warp(t) + 50000;
              if (warp < 3) return t / 32 * 32 + 31;
              if (t == 100) return 100;
              return -(warp == 3 ? 7 : 8) + (warp == 7 ? t ^ 1 : 0);
            }));
  EXPECT_EQ(result_of(branches_of_half_warps, dim3(16, 4)),
            for_each(64, [](int t) { return t / 32 * 32 + 5; }));
}

// Lanes of one warp part; those that are not in the branch have ended, or meet the others in another place.
__global__ void branches_of_lanes(int* x, int) {
  const int t = threadIdx.x;
  int mine = t;
  if (t % 32 < 16)
    mine += __shfl_xor_sync(0xffffu, mine, 1);
  else
    mine += 2 * __shfl_xor_sync(0xffff0000u, mine, 2);
  if (t % 32 < 8) mine += __shfl_sync(~0u, t, 0);
  x[t] = mine;
}

TEST(WarpLoops, LanesTakeBranches) {
  EXPECT_EQ(result_of(branches_of_lanes), for_each(threads, [](int t) {
              const int mine = t % 32 < 16 ? t + (t ^ 1) : t + 2 * (t ^ 2);
              return t % 32 < 8 ? mine + t / 32 * 32 : mine;
            }));
}

__device__ __forceinline__ int warp_sum(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
  return value;
}

template <int width, class T>
__device__ T first_of(T value, const T step) {
  value += step;
  return __shfl_sync(~0u, value, 0, width);
}

__device__ float sum_of_active(float value) {
  for (int distance = warpSize / 2; distance > 0; distance >>= 1) {
    const unsigned mask = __activemask();
    value += __shfl_down_sync(mask, value, distance);
  }
  return value;
}

__device__ int own_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ void store_sum(int* place, int value) {
  const int sum = warp_sum(value);
  if (threadIdx.x % 32 == 0) place[threadIdx.x / 32] = sum;
  __syncthreads();
}

__inline__ __device__ int block_sum(int value) {
  static __shared__ int sums[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  value = warp_sum(value);
  if (lane == 0) sums[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / warpSize ? sums[lane] : 0;
  if (warp == 0) value = warp_sum(value);
  return value;
}

__global__ void sums_by_function(int* x, int n) {
  __shared__ int sums[32];
  const int t = own_number();
  int mine = 0;
  for (int i = t; i < n; i += blockDim.x / 2) mine += x[i];
  const auto all = block_sum(mine);
  store_sum(sums, x[t]);
  float turned = first_of<16>(static_cast<float>(t), 0.5f);
  for (int round = 0; round < 3; ++round) turned = first_of<32>(turned, 1.0f);
  x[t] = (t == 0 ? all : sums[t % 8]) + static_cast<int>(turned * 2) * 1000000;
}

TEST(WarpLoops, FunctionsOfThreadsExchange) {
  const std::vector<int> sums = result_of(sums_by_function);
  EXPECT_EQ(sums[0], 256 * 255 / 2 + 128 * (128 + 255) / 2 + 7000000);
  for (int t = 1; t < threads; ++t)
    EXPECT_EQ(sums[static_cast<std::size_t>(t)], sum_of_warp(t % 8 * 32) + (t / 32 * 64 + 7) * 1000000) << t;
}

__global__ void sums_of_active(int* x, int) {
  const int t = threadIdx.x;
  const float sum = sum_of_active(t);
  const int there = __popc(__activemask());
  x[t] = t % 32 == 0 ? static_cast<int>(sum) + 100000 * there : 0;
}

TEST(WarpLoops, LanesAreActive) {
  EXPECT_EQ(result_of(sums_of_active),
            for_each(threads, [](int t) { return t % 32 ? 0 : sum_of_warp(t) + 3200000; }));
}

// Not all threads make these calls, or make them for each other.
__global__ void exchanges_that_hang_together(int* x, int) {
  const int t = threadIdx.x;
  const int last = __shfl_sync(~0u, t, __ffs(__ballot_sync(~0u, t % 32 == 9)) - 1);
  int mine = t % 32 < 16 && __any_sync(0xffffu, t == 2) ? 1 : 2;
  while (__any_sync(~0u, mine < t % 32)) mine += 5;
  x[t] = last + 1000 * mine;
}

TEST(WarpLoops, OrOnFibers) {
  EXPECT_EQ(result_of(exchanges_that_hang_together), for_each(threads, [](int t) {
              const int begin = t < 16 ? 1 : 2;
              return t / 32 * 32 + 9 + 1000 * (begin + 30);
            }));
}

#define PUT(value) (row[t] = (value), __syncwarp())

// What is left of a comma is done before what is right of it.
__global__ void exchanges_after_commas(int* x, int) {
  __shared__ int row[threads];
  const int t = threadIdx.x;
  int sum = x[t];
  sum += __shfl_xor_sync(~0u, sum, 16), sum += __shfl_xor_sync(~0u, sum, 8);
  sum += __shfl_xor_sync(~0u, sum, 4), sum += __shfl_xor_sync(~0u, sum, 2),
      sum += __shfl_xor_sync(~0u, sum, 1);
  PUT(2 * t);
  const int next = row[t / 32 * 32 + (t + 1) % 32];
  const int above = __shfl_up_sync(~0u, t, 1), below = __shfl_down_sync(~0u, t, 1);
  x[t] = sum + 1000 * next + 1000000 * (above + below - t);
}

TEST(WarpLoops, CommasAreInOrder) {
  EXPECT_EQ(result_of(exchanges_after_commas), for_each(threads, [](int t) {
              const int first = t / 32 * 32, lane = t % 32;
              const int above = lane == 0 ? t : t - 1, below = lane == 31 ? t : t + 1;
              return sum_of_warp(t) + 2000 * (first + (lane + 1) % 32) + 1000000 * (above + below - t);
            }));
}
