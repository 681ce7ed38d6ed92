// What the lens counts of copies that the memory system makes by itself, and of branches that are easily
// missed.

#include <cuda.h>
#include <cudaTypedefs.h>
#include <gtest/gtest.h>

#include <cuda/barrier>
#include <cuda/ptx>
#include <vector>

#include "tests/emulator/device_array.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

using warplab::test::DeviceArray;
namespace lens = warplab::emulator::lens;

namespace {

/// The map of a matrix of `rows` rows of `columns` integers, in boxes of 4 rows of 16.
CUtensorMap map_of(int* matrix, cuuint64_t columns, cuuint64_t rows) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  EXPECT_EQ(
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found),
      cudaSuccess);
  const cuuint64_t extent[] = {columns, rows}, row_bytes[] = {4 * columns};
  const cuuint32_t box[] = {16, 4}, every[] = {1, 1};
  CUtensorMap map{};
  EXPECT_EQ(reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function)(
                &map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrix, extent, row_bytes, box, every,
                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
            CUDA_SUCCESS);
  return map;
}

}  // namespace

__global__ void store_box(const __grid_constant__ CUtensorMap map, int column) {
  __shared__ alignas(1024) int box[64];
  for (unsigned i = threadIdx.x; i < 64; i += 32) box[i] = static_cast<int>(i);
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncwarp();
  if (threadIdx.x != 0) return;
  cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_global, cuda::ptx::space_shared, &map,
                                  {std::int32_t{column}, std::int32_t{0}}, box);
  cuda::ptx::cp_async_bulk_commit_group();
  cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>{});
}

TEST(LensCounts, ATensorStoreIsCountedBySectors) {
  const DeviceArray<int> matrix(64 * 4);
  for (const auto& [column, sectors] : {std::pair(0, 8u), std::pair(4, 12u), std::pair(56, 4u)}) {
    lens::start({.blocks = 0});
    store_box<<<1, 32>>>(map_of(matrix.data(), 64, 4), column);
    const std::vector<warplab::lens::Launch> launches = lens::take();
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_TRUE(launches[0].note.empty()) << launches[0].note;
    EXPECT_EQ(launches[0].counts.global_store.sectors, sectors) << "from column " << column;
    EXPECT_TRUE(launches[0].findings.empty());
  }
}

constexpr int line_of_copy = __LINE__ + 6;
__global__ void copy_asynchronously(const int* in, int* out) {
  __shared__ int staged[32];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 32);
  __syncthreads();
  cuda::memcpy_async(&staged[threadIdx.x], &in[threadIdx.x], sizeof(int), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = staged[threadIdx.x];
}

TEST(LensCounts, AnAsynchronousCopyIsCountedAtItsCall) {
  const DeviceArray<int> in(std::vector<int>(32, 1)), out(32);
  lens::start({.blocks = 0});
  copy_asynchronously<<<1, 32>>>(in.data(), out.data());
  const std::vector<warplab::lens::Launch> launches = lens::take();
  ASSERT_EQ(launches.size(), 1u);
  std::uint64_t loads = 0;
  for (const warplab::lens::Line& line : launches[0].lines)
    if (line.file.ends_with("lens_counts_test.cu") && line.line == line_of_copy)
      loads += line.counts.global_load.requests;
  EXPECT_EQ(loads, 1u);
}

namespace {

/// The counts of the one launch that `run` makes, all of its blocks recorded.
template <class Run>
warplab::lens::Counts counts_of(Run run) {
  lens::start({.blocks = 0});
  run();
  const std::vector<warplab::lens::Launch> launches = lens::take();
  EXPECT_EQ(launches.size(), 1u);
  return launches.empty() ? warplab::lens::Counts{} : launches[0].counts;
}

}  // namespace

struct TwoWords {
  long long x, y;
};
struct FourFloats {
  float x, y, z, w;
};
__global__ void copy_vectors(const float4* in, float4* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void copy_two_words(const TwoWords* in, TwoWords* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void copy_four_floats(const FourFloats* in, FourFloats* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

// Of each there is one type here: all have 16 bytes, and only their alignments differ.
TEST(LensCounts, AStructureIsCopiedByItsOwnAlignment) {
  const DeviceArray<float> in(std::vector<float>(33 * 4, 1)), out(33 * 4);
  const auto requests = [&](auto kernel, auto* type, int offset) {
    using T = std::remove_pointer_t<decltype(type)>;
    lens::start({.blocks = 0});
    kernel<<<1, 32>>>(reinterpret_cast<const T*>(in.data() + offset),
                      reinterpret_cast<T*>(out.data() + offset));
    const std::vector<warplab::lens::Launch> launches = lens::take();
    EXPECT_TRUE(launches.at(0).findings.empty()) << launches.at(0).findings.at(0).text;
    EXPECT_EQ(launches.at(0).counts.global_load.requests, launches.at(0).counts.global_store.requests);
    return launches.at(0).counts.global_load.requests;
  };
  EXPECT_EQ(requests(copy_vectors, static_cast<float4*>(nullptr), 0), 1u);
  EXPECT_EQ(requests(copy_two_words, static_cast<TwoWords*>(nullptr), 2), 2u);
  EXPECT_EQ(requests(copy_four_floats, static_cast<FourFloats*>(nullptr), 1), 4u);
}

__global__ void scale_unaliased(const float* __restrict__ in, float* __restrict__ twice,
                                float* __restrict__ thrice) {
  twice[threadIdx.x] = 2 * in[threadIdx.x];
  thrice[threadIdx.x] = 3 * in[threadIdx.x];
}

__global__ void scale(const float* in, float* twice, float* thrice) {
  twice[threadIdx.x] = 2 * in[threadIdx.x];
  thrice[threadIdx.x] = 3 * in[threadIdx.x];
}

// nvcc 13.0 loads once for `__restrict__`, and else again after the store.
TEST(LensCounts, WhatNoStoreCanChangeIsLoadedOnce) {
  const DeviceArray<float> in(std::vector<float>(32, 5)), twice(32), thrice(32);
  const auto once = counts_of([&] { scale_unaliased<<<1, 32>>>(in.data(), twice.data(), thrice.data()); });
  EXPECT_EQ(once.global_load.requests, 1u);
  EXPECT_EQ(once.global_store.requests, 2u);
  EXPECT_EQ(thrice.host(), std::vector<float>(32, 15));
  const auto again = counts_of([&] { scale<<<1, 32>>>(in.data(), twice.data(), thrice.data()); });
  EXPECT_EQ(again.global_load.requests, 2u);
}

__global__ void add_up_unaliased(const int* __restrict__ in, int* __restrict__ sums, int count) {
  for (int i = 0; i < count; ++i) sums[threadIdx.x] += in[i];
}

__global__ void add_up(const int* in, int* sums, int count) {
  for (int i = 0; i < count; ++i) sums[threadIdx.x] += in[i];
}

// nvcc 13.0 loads it once, and stores it only once if nothing in `in` can be the sum.
TEST(LensCounts, ASumOfALoopIsKeptWhereNothingElseCanReadIt) {
  const DeviceArray<int> in(std::vector<int>(10, 3)), sums(std::vector<int>(32, 1));
  const auto kept = counts_of([&] { add_up_unaliased<<<1, 32>>>(in.data(), sums.data(), 10); });
  EXPECT_EQ(kept.global_load.requests, 11u);
  EXPECT_EQ(kept.global_store.requests, 1u);
  EXPECT_EQ(sums.host(), std::vector<int>(32, 31));
  const auto stored = counts_of([&] { add_up<<<1, 32>>>(in.data(), sums.data(), 10); });
  EXPECT_EQ(stored.global_load.requests, 11u);
  EXPECT_EQ(stored.global_store.requests, 10u);
}

__global__ void add_up_in_shared(const int* in, int* out, int count) {
  __shared__ int sums[32];
  sums[threadIdx.x] = 0;
  for (int i = 0; i < count; ++i) sums[threadIdx.x] += in[i];
  __syncthreads();
  out[threadIdx.x] = sums[31 - threadIdx.x];
}

__global__ void add_up_and_show(const int* in, int* out, int count) {
  __shared__ int sums[32];
  sums[threadIdx.x] = 0;
  for (int i = 0; i < count; ++i) {
    sums[threadIdx.x] += in[i];
    __syncthreads();
    out[threadIdx.x] = sums[31 - threadIdx.x];
    __syncthreads();
  }
}

// nvcc 13.0 knows that nothing in global memory is the sum.
TEST(LensCounts, ASumInSharedMemoryIsStoredOnceBehindItsLoop) {
  const DeviceArray<int> in(std::vector<int>(10, 3)), out(32);
  const auto kept = counts_of([&] { add_up_in_shared<<<1, 32>>>(in.data(), out.data(), 10); });
  EXPECT_EQ(kept.shared_store.requests, 2u);
  EXPECT_EQ(out.host(), std::vector<int>(32, 30));
  const auto shown = counts_of([&] { add_up_and_show<<<1, 32>>>(in.data(), out.data(), 10); });
  EXPECT_EQ(shown.shared_store.requests, 11u);
}

struct ThreeWords {
  int x, y, z;
};
__global__ void store_and_copy(const int* in, ThreeWords* out, int count) {
  __shared__ ThreeWords words[32];
  words[threadIdx.x] = {0, 0, 0};
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    words[threadIdx.x].x = i;
    out[32 * i + threadIdx.x] = words[in[i] + threadIdx.x];
  }
}

// nvcc 13.0 stores each time: only the kernel knows which structure it copies.
TEST(LensCounts, AStoreIsMadeAgainWhereAStructureIsCopiedMeanwhile) {
  const DeviceArray<int> in(std::vector<int>(10, 0));
  const DeviceArray<ThreeWords> out(320);
  const auto counts = counts_of([&] { store_and_copy<<<1, 32>>>(in.data(), out.data(), 10); });
  EXPECT_EQ(counts.shared_store.requests, 3u + 10);
  EXPECT_EQ(counts.shared_load.requests, 3u * 10);
}

__global__ void meet_without_first_lanes(int turns) {
  if (threadIdx.x % 32 == 0) return;
  for (int i = 0; i < turns; ++i) asm volatile("bar.sync 1, 64;" ::: "memory");
}
__global__ void meet_in_halves() {
  if (threadIdx.x % 32 >= 16) asm volatile("bar.sync 1, 32;" ::: "memory");
}

TEST(LensCounts, AWarpComesToABarrierOfSomeWarpsWhicheverOfItsLanesDo) {
  EXPECT_EQ(counts_of([] { meet_without_first_lanes<<<1, 64>>>(3); }).barriers, 2u * 3);
  EXPECT_EQ(counts_of([] { meet_in_halves<<<1, 64>>>(); }).barriers, 2u);
}

// The compiler may run it, and so may a kernel.
__device__ constexpr int steps_of(int lane) {
  if (lane % 2 == 0) return 3;
  return 1;
}
static_assert(steps_of(2) == 3 && steps_of(1) == 1);

__global__ void part_in_a_constant_function(int* out) { out[threadIdx.x] = steps_of(threadIdx.x); }

/// The numbers 0 to count - 1.
struct Numbers {
  int count;
  struct Iterator {
    int at;
    __device__ int operator*() const { return at; }
    __device__ Iterator& operator++() { return ++at, *this; }
    __device__ bool operator!=(Iterator other) const { return at != other.at; }
  };
  __device__ Iterator begin() const { return {0}; }
  __device__ Iterator end() const { return {count}; }
};

__global__ void part_by_ranges(int* out) {
  const int table[] = {1, 2, 3};
  int sum = 0;
  for (int i : Numbers{static_cast<int>(threadIdx.x % 2)}) sum += i + 10;
  for (int value : table) sum += value;
  for (int value : {1, 2}) sum += value;
  out[threadIdx.x] = sum;
}

TEST(LensCounts, BranchesInConstantFunctionsAndRangesPartAWarp) {
  const DeviceArray<int> steps(32), sums(32);
  const auto of_steps = counts_of([&] { part_in_a_constant_function<<<1, 32>>>(steps.data()); });
  EXPECT_EQ(of_steps.branches.divergent, 1u);
  EXPECT_EQ(steps.host().front(), 3);
  EXPECT_EQ(steps.host().back(), 1);
  const auto of_sums = counts_of([&] { part_by_ranges<<<1, 32>>>(sums.data()); });
  EXPECT_EQ(of_sums.branches.divergent, 1u) << "the range of one element for half of the lanes";
  EXPECT_EQ(sums.host().front(), 9);
  EXPECT_EQ(sums.host().back(), 19);
}
