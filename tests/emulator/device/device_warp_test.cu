// Shuffles, votes, matches, reductions and barriers, set against models written from CUDA's definitions.

#include <cuda_fp16.h>

#include <climits>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

enum Kind { by_index, up, down, exclusive_or };
constexpr int kinds = 4, widths = 6, offsets = 34, lanes = 32;

}  // namespace

__global__ void shuffle_all_ways(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const int value = 1000 + lane;
  for (int w = 0; w < widths; ++w)
    for (int offset = 0; offset < offsets; ++offset) {
      const int width = 1 << w;
      int* row = out + (w * offsets + offset) * kinds * lanes;
      row[by_index * lanes + lane] = __shfl_sync(0xffffffffu, value, offset, width);
      row[up * lanes + lane] = __shfl_up_sync(0xffffffffu, value, static_cast<unsigned>(offset), width);
      row[down * lanes + lane] = __shfl_down_sync(0xffffffffu, value, static_cast<unsigned>(offset), width);
      row[exclusive_or * lanes + lane] = __shfl_xor_sync(0xffffffffu, value, offset, width);
    }
}

// The lane that a lane reads from. The hardware sees the offset's low five bits.
static int source_of(int kind, int lane, int offset, int width) {
  const int segment = lane / width * width;
  const int by = offset % 32;
  int source = lane;
  if (kind == by_index) source = segment + offset % width;
  if (kind == up && lane - by >= segment) source = lane - by;
  if (kind == down && lane + by < segment + width) source = lane + by;
  if (kind == exclusive_or && (lane ^ by) < segment + width) source = lane ^ by;
  return source;
}

TEST(DeviceWarp, EveryShuffleReadsTheLaneOfItsDefinitionAtEveryWidthAndOffset) {
  DeviceArray<int> out(widths * offsets * kinds * lanes);
  shuffle_all_ways<<<1, lanes>>>(out.data());
  const std::vector<int> got = out.host();
  std::size_t at = 0;
  for (int w = 0; w < widths; ++w)
    for (int offset = 0; offset < offsets; ++offset)
      for (int kind = 0; kind < kinds; ++kind)
        for (int lane = 0; lane < lanes; ++lane, ++at)
          ASSERT_EQ(got[at], 1000 + source_of(kind, lane, offset, 1 << w))
              << "kind " << kind << ", lane " << lane << ", offset " << offset << ", width " << (1 << w);
}

// The usual guard: lanes beyond an end have returned and take no part.
__global__ void vote_behind_a_guard(int* out, unsigned n) {
  const unsigned i = threadIdx.x;
  if (i >= n) return;
  constexpr unsigned all = 0xffffffffu;
  int* row = out + i * 5;
  row[0] = static_cast<int>(__ballot_sync(all, i < 4));
  row[1] = __any_sync(all, i > 100);
  row[2] = __all_sync(all, i < n);
  row[3] = __reduce_add_sync(all, 1);
  row[4] = static_cast<int>(__match_any_sync(all, 7));
}

TEST(DeviceWarp, LanesThatHaveReturnedTakeNoPartInVotesAndReductions) {
  constexpr int n = 20;
  const DeviceArray<int> out(n * 5);
  for (int launch = 0; launch < 3; ++launch) {  // lanes come in another order each time
    vote_behind_a_guard<<<1, 32>>>(out.data(), n);
    const std::vector<int> got = out.host();
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<int> row(got.begin() + i * 5, got.begin() + i * 5 + 5);
      ASSERT_EQ(row, (std::vector<int>{0xf, 0, 1, n, (1 << n) - 1})) << "lane " << i;
    }
  }
}

template <class T>
__global__ void rotate(const T* in, T* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_sync(0xffffffffu, in[i], static_cast<int>(threadIdx.x + 1) % 32);
}

template <class T>
static void expect_rotation_keeps_every_bit() {
  std::vector<T> values;
  for (int i = 0; i < 128; ++i) values.push_back(static_cast<T>(i * 0.37 - 11.5) * static_cast<T>(1 + i % 3));
  const DeviceArray<T> in(values);
  const DeviceArray<T> out(values.size());
  rotate<<<2, 64>>>(in.data(), out.data());
  const std::vector<T> got = out.host();
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_TRUE(got[i] == values[i / 32 * 32 + (i + 1) % 32]) << "thread " << i;
}

TEST(DeviceWarp, ShufflesCarryEveryTypeThatCudaCarries) {
  expect_rotation_keeps_every_bit<int>();
  expect_rotation_keeps_every_bit<unsigned>();
  expect_rotation_keeps_every_bit<long>();
  expect_rotation_keeps_every_bit<unsigned long>();
  expect_rotation_keeps_every_bit<long long>();
  expect_rotation_keeps_every_bit<unsigned long long>();
  expect_rotation_keeps_every_bit<float>();
  expect_rotation_keeps_every_bit<double>();
  expect_rotation_keeps_every_bit<__half>();
}

// Each warp votes with the bits of its pattern; only the mask's lanes take part.
__global__ void vote(const unsigned* patterns, const unsigned* masks, unsigned* ballots, int* any, int* all) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned mask = masks[warp];
  if (((mask >> lane) & 1u) == 0) return;
  const int predicate = (patterns[warp] >> lane) & 1u ? 7 : 0;
  ballots[threadIdx.x] = __ballot_sync(mask, predicate);
  any[threadIdx.x] = __any_sync(mask, predicate);
  all[threadIdx.x] = __all_sync(mask, predicate);
}

TEST(DeviceWarp, VotesCountTheLanesOfTheMask) {
  const std::vector<unsigned> patterns{0u,          0xffffffffu, 1u,   0x80000000u,
                                       0xdeadbeefu, 0x0000ff00u, 0x5u, 0xfffffffeu};
  const std::vector<unsigned> masks{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu,
                                    0x0f0f0f0fu, 0x0000ff00u, 0xau,        0xfffffffeu};
  const DeviceArray<unsigned> device_patterns(patterns), device_masks(masks), ballots(256);
  const DeviceArray<int> any(256), all(256);
  vote<<<1, 256>>>(device_patterns.data(), device_masks.data(), ballots.data(), any.data(), all.data());
  const auto ballot = ballots.host();
  const auto some = any.host(), every = all.host();
  for (unsigned i = 0; i < 256; ++i) {
    const unsigned mask = masks[i / 32], votes = patterns[i / 32] & mask;
    const bool takes_part = (mask >> (i % 32)) & 1u;
    EXPECT_EQ(ballot[i], takes_part ? votes : 0u) << "thread " << i;
    EXPECT_EQ(some[i] != 0, takes_part && votes != 0) << "thread " << i;
    EXPECT_EQ(every[i] != 0, takes_part && votes == mask) << "thread " << i;
  }
}

__global__ void match(int groups, unsigned* any, unsigned* all, int* predicate) {
  const int lane = static_cast<int>(threadIdx.x);
  any[lane] = __match_any_sync(0xffffffffu, static_cast<double>(lane % groups));
  all[lane] = __match_all_sync(0xffffffffu, lane % groups, &predicate[lane]);
}

TEST(DeviceWarp, MatchesFindTheLanesWithTheSameValue) {
  for (int groups : {1, 2, 3, 7, 32}) {
    const DeviceArray<unsigned> any(lanes), all(lanes);
    const DeviceArray<int> predicate(lanes);
    match<<<1, lanes>>>(groups, any.data(), all.data(), predicate.data());
    const auto same = any.host(), whole = all.host();
    const auto flag = predicate.host();
    for (int lane = 0; lane < lanes; ++lane) {
      unsigned expected = 0;
      for (int other = lane % groups; other < lanes; other += groups) expected |= 1u << other;
      EXPECT_EQ(same[lane], expected) << groups << " groups, lane " << lane;
      EXPECT_EQ(whole[lane], groups == 1 ? 0xffffffffu : 0u) << groups << " groups, lane " << lane;
      EXPECT_EQ(flag[lane], groups == 1 ? 1 : 0) << groups << " groups, lane " << lane;
    }
  }
}

__global__ void reduce(unsigned mask, const int* in, int* out) {
  const unsigned lane = threadIdx.x;
  if (((mask >> lane) & 1u) == 0) return;
  const auto bits = static_cast<unsigned>(in[lane]);
  out[0 * 32 + lane] = __reduce_add_sync(mask, in[lane]);
  out[1 * 32 + lane] = __reduce_min_sync(mask, in[lane]);
  out[2 * 32 + lane] = __reduce_max_sync(mask, in[lane]);
  out[3 * 32 + lane] = static_cast<int>(__reduce_min_sync(mask, bits));
  out[4 * 32 + lane] = static_cast<int>(__reduce_max_sync(mask, bits));
  out[5 * 32 + lane] = static_cast<int>(__reduce_and_sync(mask, bits));
  out[6 * 32 + lane] = static_cast<int>(__reduce_or_sync(mask, bits));
  out[7 * 32 + lane] = static_cast<int>(__reduce_xor_sync(mask, bits));
}

TEST(DeviceWarp, ReductionsCombineTheLanesOfTheMask) {
  std::vector<int> values;
  for (int i = 0; i < lanes; ++i) values.push_back((i * 7919 - 100000) | 0x40);
  const DeviceArray<int> in(values);
  for (unsigned mask : {0xffffffffu, 0x00ff0180u, 0x80000000u}) {
    const DeviceArray<int> out(8 * lanes);
    reduce<<<1, lanes>>>(mask, in.data(), out.data());
    const auto got = out.host();
    long long sum = 0;
    int low = INT_MAX, high = INT_MIN;
    unsigned ulow = UINT_MAX, uhigh = 0, conjunction = ~0u, disjunction = 0, parity = 0;
    for (int i = 0; i < lanes; ++i) {
      if (((mask >> i) & 1u) == 0) continue;
      const auto bits = static_cast<unsigned>(values[i]);
      sum += values[i];
      low = values[i] < low ? values[i] : low;
      high = values[i] > high ? values[i] : high;
      ulow = bits < ulow ? bits : ulow;
      uhigh = bits > uhigh ? bits : uhigh;
      conjunction &= bits, disjunction |= bits, parity ^= bits;
    }
    const int expected[8] = {static_cast<int>(sum),
                             low,
                             high,
                             static_cast<int>(ulow),
                             static_cast<int>(uhigh),
                             static_cast<int>(conjunction),
                             static_cast<int>(disjunction),
                             static_cast<int>(parity)};
    for (int what = 0; what < 8; ++what)
      for (int i = 0; i < lanes; ++i)
        EXPECT_EQ(got[what * lanes + i], (mask >> i) & 1u ? expected[what] : 0)
            << "reduction " << what << ", lane " << i;
  }
}

__global__ void who_is_active(unsigned* out) {
  if (threadIdx.x % 3 == 0)
    out[threadIdx.x] = __activemask();
  else
    out[threadIdx.x] = ~__activemask();
}

TEST(DeviceWarp, ActiveMaskIsTheLanesThatTookTheBranch) {
  const DeviceArray<unsigned> out(96);
  who_is_active<<<1, 96>>>(out.data());
  const auto got = out.host();
  for (unsigned i = 0; i < 96; ++i) {
    unsigned thirds = 0;
    for (unsigned lane = 0; lane < 32; ++lane) thirds |= ((i / 32 * 32 + lane) % 3 == 0 ? 1u : 0u) << lane;
    EXPECT_EQ(got[i], thirds) << "thread " << i;  // the others stored the complement of theirs
  }
}

__global__ void swap_within_pairs(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncwarp();  // the neighbour's element is there
  out[threadIdx.x] = tile[threadIdx.x ^ 1u];
}

TEST(DeviceWarp, SyncwarpMakesANeighboursSharedStoreVisible) {
  std::vector<int> values;
  for (int i = 0; i < 64; ++i) values.push_back(i * i);
  const DeviceArray<int> in(values), out(64);
  swap_within_pairs<<<1, 64>>>(in.data(), out.data());
  const auto got = out.host();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[i], values[i ^ 1]);
}

__global__ void count_threads(int below, int* count, int* all, int* any) {
  const int i = static_cast<int>(threadIdx.x + blockDim.x * threadIdx.y);
  count[i] = __syncthreads_count(i < below);
  all[i] = __syncthreads_and(i < below);
  any[i] = __syncthreads_or(i < below);
}

TEST(DeviceWarp, BarriersCountThePredicatesOfTheWholeBlock) {
  for (int below : {0, 1, 50, 89, 90}) {
    const DeviceArray<int> count(90), all(90), any(90);
    count_threads<<<1, dim3(45, 2)>>>(below, count.data(), all.data(), any.data());
    const auto n = count.host(), every = all.host(), some = any.host();
    for (int i = 0; i < 90; ++i) {
      EXPECT_EQ(n[i], below);
      EXPECT_EQ(every[i] != 0, below == 90);
      EXPECT_EQ(some[i] != 0, below > 0);
    }
  }
}
