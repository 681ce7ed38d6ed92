// What the emulator says when launches from kernels, grid barriers, asynchronous barriers and copies are used
// wrongly. On a GPU these hang, or are undefined.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <string>

#include "tests/emulator/device_array.hpp"
#include "tests/emulator/report_test.hpp"

namespace cg = cooperative_groups;
using warplab::test::DeviceArray;

class RuntimeMistakes : public warplab::test::ReportTest {};

// --- Who else is here ---

__global__ void ask_who_is_here(unsigned* lanes, bool fails) {
  if (fails && threadIdx.x == 3) lanes[1 << 20] = 1;
  lanes[threadIdx.x] = __activemask();
}

TEST_F(RuntimeMistakes, WhoWaitedInABlockThatFailedIsForgotten) {
  {
    const DeviceArray<unsigned> lanes(32);
    listen();
    ask_who_is_here<<<1, 32>>>(lanes.data(), true);
    EXPECT_EQ(wait(), cudaErrorIllegalAddress);
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  }
  cudaGetLastError();
  const DeviceArray<unsigned> lanes(32);
  ask_who_is_here<<<1, 32>>>(lanes.data(), false);
  EXPECT_EQ(lanes.host(), std::vector<unsigned>(32, 0xffffffffu));
}

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
  if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) atomicAdd(x + 1, 1);
}
__global__ void allocate_here(int** x) { cudaMalloc((void**)x, sizeof(int)); }
__global__ void free_here(void* x, cudaError_t* error) { *error = cudaFree(x); }
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
  EXPECT_EQ(x.host()[0], cudaErrorInvalidValue);
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

TEST_F(RuntimeMistakes, WhatAKernelAllocatedTheHostCantFreeNorTheOtherWayRound) {
  const DeviceArray<int*> of_kernel(1);
  const DeviceArray<int> of_host(1);
  const DeviceArray<cudaError_t> error(1);
  allocate_here<<<1, 1>>>(of_kernel.data());
  int* const memory = of_kernel.host()[0];
  EXPECT_EQ(said([&] { return cudaFree(memory); }), cudaErrorInvalidValue);
  EXPECT_TRUE(says("only a kernel can free it")) << report_;
  listen();
  free_here<<<1, 1>>>(of_host.data(), error.data());
  EXPECT_EQ(wait(), cudaSuccess);
  EXPECT_TRUE(says("a kernel frees what cudaMalloc gave a kernel, once")) << report_;
  EXPECT_NE(error.host()[0], cudaSuccess);
  free_here<<<1, 1>>>(memory, error.data());
  EXPECT_EQ(error.host()[0], cudaSuccess);
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

// --- Barriers in memory and asynchronous copies ---

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void barrier_without_init() {
  __shared__ block_barrier bar;
  bar.arrive_and_wait();
}
__global__ void barrier_with_too_many() {
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, 10);
  __syncthreads();
  (void)bar.arrive();
}
__global__ void barrier_with_too_few() {
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, 40);
  __syncthreads();
  bar.arrive_and_wait();
}
__global__ void bytes_that_never_come() {
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) bar.wait(cuda::device::barrier_arrive_tx(bar, 1, 64));
}
__global__ void misaligned_copy(const int* in) {
  __shared__ int4 words;
  __pipeline_memcpy_async(&words, in + 1, 16);
}
__global__ void copy_to_global(const int* in, int* out) { __pipeline_memcpy_async(out, in, 4); }

TEST_F(RuntimeMistakes, ABarrierThatNobodyInitialised) {
  listen();
  barrier_without_init<<<1, 32>>>();
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("has not been initialised")) << report_;
  EXPECT_TRUE(says("runtime_mistakes_test.cu:")) << report_;
}

TEST_F(RuntimeMistakes, MoreArrivalsThanExpected) {
  listen();
  barrier_with_too_many<<<1, 9>>>();
  EXPECT_EQ(wait(), cudaSuccess);
  listen();
  barrier_with_too_few<<<1, 32>>>();
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("deadlock")) << report_;
  EXPECT_TRUE(says("32 threads (first (0,0,0)) in cuda::barrier.arrive_and_wait")) << report_;
}

__global__ void arrive_twice() {
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, 32);
  __syncthreads();
  if (threadIdx.x == 0) (void)bar.arrive(33);
}

TEST_F(RuntimeMistakes, AnArrivalForMoreThanAPhaseExpects) {
  listen();
  arrive_twice<<<1, 32>>>();
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("arrives 33 times at a barrier that expects 32 arrivals")) << report_;
}

TEST_F(RuntimeMistakes, BytesThatNeverCome) {
  listen();
  bytes_that_never_come<<<1, 32>>>();
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("deadlock")) << report_;
}

TEST_F(RuntimeMistakes, AnAsynchronousCopyThatIsNotAligned) {
  const DeviceArray<int> in(32);
  listen();
  misaligned_copy<<<1, 1>>>(in.data());
  EXPECT_EQ(wait(), cudaErrorMisalignedAddress);
  EXPECT_TRUE(says("not aligned to 16 bytes")) << report_;
}

TEST_F(RuntimeMistakes, AnAsynchronousCopyToGlobalMemory) {
  const DeviceArray<int> in(32), out(32);
  listen();
  copy_to_global<<<1, 1>>>(in.data(), out.data());
  EXPECT_EQ(wait(), cudaErrorInvalidAddressSpace);
  EXPECT_TRUE(says("from global to shared memory only")) << report_;
}

// What an asynchronous copy brings is not there before the wait, however it is waited for.
__global__ void read_too_early(const float* in, float* out, int way) {
  __shared__ float early[32], late[32];
  __shared__ block_barrier bar;
  const auto block = cg::this_thread_block();
  const unsigned t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  if (way == 0) {
    __pipeline_memcpy_async(&early[t], in + t, 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&late[t], in + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
  } else if (way == 1) {
    cuda::memcpy_async(&early[t], &in[t], sizeof(float), pipe);
    pipe.producer_commit();
    cuda::memcpy_async(&late[t], &in[t], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
  } else if (way == 2) {
    cg::memcpy_async(block, early, in, sizeof early);
    cg::memcpy_async(block, late, in, sizeof late);
    cg::wait_prior<1>(block);
  } else {
    cuda::memcpy_async(block, early, in, sizeof early, bar);
    bar.arrive_and_wait();
    cuda::memcpy_async(block, late, in, sizeof late, bar);
    if (t != 7) (void)bar.arrive();  // one is missing
  }
  out[t] = early[t];
  out[32 + t] = late[t];
}

TEST_F(RuntimeMistakes, WhatIsCopiedAsynchronouslyIsPoisonUntilTheWait) {
  const DeviceArray<float> in(std::vector<float>(32, 1.5f));
  for (int way = 0; way < 4; ++way) {
    const DeviceArray<float> out(64);
    read_too_early<<<1, 32>>>(in.data(), out.data(), way);
    const std::vector<float> result = out.host();
    for (std::size_t t = 0; t < 32; ++t) {
      ASSERT_EQ(result[t], 1.5f) << "way " << way;
      ASSERT_NE(result[32 + t], result[32 + t]) << "way " << way;
    }
  }
}

// --- Matrix fragments ---

using namespace nvcuda;
using Operand = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void store_from_one_lane(float* out) {
  Sums sums;
  wmma::fill_fragment(sums, 1.0f);
  if (threadIdx.x == 0) wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
  __syncwarp();
}
__global__ void load_with_stride(const __half* in, int stride) {
  Operand operand;
  wmma::load_matrix_sync(operand, in, stride);
}
__global__ void store_what_was_never_filled(float* out) {
  Sums sums;
  wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
}

TEST_F(RuntimeMistakes, AFragmentThatOneLaneStores) {
  const DeviceArray<float> out(256);
  listen();
  store_from_one_lane<<<1, 32>>>(out.data());
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("store_matrix_sync")) << report_;
}

TEST_F(RuntimeMistakes, AWarpThatIsNotWhole) {
  const DeviceArray<float> out(256);
  listen();
  store_what_was_never_filled<<<1, 16>>>(out.data());
  EXPECT_EQ(wait(), cudaErrorIllegalInstruction);
  EXPECT_TRUE(says("needs all 32 lanes of a warp; here are 16")) << report_;
}

TEST_F(RuntimeMistakes, AMatrixWhoseRowsAreNotAligned) {
  const DeviceArray<__half> in(512);
  listen();
  load_with_stride<<<1, 32>>>(in.data(), 17);
  EXPECT_EQ(wait(), cudaErrorMisalignedAddress);
  EXPECT_TRUE(says("its leading dimension (17) must be a multiple of 8 elements")) << report_;
}

TEST_F(RuntimeMistakes, AFragmentThatWasNeverFilledIsNotANumber) {
  const DeviceArray<float> out(256);
  store_what_was_never_filled<<<1, 32>>>(out.data());
  for (float value : out.host()) ASSERT_NE(value, value);
}
