// The least work of a launch, which bounds of its time are made of; and launches of which only the recorded
// blocks run.

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <gtest/gtest.h>
#include <mma.h>

#include <algorithm>
#include <cuda/barrier>
#include <string>
#include <vector>

#include "tests/emulator/device_array.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

using warplab::test::DeviceArray;
namespace lens = warplab::emulator::lens;

namespace {

/// What the launches of `call` do at least, of which there is one.
template <class Call>
warplab::lens::Launch launch_of(Call call, lens::Options options = {.blocks = 0}) {
  lens::start(options);
  call();
  std::vector<warplab::lens::Launch> launches = lens::take();
  EXPECT_EQ(launches.size(), 1u);
  EXPECT_TRUE(launches.at(0).work);
  return launches.at(0);
}
template <class Call>
warplab::lens::Work work_of(Call call, lens::Options options = {.blocks = 0}) {
  return *launch_of(call, options).work;
}

}  // namespace

__global__ void copy(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

TEST(LensWork, ACopyMovesItsSectorsOnce) {
  const DeviceArray<float> in(4096), out(4096);
  const warplab::lens::Work work = work_of([&] { copy<<<16, 256>>>(in.data(), out.data()); });
  EXPECT_EQ(work.read_sectors, 512u);
  EXPECT_EQ(work.written_sectors, 512u);
  EXPECT_EQ(work.fetched_sectors, 512u);
  EXPECT_EQ(work.stored_sectors, 512u);
  EXPECT_EQ(work.partial_sectors, 0u);
  EXPECT_EQ(work.load_quarters, 512u);
}

TEST(LensWork, WhatASampleOfBlocksTouchesIsScaledToAll) {
  const DeviceArray<float> in(4096), out(4096);
  const warplab::lens::Work work = work_of([&] { copy<<<16, 256>>>(in.data(), out.data()); }, {.blocks = 4});
  EXPECT_EQ(work.read_sectors, 512u);
  EXPECT_EQ(work.written_sectors, 512u);
  EXPECT_EQ(work.load_quarters, 512u);
}

__global__ void read_again(const float* in, float* out) {
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += in[i * 8];
  out[blockIdx.x] = sum;
}

TEST(LensWork, WhatAllBlocksReadIsReadFromDramOnce) {
  const DeviceArray<float> in(64), out(64);
  const warplab::lens::Work work = work_of([&] { read_again<<<64, 1>>>(in.data(), out.data()); });
  EXPECT_EQ(work.read_sectors, 8u);
  EXPECT_EQ(work.fetched_sectors, 8u * 64);
  EXPECT_EQ(work_of([&] { read_again<<<64, 1>>>(in.data(), out.data()); }, {.blocks = 8}).read_sectors, 8u);
}

__global__ void load_strided(const float* in, float* out, int stride, int first) {
  out[threadIdx.x] = in[first + threadIdx.x * stride];
}

TEST(LensWork, EachLineBeyondTwoTakesAPassOfL1) {
  const DeviceArray<float> in(32 * 32 + 1), out(32);
  const auto quarters = [&](int stride, int first) {
    return work_of([&] { load_strided<<<1, 32>>>(in.data(), out.data(), stride, first); }).load_quarters;
  };
  EXPECT_EQ(quarters(1, 0), 4u);
  EXPECT_EQ(quarters(1, 1), 5u);   // five sectors of two lines
  EXPECT_EQ(quarters(0, 0), 4u);   // one sector: still a pass
  EXPECT_EQ(quarters(4, 0), 16u);  // four lines
  EXPECT_EQ(quarters(32, 0), 4u * 32);
}

__global__ void store_strided(float* out, int stride) { out[threadIdx.x * stride] = 1; }

TEST(LensWork, StoresOfAPartOfASectorAreApartUnlessTheyShareALine) {
  const DeviceArray<float> out(32 * 32);
  const auto work = [&](int stride) {
    return work_of([&] { store_strided<<<1, 32>>>(out.data(), stride); });
  };
  EXPECT_EQ(work(32).partial_sectors, 32u);  // each in a line of its own
  EXPECT_EQ(work(32).stored_sectors, 0u);
  for (const int stride : {8, 16}) {  // four of a line, or two
    EXPECT_EQ(work(stride).partial_sectors, 0u) << stride;
    EXPECT_EQ(work(stride).stored_sectors, 32u) << stride;
  }
}

__global__ void read_row(float* out, int length, bool meet) {
  __shared__ alignas(16) float row[64];
  row[threadIdx.x] = row[32 + threadIdx.x] = 1;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < length; ++i) {
    sum += row[i];
    if (meet) __syncthreads();
  }
  out[threadIdx.x] = sum;
}

TEST(LensWork, NeighboursInSharedMemoryAreReadTogether) {
  const DeviceArray<float> out(32);
  const auto passes = [&](int length, bool meet) {
    return work_of([&] { read_row<<<1, 32>>>(out.data(), length, meet); }).shared_passes - 2;  // its stores
  };
  EXPECT_EQ(passes(4, false), 2u);  // one request of 16 bytes, two wavefronts
  EXPECT_EQ(passes(6, false), 3u);
  EXPECT_EQ(passes(4, true), 4u);  // across a barrier nothing is joined
}

__global__ void read_twice(const float* in, float* out) {
  const volatile float* const again = in;
  out[threadIdx.x] = in[threadIdx.x] + *const_cast<const float*>(again + threadIdx.x) + in[threadIdx.x ^ 1];
}

TEST(LensWork, WhatAThreadHasReadItMayKeep) {
  const DeviceArray<float> in(32), out(32);
  EXPECT_LE(work_of([&] { read_twice<<<1, 32>>>(in.data(), out.data()); }).load_quarters, 8u);
}

__global__ void count_all(int* counters) {
  atomicAdd(&counters[0], 1);
  if (threadIdx.x == 0) atomicAdd(&counters[8], 1);
}

template <class T>
__global__ void sum_in_place(const T* in, T* out, int n) {
  for (int i = 0; i < n; ++i) out[threadIdx.x] += in[i];
}
__global__ void sum_restricted(const float* __restrict__ in, float* __restrict__ out, int n) {
  for (int i = 0; i < n; ++i) out[threadIdx.x] += in[i];
}
__global__ void sum_of_another_type(const int* in, float* out, int n) {
  for (int i = 0; i < n; ++i) out[threadIdx.x] += static_cast<float>(in[i]);
}
__global__ void sum_cast(const float* in, float* out, int n) {
  const int* const numbers = reinterpret_cast<const int*>(in);
  for (int i = 0; i < n; ++i) out[threadIdx.x] += static_cast<float>(numbers[i]);
}
__global__ void sum_of_itself(float* out, int n) {
  for (int i = 0; i < n; ++i) out[threadIdx.x] += out[threadIdx.x + 32];
}
struct Numbers {
  const float* data;
};
__global__ void sum_of_structure(Numbers in, float* out, int n) {
  for (int i = 0; i < n; ++i) out[threadIdx.x] += in.data[i];
}

TEST(LensWork, AStoreThatTheNextLoadMayFindIsDone) {
  const DeviceArray<float> in(16), out(64);
  const DeviceArray<int> numbers(16);
  const auto stored = [](auto call) { return work_of(call).stored_sectors; };
  EXPECT_EQ(stored([&] { sum_in_place<<<1, 32>>>(in.data(), out.data(), 8); }), 4u * 8);
  // Else a compiler may keep the sum in a register.
  EXPECT_EQ(stored([&] { sum_restricted<<<1, 32>>>(in.data(), out.data(), 8); }), 4u);
  EXPECT_EQ(stored([&] { sum_of_another_type<<<1, 32>>>(numbers.data(), out.data(), 8); }), 4u);
  EXPECT_EQ(stored([&] { sum_cast<<<1, 32>>>(in.data(), out.data(), 8); }), 4u);
  EXPECT_EQ(stored([&] { sum_of_itself<<<1, 32>>>(out.data(), 8); }), 4u);
  EXPECT_EQ(stored([&] { sum_of_structure<<<1, 32>>>(Numbers{in.data()}, out.data(), 8); }), 4u);
}

TEST(LensWork, TheBusiestAddressHasTheMostRequestsOfAtomics) {
  const DeviceArray<int> counters(16);
  EXPECT_EQ(work_of([&] { count_all<<<8, 64>>>(counters.data()); }).busiest_address, 8u * 2);
}

__global__ void sum_all(float* sum, double* other) {
  atomicAdd(sum, 1.f);
  if (threadIdx.x < 3) atomicAdd(other, 1.);
}

TEST(LensWork, AdditionsToAFloatAreCountedLaneByLane) {
  const DeviceArray<float> sum(1);
  const DeviceArray<double> other(1);
  const warplab::lens::Work work = work_of([&] { sum_all<<<8, 64>>>(sum.data(), other.data()); });
  EXPECT_EQ(work.busiest_sum, 8u * 64);
  EXPECT_EQ(work.busiest_address, 0u);
}

__global__ void polynomial(const float* in, float* out, int degree) {
  const float x = in[threadIdx.x];
  float y = 0;
  for (int i = 0; i < degree; ++i) y = y * x + 3;
  out[threadIdx.x] = y;
}

TEST(LensWork, AProductAndASumAreOneInstruction) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "arithmetic is counted on x86-64 only";
#endif
  const DeviceArray<float> in(64), out(64);
  const auto instructions = [&](int degree) {
    return work_of([&] { polynomial<<<1, 64>>>(in.data(), out.data(), degree); }).instructions;
  };
  EXPECT_EQ(instructions(0), 2u * 2);  // a load and a store of each warp
  EXPECT_EQ(instructions(100), 2u * 102);
}

__global__ void lanes_differ(const double* in, double* out) {
  double y = 1;
  for (unsigned i = 0; i < threadIdx.x; ++i) y *= in[0];
  out[threadIdx.x] = y;
}

TEST(LensWork, AWarpTakesAsManyInstructionsAsItsBusiestLane) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "arithmetic is counted on x86-64 only";
#endif
  const DeviceArray<double> in(1), out(64);
  const warplab::lens::Work work = work_of([&] { lanes_differ<<<1, 64>>>(in.data(), out.data()); });
  EXPECT_EQ(work.double_instructions, 31u + 63u);
  EXPECT_GE(work.longest_warp, 63u + 1);
  EXPECT_LT(work.longest_warp, work.instructions);
}

__global__ void functions_of_doubles(const double* in, double* out, bool sine) {
  out[threadIdx.x] = sine ? sin(in[threadIdx.x]) : sqrt(in[threadIdx.x]);
}

TEST(LensWork, FunctionsOfTheLibraryCostWhatWasMeasured) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "arithmetic is counted on x86-64 only";
#endif
  const DeviceArray<double> in(32), out(32);
  const auto work = [&](bool sine) {
    return work_of([&] { functions_of_doubles<<<1, 32>>>(in.data(), out.data(), sine); });
  };
  EXPECT_EQ(work(true).double_instructions, 16u);
  EXPECT_EQ(work(true).table_loads, 3u);
  EXPECT_EQ(work(true).instructions, 2u + 16 + 2 + 25);
  EXPECT_EQ(work(false).double_instructions, 8u);
  EXPECT_EQ(work(false).special_instructions, 1u);
}

__global__ void approximate(const float* in, float* out) { out[threadIdx.x] = __expf(in[threadIdx.x]); }

TEST(LensWork, WhatTheEmulatorComputesOnItsOwnIsNotCounted) {
  const DeviceArray<float> in(32), out(32);
  EXPECT_EQ(work_of([&] { approximate<<<1, 32>>>(in.data(), out.data()); }).instructions, 2u);
}

__global__ void add_halves(const half* in, half* out) {
  out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x] + in[0];
}

TEST(LensWork, ArithmeticOfHalvesIsNotCounted) {
  const DeviceArray<half> in(32), out(32);
  EXPECT_EQ(work_of([&] { add_halves<<<1, 32>>>(in.data(), out.data()); }).instructions, 3u);
}

__global__ void tiles(const float* in, float* out, int count, bool fresh) {
  __shared__ float tile[64];
  float sum = 0;
  for (int i = 0; i < count; ++i) {
    tile[threadIdx.x] = in[(fresh ? i * 64 : 0) + threadIdx.x];
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

TEST(LensWork, ABlockWaitsForMemoryOncePerTile) {
  const DeviceArray<float> in(64 * 10), out(64);
  const auto phases = [&](bool fresh) {
    return work_of([&] { tiles<<<2, 64>>>(in.data(), out.data(), 10, fresh); }).load_phases;
  };
  EXPECT_EQ(phases(true), 10u);
  EXPECT_EQ(phases(false), 1u);  // it has it
}

__global__ void tiles_of_one(const float* in, float* out) {
  float sum = 0;
  for (int i = 0; i < (blockIdx.x == 0 ? 10 : 3); ++i) {
    sum += in[i * 64 + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

TEST(LensWork, OfAllBlocksTheOneThatWaitsLeastCounts) {
  const DeviceArray<float> in(64 * 10), out(64);
  EXPECT_EQ(work_of([&] { tiles_of_one<<<4, 64>>>(in.data(), out.data()); }).load_phases, 3u);
}

TEST(LensWork, FillsAndCopiesOfTheDeviceComeBeforeTheNextLaunch) {
  const DeviceArray<float> in(4096), out(4096);
  lens::start({.blocks = 0});
  cudaMemsetAsync(out.data(), 0, 4);
  cudaMemsetAsync(out.data(), 0, 4);
  copy<<<16, 256>>>(in.data(), out.data());
  cudaMemcpyAsync(out.data(), in.data(), 16, cudaMemcpyDeviceToDevice);
  copy<<<16, 256>>>(in.data(), out.data());
  float first = 0;
  cudaMemcpyAsync(&first, out.data(), 4, cudaMemcpyDeviceToHost);
  cudaMemsetAsync(out.data(), 0, 4);
  const std::vector<warplab::lens::Launch> launches = lens::take();
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].fills, 2u);
  EXPECT_EQ(launches[0].copies, 0u);
  EXPECT_EQ(launches[1].fills, 1u);  // after it
  EXPECT_EQ(launches[1].copies, 2u);
}

__global__ void multiply(const half* a, const half* b, float* c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> left;
  fragment<matrix_b, 16, 16, 16, half, row_major> right;
  fragment<accumulator, 16, 16, 16, float> sums;
  fill_fragment(sums, 0.f);
  load_matrix_sync(left, a, 16);
  load_matrix_sync(right, b, 16);
  for (int i = 0; i < 3; ++i) mma_sync(sums, left, right, sums);
  store_matrix_sync(c, sums, 16, mem_row_major);
}

TEST(LensWork, ProductsOfTensorCoresCountTheirOperations) {
  const DeviceArray<half> a(256), b(256);
  const DeviceArray<float> c(256);
  EXPECT_EQ(work_of([&] { multiply<<<2, 32>>>(a.data(), b.data(), c.data()); }).mma_flops,
            2u * 3 * 2 * 16 * 16 * 16);
}

__global__ void mark(int* out) { out[blockIdx.x] = 7; }

template <int left>
__global__ void copy_tiles(const float* in, float* out) {
  __shared__ float tiles[4][128];
  const unsigned thread = threadIdx.x;
  for (int tile = 0; tile < 4; ++tile) {
    __pipeline_memcpy_async(&tiles[tile][thread], in + 128 * tile + thread, sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(left);
  }
  __pipeline_wait_prior(0);
  for (int tile = 0; tile < 4; ++tile) out[128 * tile + thread] = tiles[tile][thread];
}

TEST(LensWork, AWaitLeavesTheCopiesOfLaterTilesUnderWay) {
  const DeviceArray<float> in(512), out(512);
  const warplab::lens::Work two = work_of([&] { copy_tiles<1><<<1, 128>>>(in.data(), out.data()); });
  EXPECT_EQ(two.copied_sectors, 64u);
  EXPECT_EQ(two.copies_landed, 840u * 128 * 2 * 4);
  EXPECT_EQ(two.copies_overlapped, 840u * 128 * 2 * 4 / 2);
  const warplab::lens::Work one = work_of([&] { copy_tiles<0><<<1, 128>>>(in.data(), out.data()); });
  EXPECT_EQ(one.copied_sectors, 64u);
  EXPECT_EQ(one.copies_landed, 840u * 128 * 3 * 4);
  EXPECT_EQ(one.copies_overlapped, 0u);
}

__global__ void copy_to_slots(const float* in, float* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ float slots[2][4];
  __shared__ Barrier full[2];
  init(&full[0], 1);
  init(&full[1], 1);
  for (int tile = 0; tile < 6; ++tile) {
    const int slot = tile % 2;
    cuda::memcpy_async(slots[slot], in + 4 * tile, cuda::aligned_size_t<16>(16), full[slot]);
    full[slot].wait(full[slot].arrive());
    out[tile] = slots[slot][0];
  }
}

TEST(LensWork, AWaitAtABarrierLandsTheCopiesBoundToIt) {
  const DeviceArray<float> in(24), out(6);
  const warplab::lens::Work work = work_of([&] { copy_to_slots<<<1, 1>>>(in.data(), out.data()); });
  EXPECT_EQ(work.copied_sectors, 3u);
  EXPECT_EQ(work.copies_landed, 840u * 5 * 16);
  EXPECT_EQ(work.copies_overlapped, 0u);
}

__global__ void copy_in_bulk(const float* in, float* out) {
  __shared__ __align__(16) float tile[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  init(&full, 1);
  for (int times = 0; times < 2; ++times) {
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), full);
    full.wait(cuda::device::barrier_arrive_tx(full, 1, sizeof tile));
  }
  out[0] = tile[127];
}

TEST(LensWork, WhatBulkCopiesReadAgainCountsOnce) {
  const DeviceArray<float> in(128), out(1);
  const warplab::lens::Work work = work_of([&] { copy_in_bulk<<<1, 1>>>(in.data(), out.data()); });
  EXPECT_EQ(work.bulk_copied_sectors, 16u);
  EXPECT_EQ(work.copied_sectors, 0u);
}

TEST(LensOnly, OnlyTheRecordedBlocksRun) {
  const DeviceArray<int> out(1000);
  ASSERT_EQ(cudaMemset(out.data(), 0, 4000), cudaSuccess);
  const warplab::lens::Launch launch =
      launch_of([&] { mark<<<1000, 1>>>(out.data()); }, {.blocks = 10, .only = true});
  EXPECT_EQ(launch.blocks_recorded, 10u);
  EXPECT_EQ(launch.counts.global_store.requests, 1000u);
  EXPECT_TRUE(launch.not_measured.contains("findings"));
  std::vector<int> values(1000);
  ASSERT_EQ(cudaMemcpy(values.data(), out.data(), 4000, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::count(values.begin(), values.end(), 7), 10);
  mark<<<1000, 1>>>(out.data());  // not recorded any more: all run
  ASSERT_EQ(cudaMemcpy(values.data(), out.data(), 4000, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::count(values.begin(), values.end(), 7), 1000);
}
