// What the emulator says when launches from kernels, grid barriers, asynchronous barriers and copies are used
// wrongly. On a GPU these hang, or are undefined.

#include <cooperative_groups.h>

#include <string>

#include "tests/emulator/device_array.hpp"

namespace cg = cooperative_groups;
using warplab::test::DeviceArray;

class RuntimeMistakes : public ::testing::Test {
 protected:
  ~RuntimeMistakes() override { cudaDeviceReset(); }

  // Waits for the device; returns its error and keeps what was reported meanwhile.
  cudaError_t wait() {
    const cudaError_t error = cudaDeviceSynchronize();
    report_ = testing::internal::GetCapturedStderr();
    return error;
  }
  static void listen() { testing::internal::CaptureStderr(); }
  bool says(const std::string& words) const { return report_.find(words) != std::string::npos; }

  std::string report_;
};

// --- Launches from kernels ---

__global__ void increment(int* x) { atomicAdd(x, 1); }

__global__ void pass_shared() {
  __shared__ int mine;
  mine = 1;
  increment<<<1, 1>>>(&mine);
}
__global__ void pass_local() {
  int mine = 1;
  increment<<<1, 1>>>(&mine);
}
__global__ void launch_into(cudaStream_t stream, int* x) {
  increment<<<1, 1, 0, stream>>>(x);
  *x = cudaGetLastError();
}
__global__ void wait_for_children(int* x) {
  increment<<<1, 1>>>(x);
  cudaDeviceSynchronize();
}
__global__ void launch_one_each(int* x) {
  increment<<<1, 1>>>(x);
  if (cudaGetLastError() == cudaErrorLaunchOutOfResources) atomicAdd(x + 1, 1);
}
__global__ void write_to(int* x) { x[threadIdx.x] = 1; }
__global__ void launch_a_wrong_child(int* x) { write_to<<<1, 1024>>>(x); }

TEST_F(RuntimeMistakes, AChildCantSeeSharedMemory) {
  listen();
  pass_shared<<<1, 1>>>();
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("argument 1 of the launch of 'increment'")) << report_;
  EXPECT_TRUE(says("shared memory")) << report_;
}

TEST_F(RuntimeMistakes, AChildCantSeeLocalMemory) {
  listen();
  pass_local<<<1, 1>>>();
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("local memory")) << report_;
}

TEST_F(RuntimeMistakes, AStreamOfTheHostIsNoneOfTheGrid) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  const DeviceArray<int> x(1);
  listen();
  launch_into<<<1, 1>>>(stream, x.data());
  EXPECT_EQ(wait(), cudaSuccess);
  EXPECT_EQ(x.host()[0], cudaErrorInvalidResourceHandle);
  EXPECT_TRUE(says("not one that this grid has made")) << report_;
}

TEST_F(RuntimeMistakes, AKernelCantWaitForItsChildren) {
  const DeviceArray<int> x(1);
  listen();
  wait_for_children<<<1, 1>>>(x.data());
  EXPECT_EQ(wait(), cudaErrorNotPermitted);
  EXPECT_TRUE(says("only the host can call")) << report_;
}

TEST_F(RuntimeMistakes, MoreChildrenThanTheLimitAreLost) {
  const DeviceArray<int> x(2);
  listen();
  launch_one_each<<<3, 1000>>>(x.data());
  EXPECT_EQ(wait(), cudaSuccess);
  EXPECT_TRUE(says("cudaLimitDevRuntimePendingLaunchCount")) << report_;
  EXPECT_EQ(x.host(), (std::vector<int>{2048, 952}));
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096), cudaSuccess);
  launch_one_each<<<3, 1000>>>(x.data());
  EXPECT_EQ(x.host(), (std::vector<int>{5048, 952}));
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048), cudaSuccess);
}

TEST_F(RuntimeMistakes, AFaultInAChildNamesTheChildAndItsLaunch) {
  int* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, 64), cudaSuccess);
  listen();
  launch_a_wrong_child<<<1, 1>>>(x);
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("write_to")) << report_;
}

// --- Grid barriers ---

__global__ void grid_barrier_in_half_the_blocks(int* x) {
  if (blockIdx.x % 2 == 0) cg::this_grid().sync();
  x[blockIdx.x] = 1;
}
__global__ void two_grid_barriers() {
  if (blockIdx.x % 2 == 0)
    cg::this_grid().sync();
  else
    cg::this_grid().sync();
}
__global__ void grid_barrier_against_block_barrier() {
  if (blockIdx.x == 1 && threadIdx.x == 3) __syncthreads();
  cg::this_grid().sync();
}
__global__ void grid_barrier_alone() { cg::this_grid().sync(); }

TEST_F(RuntimeMistakes, AGridBarrierThatSomeBlocksDoNotReach) {
  const DeviceArray<int> x(4);
  int* px = x.data();
  void* arguments[] = {&px};
  listen();
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)grid_barrier_in_half_the_blocks, 4, 32, arguments),
            cudaSuccess);
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("every thread of the grid must reach every grid.sync()")) << report_;
  EXPECT_TRUE(says("runtime_mistakes_test.cu:")) << report_;
}

TEST_F(RuntimeMistakes, TwoGridBarriersAreNotOne) {
  listen();
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)two_grid_barriers, 2, 32, nullptr), cudaSuccess);
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("divergent barrier")) << report_;
}

TEST_F(RuntimeMistakes, BlocksThatWaitForEachOtherInDifferentPlaces) {
  listen();
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)grid_barrier_against_block_barrier, 3, 32, nullptr),
            cudaSuccess);
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("deadlock: all threads of the grid")) << report_;
  EXPECT_TRUE(says("95 threads")) << report_;
  EXPECT_TRUE(says("1 thread (first (3,0,0) of block (1,0,0)) in __syncthreads")) << report_;
}

TEST_F(RuntimeMistakes, AGridBarrierNeedsACooperativeLaunch) {
  listen();
  grid_barrier_alone<<<1, 32>>>();
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("cudaLaunchCooperativeKernel")) << report_;
}

__global__ void write_past(int* x) {
  cg::this_grid().sync();
  x[blockIdx.x * 100000] = 1;
}

TEST_F(RuntimeMistakes, AFaultInACooperativeLaunchNamesItsBlock) {
  int* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, 64), cudaSuccess);
  void* arguments[] = {&x};
  listen();
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)write_past, 2, 1, arguments), cudaSuccess);
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("block (1,0,0), thread (0,0,0)")) << report_;
  cudaDeviceReset();
  ASSERT_EQ(cudaMalloc(&x, 400004), cudaSuccess);
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)write_past, 2, 1, arguments), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the next launch finds all in order";
}
