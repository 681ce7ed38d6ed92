// Which accesses of a warp's lanes are one request where the lanes take unlike long, and what a lane keeps in
// a register from one iteration to the next. The first follows how lanes of an H200 meet again, counted by
// Nsight Compute in programs of other people; the second is in the machine code that nvcc 13.0 makes for
// sm_90.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/emulator/device_array.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

using warplab::test::DeviceArray;
namespace lens = warplab::emulator::lens;

namespace {

constexpr int elements = 1 << 16;

/// The counts of one warp.
warplab::lens::Counts counts_of(void (*kernel)(const int*, int*, int), int n, int shared_bytes = 0) {
  const DeviceArray<int> in(elements), out(elements);
  cudaMemset(in.data(), 0, elements * sizeof(int));
  cudaMemset(out.data(), 0, elements * sizeof(int));
  lens::start({.blocks = 0});
  kernel<<<1, 32, shared_bytes>>>(in.data(), out.data(), n);
  const std::vector<warplab::lens::Launch> launches = lens::take();
  EXPECT_EQ(launches.size(), 1u);
  return launches.empty() ? warplab::lens::Counts{} : launches[0].counts;
}

}  // namespace

// --- Lanes that take unlike long ---

__global__ void ten_lanes(const int* in, int* out, int n) {
  if (threadIdx.x >= 10) return;
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum += in[i * 10 + threadIdx.x];
  out[threadIdx.x] = sum;
}

TEST(LensLanes, ThatEndAtOnceLetNoOtherRunAhead) {
  const auto counts = counts_of(ten_lanes, 6000);
  EXPECT_EQ(counts.global_load.requests, 6000u);
  EXPECT_EQ(counts.global_store.requests, 1u);
}

__global__ void as_far_as_its_number(const int* in, int* out, int n) {
  int sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < threadIdx.x * n; ++i) sum += in[i];
  out[threadIdx.x] = sum;
}

TEST(LensLanes, MeetBehindALoop) {
  const auto counts = counts_of(as_far_as_its_number, 500);
  EXPECT_EQ(counts.global_load.requests, 31u * 500);
  EXPECT_EQ(counts.global_store.requests, 1u);
}

// Each lane has its long inner loop in another iteration of the outer one.
__global__ void in_turn(const int* in, int* out, int n) {
  int sum = 0;
#pragma unroll 1
  for (unsigned turn = 0; turn < 64; ++turn) {
    sum += in[turn];
    if (turn % 32 == threadIdx.x) {
#pragma unroll 1
      for (int i = 0; i < n; ++i) sum += in[turn * n + i];
    }
  }
  out[threadIdx.x] = sum;
}

TEST(LensLanes, MeetInEachIterationOfTheOuterLoop) {
  const auto counts = counts_of(in_turn, 900);
  EXPECT_EQ(counts.global_load.requests, 64u + 64 * 900);
  EXPECT_EQ(counts.global_store.requests, 1u);
}

__global__ void rounds_of_unlike_lengths(const int* in, int* out, int n) {
  int sum = 0;
  for (int round = 0; round < n; ++round) {
    const int length = (round * 7 + threadIdx.x * 5) % 32 * 37 % 120 + 1;
    int t = 0;
    while (t < length) {
      sum += in[t * 32 + threadIdx.x];
      if (sum < -1000) break;
      ++t;
    }
  }
  out[threadIdx.x] = sum;
}

// More groups are open then than the lens keeps, and some lanes still come to them.
TEST(LensLanes, ThatRunFarAheadAreNotCountedApart) {
  std::uint64_t turns = 0;
  for (int round = 0; round < 60; ++round) {
    int most = 0;
    for (int lane = 0; lane < 32; ++lane) most = std::max(most, (round * 7 + lane * 5) % 32 * 37 % 120 + 1);
    turns += static_cast<std::uint64_t>(most);
  }
  EXPECT_EQ(counts_of(rounds_of_unlike_lengths, 60).global_load.requests, turns);
}

// --- What the iteration before has stored ---

extern __shared__ int row[];

__global__ void sums_in_shared_memory(const int*, int* out, int n) {
  for (int i = 1; i < n; ++i) row[i] += row[i - 1];
  out[0] = row[n - 1];
}
__global__ void sums_in_global_memory(const int*, int* out, int n) {
  for (int i = 1; i < n; ++i) out[i] += out[i - 1];
}
__global__ void two_rows(const int* in, int* out, int n) {
  int *above = row, *own = row + n;
  for (int k = 1; k < n; ++k) {
    own[0] = k;
    for (int i = 1; i < n; ++i) {
      const int by_both = above[i - 1] + in[i], by_one = min(above[i], own[i - 1]);
      own[i] = min(by_both, by_one);
    }
    int* const next = above;
    above = own;
    own = next;
  }
  out[0] = above[n - 1];
}
__global__ void rows_of_unknown_width(const int* in, int* out, int n) {
  const int width = in[0] + 32;
  for (int i = 1; i < n; ++i) out[i * width] += out[(i - 1) * width];
}

TEST(LensLanes, KeepWhatTheIterationBeforeHasStored) {
  // One load before the loop, and one after it, which g++ takes from a register too.
  EXPECT_NEAR(static_cast<double>(counts_of(sums_in_shared_memory, 101, 404).shared_load.requests), 102, 1);
  EXPECT_EQ(counts_of(sums_in_global_memory, 101).global_load.requests, 100u + 1);
  EXPECT_EQ(counts_of(two_rows, 101, 808).shared_load.requests, 100u * 100 * 2 + 1);
}

TEST(LensLanes, LoadAgainWhereNobodyKnowsThatItIsTheSameElement) {
  EXPECT_EQ(counts_of(rows_of_unknown_width, 101).global_load.requests, 1u + 100 * 2);
}

__global__ void sums_beside_a_loop(const int* __restrict__ in, int* __restrict__ out, int n) {
  const int t = threadIdx.x;
  out[t] = in[t];
  while (n > 0) {
    int steps = n;
    while (steps > 1) steps = steps % 2 != 0 ? steps * 3 + 1 : steps / 2;
    out[t] = out[t] * 3 + steps;
    --n;
  }
}

TEST(LensLanes, KeepASumInARegisterAlsoBesideALoopOfUnknownLength) {
  const auto counts = counts_of(sums_beside_a_loop, 9);
  EXPECT_EQ(counts.global_load.requests, 1u);
  EXPECT_EQ(counts.global_store.requests, 2u);
}

// --- Lanes that leave a loop around a barrier ---

__global__ void leave_outer_loop(const int*, int* out, int n) {
  for (unsigned turn = 0; turn <= threadIdx.x % 2; ++turn)
    for (int i = 0; i < n; ++i) {
      out[threadIdx.x] = static_cast<int>(turn) * n + i;
      __syncthreads();
    }
}

// Of both loops only the outer one is left in different rounds.
TEST(LensLanes, AreFoundWhereTheyLeaveAnOuterLoopAroundABarrier) {
  const DeviceArray<int> out(32);
  lens::start({.blocks = 0});
  leave_outer_loop<<<1, 32>>>(nullptr, out.data(), 3);
  const std::vector<warplab::lens::Launch> launches = lens::take();
  ASSERT_EQ(launches.size(), 1u);
  ASSERT_EQ(launches[0].findings.size(), 1u);
  EXPECT_EQ(launches[0].findings[0].kind, warplab::lens::FindingKind::divergent_barrier);
  EXPECT_EQ(launches[0].findings[0].thread, (std::array<unsigned, 3>{1, 0, 0}));
}

// --- Arrays of a thread ---

template <class T, int elements>
__global__ void in_one_declaration(const int* in, int* out, int n) {
  T first[elements], second[elements];
  for (int i = 0; i < elements; ++i) first[i] = in[i] + i, second[i] = in[i + elements];
  T sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    second[(threadIdx.x + i) % elements] = sum;
    sum += first[i % 2] + second[in[i] + threadIdx.x % elements];
  }
  out[threadIdx.x] = sum;
}

template <class T, int elements>
__global__ void one_of_them(const int* in, int* out, int n) {
  T values[elements];
  for (int i = 0; i < elements; ++i) values[i] = in[i] + i;
  T sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    values[(threadIdx.x + i) % elements] = sum;
    sum += values[in[i] + threadIdx.x % elements];
  }
  out[threadIdx.x] = sum;
}

__device__ int sum_of(const int* values, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 2 + values[i];
  return sum;
}
__device__ int sum_of_a_loop(const int* values, int n) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum = sum * 2 + values[i];
  return sum;
}
template <int (*sum)(const int*, int), int known>
__global__ void handed_on(const int* in, int* out, int n) {
  int values[20];
  for (int i = 0; i < 20; ++i) values[i] = in[threadIdx.x + 32 * i];
  out[threadIdx.x] = sum(values, known != 0 ? known : n);
}

TEST(LensLanes, HaveArraysInLocalMemoryWhereAnIndexIsOnlyKnownToTheKernel) {
  const auto counts = counts_of(in_one_declaration<int, 16>, 3);
  EXPECT_EQ(counts.local_load.requests, 3u * 2);
  EXPECT_EQ(counts.local_store.requests, 2u * 4 + 3) << "of what is stored first, four words at once";
  EXPECT_EQ(counts_of(handed_on<sum_of, 20>, 20).local_load.requests, 0u);
  EXPECT_EQ(counts_of(handed_on<sum_of_a_loop, 20>, 20).local_load.requests, 20u);
}
TEST(LensLanes, KeepNineWordsOfArraysInRegisters) {
  EXPECT_EQ(counts_of(one_of_them<int, 8>, 3).local_load.requests, 0u);
  EXPECT_EQ(counts_of(one_of_them<int, 12>, 3).local_load.requests, 3u);
  EXPECT_EQ(counts_of(one_of_them<double, 4>, 3).local_load.requests, 3u);
  EXPECT_EQ(counts_of(one_of_them<double, 4>, 3).local_store.requests, 2u + 3);
  EXPECT_EQ(counts_of(in_one_declaration<int, 8>, 3).local_load.requests, 3u * 2);
}

__global__ void add_to_one(const int* in, int* out, int n) {
  int values[16];
  for (int i = 0; i < 16; ++i) values[i] = in[i];
  atomicAdd(&values[(threadIdx.x + n) % 16], 1);
  out[threadIdx.x] = values[(threadIdx.x * 3 + n) % 16];
}

// nvcc 13.0 warns of it, and makes a trap of the kernel: local memory has no atomic operations.
TEST(LensLanes, LoadAndStoreWhatTheyAddToInLocalMemory) {
  const auto counts = counts_of(add_to_one, 3);
  EXPECT_EQ(counts.local_load.requests, 1u + 1);
  EXPECT_EQ(counts.local_store.requests, 4u + 1);
}
