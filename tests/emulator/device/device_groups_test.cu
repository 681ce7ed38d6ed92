// Cooperative groups: blocks, tiles of every size, coalesced threads, reductions,
// scans and asynchronous copies.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>
#include <vector>

#include "tests/emulator/device_array.hpp"

namespace cg = cooperative_groups;
using warplab::test::DeviceArray;

struct TileView {
  unsigned rank, size, meta_rank, meta_size, ballot, match;
  int shuffled, down, up, crossed, sum, smallest, inclusive, exclusive;
  double wide_sum;
};

constexpr int threads = 96;

template <unsigned Size>
__global__ void use_tiles(const int* in, TileView* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
  const int value = in[block.thread_rank()];
  TileView view{};
  view.rank = tile.thread_rank();
  view.size = tile.size();
  view.meta_rank = tile.meta_group_rank();
  view.meta_size = tile.meta_group_size();
  view.ballot = tile.ballot(value % 3 == 0);
  view.match = tile.match_any(value % 2);
  view.shuffled = tile.shfl(value, 0);
  view.down = tile.shfl_down(value, 1);
  view.up = tile.shfl_up(value, 2);
  view.crossed = tile.shfl_xor(value, Size / 2);
  view.sum = cg::reduce(tile, value, cg::plus<int>());
  view.smallest = cg::reduce(tile, value, cg::less<int>());
  view.inclusive = cg::inclusive_scan(tile, value, cg::plus<int>());
  view.exclusive = cg::exclusive_scan(tile, value);
  view.wide_sum = cg::reduce(tile, value * 0.5, cg::plus<double>());
  tile.sync();
  out[block.thread_rank()] = view;
}

template <unsigned Size>
static void expect_tiles() {
  SCOPED_TRACE(testing::Message() << "tiles of " << Size);
  std::vector<int> values;
  for (int i = 0; i < threads; ++i) values.push_back((i * 37 + 11) % 101 - 50);
  const DeviceArray<int> in(values);
  const DeviceArray<TileView> out(threads);
  use_tiles<Size><<<1, dim3(threads / 2, 2)>>>(in.data(), out.data());
  const auto got = out.host();
  for (unsigned i = 0; i < threads; ++i) {
    SCOPED_TRACE(testing::Message() << "thread " << i);
    const unsigned rank = i % Size, first = i - rank;
    unsigned ballot = 0, match = 0;
    int sum = 0, smallest = values[first], below = 0;
    for (unsigned r = 0; r < Size; ++r) {
      const int value = values[first + r];
      ballot |= (value % 3 == 0 ? 1u : 0u) << r;
      match |= (value % 2 == values[i] % 2 ? 1u : 0u) << r;
      sum += value;
      smallest = std::min(smallest, value);
      if (r < rank) below += value;
    }
    EXPECT_EQ(got[i].rank, rank);
    EXPECT_EQ(got[i].size, Size);
    EXPECT_EQ(got[i].meta_rank, i / Size);
    EXPECT_EQ(got[i].meta_size, threads / Size);
    EXPECT_EQ(got[i].ballot, ballot);
    EXPECT_EQ(got[i].match, match);
    EXPECT_EQ(got[i].shuffled, values[first]);
    EXPECT_EQ(got[i].down, values[rank + 1 < Size ? i + 1 : i]);
    EXPECT_EQ(got[i].up, values[rank >= 2 ? i - 2 : i]);
    EXPECT_EQ(got[i].crossed, values[i ^ (Size / 2)]);
    EXPECT_EQ(got[i].sum, sum);
    EXPECT_EQ(got[i].smallest, smallest);
    EXPECT_EQ(got[i].inclusive, below + values[i]);
    EXPECT_EQ(got[i].exclusive, below);
    EXPECT_EQ(got[i].wide_sum, sum * 0.5);
  }
}

TEST(DeviceGroups, TilesOfEverySizeKeepToThemselves) {
  expect_tiles<1>();
  expect_tiles<2>();
  expect_tiles<4>();
  expect_tiles<8>();
  expect_tiles<16>();
  expect_tiles<32>();
}

struct Wide {
  double a;
  int b[3];
};

__global__ void shuffle_structs(double* sums) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int rank = static_cast<int>(tile.thread_rank());
  Wide mine{rank * 0.25, {rank, rank * 2, rank * 3}};
  const Wide next = tile.shfl(mine, (rank + 5) % 32);
  sums[rank] = next.a + next.b[0] + next.b[1] + next.b[2];
  const auto part = cg::tiled_partition<8>(tile);
  sums[32 + rank] = part.meta_group_rank() * 100 + part.thread_rank();
}

TEST(DeviceGroups, TilesShuffleStructsWholeAndSplitIntoTiles) {
  const DeviceArray<double> sums(64);
  shuffle_structs<<<1, 32>>>(sums.data());
  const auto got = sums.host();
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], (i + 5) % 32 * 6.25);
    EXPECT_EQ(got[32 + i], i / 8 * 100 + i % 8);
  }
}

// The classic: one atomic for all threads that take the branch.
__global__ void append_multiples(int divisor, int* count, int* list) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i % divisor == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(count, static_cast<int>(active.size()));
    first = active.shfl(first, 0);
    list[first + static_cast<int>(active.thread_rank())] = i;
  }
}

TEST(DeviceGroups, CoalescedThreadsAggregateAnAtomic) {
  for (int divisor : {1, 2, 3, 31}) {
    const DeviceArray<int> count({0}), list(512);
    append_multiples<<<4, 128>>>(divisor, count.data(), list.data());
    const int n = (512 + divisor - 1) / divisor;
    ASSERT_EQ(count.host()[0], n);
    auto got = list.host();
    std::sort(got.begin(), got.begin() + n);
    for (int i = 0; i < n; ++i) EXPECT_EQ(got[i], i * divisor);
  }
}

// An atomic that changes nothing may be a poll, at which others have their turn now and then.
__global__ void gather_after_polls(int* sizes) {
  for (unsigned i = 0; i < threadIdx.x * 50; ++i) atomicMax(&sizes[threadIdx.x], -1);
  const cg::coalesced_group active = cg::coalesced_threads();
  sizes[threadIdx.x] = static_cast<int>(active.size());
}

TEST(DeviceGroups, CoalescedThreadsWaitForLanesThatComeLate) {
  const DeviceArray<int> sizes(32);
  gather_after_polls<<<1, 32>>>(sizes.data());
  EXPECT_EQ(sizes.host(), std::vector<int>(32, 32));
}

__global__ void split(int* sizes, int* ranks, int* metas) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int rank = static_cast<int>(tile.thread_rank());
  const auto same = cg::labeled_partition(tile, rank % 5);
  const auto half = cg::binary_partition(tile, rank < 10);
  sizes[rank] = static_cast<int>(same.size()) * 100 + static_cast<int>(half.size());
  ranks[rank] = static_cast<int>(same.thread_rank()) * 100 + static_cast<int>(half.thread_rank());
  const auto all = cg::binary_partition(tile, rank < 40), label = cg::labeled_partition(tile, rank >= 10);
  metas[rank] = static_cast<int>(same.meta_group_size() * 10000 + same.meta_group_rank() * 1000 +
                                 half.meta_group_rank() * 100 + half.meta_group_size() * 10 +
                                 all.meta_group_size() * 2 + all.meta_group_rank() + label.meta_group_rank());
}

TEST(DeviceGroups, PartitionsGatherThreadsWithTheSameLabel) {
  const DeviceArray<int> sizes(32), ranks(32), metas(32);
  split<<<1, 32>>>(sizes.data(), ranks.data(), metas.data());
  const auto size = sizes.host(), rank = ranks.host(), meta = metas.host();
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(size[i], (i % 5 < 2 ? 7 : 6) * 100 + (i < 10 ? 10 : 22));
    EXPECT_EQ(rank[i], i / 5 * 100 + (i < 10 ? i : i - 10));
    EXPECT_EQ(meta[i], 50000 + i % 5 * 1000 + (i < 10) * 100 + 20 + 2 + (i >= 10)) << i;
  }
}

__global__ void reverse_blocks(const int* in, int* out) {
  __shared__ int tile[threads];
  const auto block = cg::this_thread_block();
  const int* source = in + block.group_index().x * block.size();
  cg::memcpy_async(block, tile, source, sizeof(int) * block.size());
  cg::wait(block);
  out[block.group_index().x * block.size() + block.thread_rank()] =
      tile[block.size() - 1 - block.thread_rank()];
}

TEST(DeviceGroups, AnAsynchronousCopyIsCompleteAfterTheWait) {
  std::vector<int> values;
  for (int i = 0; i < 3 * threads; ++i) values.push_back(i * i);
  const DeviceArray<int> in(values), out(values.size());
  reverse_blocks<<<3, threads>>>(in.data(), out.data());
  const auto got = out.host();
  for (int i = 0; i < 3 * threads; ++i)
    EXPECT_EQ(got[i], values[i / threads * threads + threads - 1 - i % threads]);
}

__device__ int sum_in_shared(cg::thread_group group, int* scratch, int value) {
  const auto rank = static_cast<int>(group.thread_rank());
  for (int half = static_cast<int>(group.size()) / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();  // everyone's value is there
    if (rank < half) value += scratch[rank + half];
    group.sync();  // everyone has read
  }
  return value;
}

__global__ void sum_by_groups(int* out) {
  __shared__ int scratch[128];
  const auto block = cg::this_thread_block();
  const int whole = sum_in_shared(block, scratch, static_cast<int>(threadIdx.x));
  if (threadIdx.x == 0) out[0] = whole;
  block.sync();  // the scratch is free again
  const cg::thread_group tile = cg::tiled_partition(block, 16);
  const int part = sum_in_shared(tile, scratch + threadIdx.x / 16 * 16, 1);
  if (tile.thread_rank() == 0) out[1 + threadIdx.x / 16] = part;
}

TEST(DeviceGroups, AThreadGroupStandsForABlockOrATile) {
  const DeviceArray<int> out(9);
  sum_by_groups<<<1, 128>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<int>{128 * 127 / 2, 16, 16, 16, 16, 16, 16, 16, 16}));
}

__global__ void sizes_by_a_thread_group(int* out) {
  const cg::thread_group block = cg::this_thread_block();
  out[threadIdx.x] = static_cast<int>(cg::tiled_partition(block, 32).size());
}

TEST(DeviceGroups, ATileOfABlocksLastWarpIsShorter) {
  const DeviceArray<int> out(48);
  sizes_by_a_thread_group<<<1, 48>>>(out.data());
  const auto size = out.host();
  for (int i = 0; i < 48; ++i) EXPECT_EQ(size[i], i < 32 ? 32 : 16) << i;
}

__global__ void one_of_each_group(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::invoke_one(
      tile, [&](int value) { out[threadIdx.x] = value; }, 5);
  out[64 + threadIdx.x] = cg::invoke_one_broadcast(tile, [&] { return static_cast<int>(threadIdx.x); });
}

TEST(DeviceGroups, InvokeOneCallsInOneThread) {
  const DeviceArray<int> out(std::vector<int>(128, 0));
  one_of_each_group<<<1, 64>>>(out.data());
  const std::vector<int> got = out.host();
  for (int first = 0; first < 64; first += 8) {
    int calls = 0;
    for (int i = first; i < first + 8; ++i) calls += got[static_cast<std::size_t>(i)] == 5;
    EXPECT_EQ(calls, 1);
    const int of_group = got[static_cast<std::size_t>(64 + first)];
    EXPECT_TRUE(of_group >= first && of_group < first + 8);
    for (int i = first; i < first + 8; ++i) EXPECT_EQ(got[static_cast<std::size_t>(64 + i)], of_group);
  }
}
