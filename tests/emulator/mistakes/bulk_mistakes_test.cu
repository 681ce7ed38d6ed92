// What the emulator says when barriers in shared memory, bulk copies and clusters are used wrongly: one
// report with the line. On a GPU these hang, fault without a line, or bring wrong numbers.

#include <cooperative_groups.h>

#include <cmath>
#include <cstdint>
#include <cuda/ptx>
#include <string>
#include <vector>

#include "tests/emulator/device_array.hpp"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using warplab::test::DeviceArray;

class BulkMistakes : public ::testing::Test {
 protected:
  ~BulkMistakes() override { cudaDeviceReset(); }

  // Launches one block of 64 threads; expects that it fails, and that the report says all of this.
  template <class... P, class... A>
  void expect_report(const std::vector<std::string>& all, void (*kernel)(P...), A... arguments) {
    testing::internal::CaptureStderr();
    kernel<<<1, 64>>>(arguments...);
    check_report(all);
  }
  void check_report(const std::vector<std::string>& all) {
    const cudaError_t error = cudaDeviceSynchronize();
    const std::string report = testing::internal::GetCapturedStderr();
    EXPECT_NE(error, cudaSuccess);
    for (const std::string& words : all)
      EXPECT_NE(report.find(words), std::string::npos) << "'" << words << "' is not in: " << report;
  }
  static std::string line(int number) { return "bulk_mistakes_test.cu:" + std::to_string(number); }
};

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void expect(std::uint64_t* bar, unsigned bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
}
__device__ void load(void* to, const void* from, unsigned bytes, std::uint64_t* bar) {
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, bar);
}
__device__ void begin(std::uint64_t* bar, unsigned arrivals) {
  if (threadIdx.x == 0) ptx::mbarrier_init(bar, arrivals);
  __syncthreads();
}
__device__ void wait_for(std::uint64_t* bar, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
  }
}

// --- Barriers ---

constexpr int not_initialised_line = __LINE__ + 3;
__global__ void not_initialised() {
  __shared__ alignas(8) std::uint64_t bar;
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&bar)) : "memory");
}
TEST_F(BulkMistakes, ABarrierThatNobodyInitialised) {
  expect_report({"mbarrier.arrive", line(not_initialised_line), "has not been initialised"}, not_initialised);
}

constexpr int invalidated_line = __LINE__ + 6;
__global__ void invalidated() {
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 1);
  if (threadIdx.x != 0) return;
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(&bar)));
  ptx::mbarrier_arrive(&bar);
}
TEST_F(BulkMistakes, ABarrierThatIsOneNoLonger) {
  expect_report({"mbarrier_arrive", line(invalidated_line), "has not been initialised"}, invalidated);
}

constexpr int too_many_line = __LINE__ + 4;
__global__ void too_many_arrivals() {
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 63);
  ptx::mbarrier_arrive(&bar, 2);
}
TEST_F(BulkMistakes, MoreArrivalsThanAreExpected) {
  expect_report({"mbarrier_arrive", line(too_many_line), "expects 63 arrivals", "1 are still to come"},
                too_many_arrivals);
}

constexpr int too_few_line = __LINE__ + 6;
__global__ void too_few_arrivals() {
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 64);
  if (threadIdx.x != 5) ptx::mbarrier_arrive(&bar);
  bool done = false;
  while (!done) done = ptx::mbarrier_try_wait_parity(&bar, 0);
}
TEST_F(BulkMistakes, AnArrivalThatIsMissing) {
  expect_report({"deadlock", "64 threads", "mbarrier_try_wait_parity", line(too_few_line),
                 "1 of 64 arrivals are missing"},
                too_few_arrivals);
}

constexpr int wrong_parity_line = __LINE__ + 7;
__global__ void wrong_parity() {
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 64);
  ptx::mbarrier_arrive(&bar);
  __syncthreads();
  asm volatile(
      "{\n.reg .pred p;\nagain: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 1;\n@!p bra again;\n}" ::
          "r"(shared_address(&bar))
      : "memory");
}
TEST_F(BulkMistakes, AParityThatCanNotCome) {
  expect_report({"deadlock", "mbarrier.try_wait.parity", line(wrong_parity_line), "of parity 0, has ended",
                 "is the parity that the thread waits for the right one?"},
                wrong_parity);
}

constexpr int test_wait_line = __LINE__ + 5;
__global__ void no_state() {
  __shared__ alignas(8) std::uint64_t bar;
  std::uint64_t state = 12345;
  begin(&bar, 64);
  while (!ptx::mbarrier_try_wait(&bar, state)) {
  }
}
TEST_F(BulkMistakes, AStateThatNoArrivalReturned) {
  expect_report({"mbarrier_try_wait", line(test_wait_line), "not a state that mbarrier.arrive has returned"},
                no_state);
}

constexpr int no_complete_line = __LINE__ + 4;
__global__ void completes_after_all() {
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 64);
  ptx::mbarrier_arrive_no_complete(&bar, 1);
}
TEST_F(BulkMistakes, AnArrivalThatMustNotEndThePhase) {
  expect_report({line(no_complete_line), "noComplete"}, completes_after_all);
}

constexpr int many_bytes_line = __LINE__ + 4;
__global__ void too_many_bytes() {
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 64);
  ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &bar, 1 << 20);
}
TEST_F(BulkMistakes, MoreBytesThanABarrierCounts) {
  expect_report({line(many_bytes_line), "1048576 bytes", "at most 1048575"}, too_many_bytes);
}

constexpr int global_barrier_line = __LINE__ + 1;
__global__ void barrier_in_global_memory(std::uint64_t* bar) { ptx::mbarrier_init(bar, 1); }
TEST_F(BulkMistakes, ABarrierOutsideSharedMemory) {
  const DeviceArray<std::uint64_t> bar(1);
  expect_report({"mbarrier_init", line(global_barrier_line), "is not in shared memory"},
                barrier_in_global_memory, bar.data());
}

// --- Bytes that do not add up ---

constexpr int surplus_line = __LINE__ + 7;
__global__ void bytes_that_nobody_expects(const float* in) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 1);
  if (threadIdx.x == 0) {
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &bar, 128);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &bar);
    ptx::mbarrier_arrive(&bar);
  }
  wait_for(&bar, 0);
}
TEST_F(BulkMistakes, MoreBytesThanWereAnnounced) {
  const DeviceArray<float> in(64);
  expect_report({"cp_async_bulk", line(surplus_line), "128 bytes more come to the barrier"},
                bytes_that_nobody_expects, in.data());
}

constexpr int missing_bytes_line = __LINE__ + 9;
__global__ void bytes_that_never_come(const float* in) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 1);
  if (threadIdx.x == 0) {
    expect(&bar, 2 * sizeof tile);
    load(tile, in, sizeof tile, &bar);
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
}
TEST_F(BulkMistakes, FewerBytesThanWereAnnounced) {
  const DeviceArray<float> in(64);
  expect_report({"deadlock", line(missing_bytes_line), "256 bytes that were announced"},
                bytes_that_never_come, in.data());
}

constexpr int again_line = __LINE__ + 7;
__global__ void initialised_too_early(const float* in) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(8) std::uint64_t bar;
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init(&bar, 1);
  expect(&bar, sizeof tile);
  ptx::mbarrier_init(&bar, 1);
  load(tile, in, sizeof tile, &bar);
}
TEST_F(BulkMistakes, ABarrierThatIsInitialisedWhileBytesAreToCome) {
  const DeviceArray<float> in(64);
  expect_report({line(again_line), "still waits for bytes"}, initialised_too_early, in.data());
}

constexpr int not_waited_line = __LINE__ + 7;
__global__ void ends_too_early(const float* in) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 1);
  if (threadIdx.x == 0) {
    expect(&bar, sizeof tile);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &bar);
  }
}
TEST_F(BulkMistakes, ABlockThatEndsWhileACopyIsUnderWay) {
  const DeviceArray<float> in(64);
  expect_report({line(not_waited_line), "the block has ended while the copy of 256 bytes"}, ends_too_early,
                in.data());
}

constexpr int overlap_line = __LINE__ + 8;
__global__ void two_into_one_place(const float* in) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 1);
  if (threadIdx.x == 0) {
    expect(&bar, 512);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 256, &bar);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + 32, in, 128, &bar);
  }
  wait_for(&bar, 0);
}
TEST_F(BulkMistakes, TwoCopiesIntoOnePlace) {
  const DeviceArray<float> in(64);
  expect_report({line(overlap_line), "copy at", line(overlap_line - 1), "nobody has waited for"},
                two_into_one_place, in.data());
}

// --- Addresses and sizes ---

constexpr int copy_line = __LINE__ + 6;
__global__ void copy(const float* in, int to, int from, unsigned bytes) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 64);
  if (threadIdx.x == 0)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + to, in + from, bytes, &bar);
}
TEST_F(BulkMistakes, ASizeThatIsNotAMultipleOf16) {
  const DeviceArray<float> in(64);
  expect_report({line(copy_line), "24 bytes; the size must be a multiple of 16"}, copy, in.data(), 0, 0, 24u);
}
TEST_F(BulkMistakes, AnEmptyCopy) {
  const DeviceArray<float> in(64);
  expect_report({line(copy_line), "0 bytes"}, copy, in.data(), 0, 0, 0u);
}
TEST_F(BulkMistakes, ADestinationThatIsNotAMultipleOf16) {
  const DeviceArray<float> in(64);
  expect_report({line(copy_line), "the destination", "not a multiple of 16"}, copy, in.data(), 1, 0, 32u);
}
TEST_F(BulkMistakes, ASourceThatIsNotAMultipleOf16) {
  const DeviceArray<float> in(64);
  expect_report({line(copy_line), "the source", "not a multiple of 16"}, copy, in.data(), 0, 2, 32u);
}
TEST_F(BulkMistakes, ASourceThatGoesOnPastTheArray) {
  const DeviceArray<float> in(64);
  expect_report({line(copy_line), "reads 64 bytes", "past the end of a 256-byte cudaMalloc"}, copy, in.data(),
                0, 60, 64u);
}
TEST_F(BulkMistakes, ADestinationThatDoesNotFit) {
  const DeviceArray<float> in(100000);
  expect_report({line(copy_line), "do not fit into the block's shared memory"}, copy, in.data(), 32, 0,
                65536u);
}

constexpr int store_line = __LINE__ + 4;
__global__ void store(float* out, unsigned bytes) {
  __shared__ alignas(128) float tile[64];
  tile[threadIdx.x] = 1;
  if (threadIdx.x == 0) ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, bytes);
}
TEST_F(BulkMistakes, AStoreThatGoesOnPastTheArray) {
  const DeviceArray<float> out(32);
  expect_report({line(store_line), "writes 256 bytes", "past the end of a 128-byte cudaMalloc"}, store,
                out.data(), 256u);
}

// --- What is not waited for shows ---

__global__ void reads_too_early(const float* in, float* out) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 1);
  if (threadIdx.x == 0) {
    expect(&bar, sizeof tile);
    load(tile, in, sizeof tile, &bar);
  }
  out[threadIdx.x] = tile[threadIdx.x];
  wait_for(&bar, 0);
}
TEST_F(BulkMistakes, WhatIsReadBeforeItIsThereIsNotANumber) {
  const DeviceArray<float> in(std::vector<float>(64, 1.0f)), out(64);
  reads_too_early<<<1, 64>>>(in.data(), out.data());
  EXPECT_TRUE(std::isnan(out.host()[0]));
}

__global__ void overwrites_too_early(float* out, bool waits) {
  __shared__ alignas(128) float tile[64];
  tile[threadIdx.x] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
  ptx::cp_async_bulk_commit_group();
  if (waits) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  tile[7] = 2;
}
TEST_F(BulkMistakes, ASourceThatIsOverwrittenTooEarlyArrivesWrong) {
  const DeviceArray<float> out(64);
  overwrites_too_early<<<1, 64>>>(out.data(), false);
  EXPECT_EQ(out.host()[7], 2.0f);
  overwrites_too_early<<<1, 64>>>(out.data(), true);
  EXPECT_EQ(out.host()[7], 1.0f);
}

__global__ void reads_back_too_early(float* out) {
  __shared__ alignas(128) float tile[64];
  tile[threadIdx.x] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  out[64] = out[0];
}
TEST_F(BulkMistakes, ReadingASourceIsNotWritingTheResult) {
  const DeviceArray<float> out(std::vector<float>(65, 0.0f));
  reads_back_too_early<<<1, 64>>>(out.data());
  const std::vector<float> result = out.host();
  EXPECT_EQ(result[64], 0.0f) << "wait_group.read does not wait for global memory";
  EXPECT_EQ(result[0], 1.0f) << "what nobody waits for is not lost";
}

// --- Clusters ---

class ClusterMistakes : public BulkMistakes {
 protected:
  template <class... P, class... A>
  void expect_report(const std::vector<std::string>& all, void (*kernel)(P...), A... arguments) {
    testing::internal::CaptureStderr();
    kernel<<<4, 64>>>(arguments...);
    check_report(all);
  }
};

constexpr int not_all_line = __LINE__ + 3;
__global__ __cluster_dims__(2) void some_do_not_arrive(int n) {
  if (static_cast<int>(threadIdx.x) == n) __syncthreads();
  cg::this_cluster().sync();
}
TEST_F(ClusterMistakes, AThreadThatDoesNotComeToTheBarrier) {
  expect_report({"deadlock", "cluster.sync", line(not_all_line), "2 of 128 threads of the cluster"},
                some_do_not_arrive, 9);
}

constexpr int wait_only_line = __LINE__ + 2;
__global__ __cluster_dims__(2) void waits_only() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
TEST_F(ClusterMistakes, AWaitWithoutAnArrival) {
  expect_report({"barrier.cluster.wait", line(wait_only_line), "without having arrived"}, waits_only);
}

constexpr int twice_line = __LINE__ + 3;
__global__ __cluster_dims__(2) void arrives_twice() {
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_arrive();
}
TEST_F(ClusterMistakes, ASecondArrivalWithoutAWait) {
  expect_report({"barrier_cluster_arrive", line(twice_line), "a second time"}, arrives_twice);
}

constexpr int ended_line = __LINE__ + 6;
__global__ __cluster_dims__(2) void reads_a_block_that_has_ended(int* out) {
  __shared__ int word;
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  if (cluster.block_rank() == 1) return;
  for (int i = 0; i < 100; ++i, __nanosleep(100)) out[i % 2] = *cluster.map_shared_rank(&word, 1);
}
TEST_F(ClusterMistakes, SharedMemoryOfABlockThatHasEnded) {
  const DeviceArray<int> out(2);
  expect_report({line(ended_line), "block of rank 1, which has ended", "cluster.sync()"},
                reads_a_block_that_has_ended, out.data());
}

constexpr int ended_barrier_line = __LINE__ + 9;
__global__ __cluster_dims__(2) void arrives_at_a_block_that_has_ended() {
  __shared__ alignas(8) std::uint64_t bar;
  const cg::cluster_group cluster = cg::this_cluster();
  begin(&bar, 1000);
  cluster.sync();
  if (cluster.block_rank() == 1) return;
  std::uint64_t* const remote = cluster.map_shared_rank(&bar, 1);
  for (int i = 0; i < 100; ++i, __nanosleep(100))
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, remote);
}
TEST_F(ClusterMistakes, ABarrierOfABlockThatHasEnded) {
  expect_report({line(ended_barrier_line), "block of rank 1", "has ended"},
                arrives_at_a_block_that_has_ended);
}

constexpr int no_rank_line = __LINE__ + 3;
__global__ __cluster_dims__(2) void maps_too_far() {
  __shared__ int word;
  *cg::this_cluster().map_shared_rank(&word, 2) = 1;
}
TEST_F(ClusterMistakes, ARankThatTheClusterDoesNotHave) {
  expect_report({"map_shared_rank", line(no_rank_line), "has 2 blocks, and so none of rank 2"}, maps_too_far);
}

constexpr int other_block_line = __LINE__ + 8;
__global__ __cluster_dims__(2) void barrier_of_another_block(const float* in) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(8) std::uint64_t bar;
  begin(&bar, 1);
  cg::this_cluster().sync();
  std::uint64_t* const remote = cg::this_cluster().map_shared_rank(&bar, 1);
  if (cg::this_cluster().block_rank() == 0 && threadIdx.x == 0)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, remote);
  cg::this_cluster().sync();
}
TEST_F(ClusterMistakes, ABarrierThatIsNotWhereTheBytesGo) {
  const DeviceArray<float> in(64);
  expect_report({line(other_block_line), "not in the shared memory of the block that the bytes go to"},
                barrier_of_another_block, in.data());
}
