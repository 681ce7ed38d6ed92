// What the emulator says when device code is wrong: one report that names kernel, block, thread and cause,
// and CUDA's own error code, which stays until the device is reset.

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <thread>

#include "tests/emulator/device_array.hpp"
#include "tests/emulator/report_test.hpp"

using warplab::test::DeviceArray;

class Mistakes : public warplab::test::ReportTest {
 protected:
  std::string line(int number) const { return "mistakes_test.cu:" + std::to_string(number); }
};

__global__ void write_past_the_end(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
}
constexpr int line_of_the_write = __LINE__ - 2;

TEST_F(Mistakes, AWritePastTheEndNamesThreadLineAndAllocation) {
  int* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, 1024 * sizeof(int)), cudaSuccess);
  listen();
  write_past_the_end<<<5, 256>>>(x);
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("kernel 'write_past_the_end'")) << report_;
  EXPECT_TRUE(says("block (4,0,0), thread (0,0,0)")) << report_;
  EXPECT_TRUE(says(line(line_of_the_write))) << report_;
  EXPECT_TRUE(says("past the end of a 4096-byte cudaMalloc")) << report_;
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress) << "the error is sticky";
  EXPECT_EQ(cudaMalloc(&x, 4), cudaErrorIllegalAddress);
}

TEST_F(Mistakes, AFewBytesPastTheEndTouchTheGuardZone) {
  char* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, 100), cudaSuccess);
  listen();
  write_past_the_end<<<1, 26>>>(reinterpret_cast<int*>(x));
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("write_past_the_end")) << report_;
  EXPECT_TRUE(says("100-byte")) << report_;
}

TEST_F(Mistakes, ANullPointerIsCalledOne) {
  listen();
  write_past_the_end<<<1, 32>>>(nullptr);
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("a null pointer")) << report_;
}

TEST_F(Mistakes, AHostPointerIsRefusedBeforeTheKernelRuns) {
  int host[32] = {};
  listen();
  write_past_the_end<<<1, 32>>>(host);
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("argument 1 of kernel 'write_past_the_end'")) << report_;
  EXPECT_TRUE(says("host memory")) << report_;
}

TEST_F(Mistakes, FreedMemoryIsSaidToBeFreed) {
  int* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, 4096), cudaSuccess);
  ASSERT_EQ(cudaFree(x), cudaSuccess);
  listen();
  write_past_the_end<<<1, 32>>>(x);
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("freed")) << report_;
}

using MistakesDeathTest = Mistakes;
TEST_F(MistakesDeathTest, HostCodeThatReadsDeviceMemoryIsToldSo) {
  int* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, 4096), cudaSuccess);
  EXPECT_DEATH(std::fprintf(stdout, "%d", *const_cast<volatile int*>(x)),
               "host code (reads|accesses) device memory.*cudaMemcpy");
}

__global__ void some_wait_at_another_barrier(int* x) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 32) __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
  __syncthreads();
}

__global__ void two_barriers(int* x) {
  if (threadIdx.x % 2) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  x[threadIdx.x] = 1;
}

__global__ void barriers_in_a_loop(int* x) {
  for (unsigned k = 0; k < threadIdx.x; ++k) __syncthreads();
  x[threadIdx.x] = 1;
  __syncthreads();
}

__global__ void barrier_of_two_numbers(int* x, unsigned of_first) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 3, %0;" ::"r"(of_first) : "memory");
  else
    asm volatile("bar.sync 3, 64;" ::: "memory");
  x[threadIdx.x] = 1;
}

__global__ void one_past_dynamic_memory(int) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = 1;
}

__global__ void shuffle_against_barrier(int* x) {
  if (threadIdx.x < 16)
    x[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
  else
    __syncthreads();
}

__global__ void mask_without_caller(int* x) { x[threadIdx.x] = __shfl_sync(1u, 1, 0); }

TEST_F(Mistakes, ABarrierWhileOthersWaitAtAnother) {
  DeviceArray<int> x(64);
  listen();
  some_wait_at_another_barrier<<<1, 64>>>(x.data());
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("divergent barrier: ")) << report_;
  EXPECT_TRUE(says("mistakes_test.cu:")) << report_;
}

TEST_F(Mistakes, BarriersOfSomeWarpsForDifferentNumbers) {
  DeviceArray<int> x(64);
  listen();
  barrier_of_two_numbers<<<1, 64>>>(x.data(), 96);
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("barrier 3 waits for 64 threads here, and for 96 at")) << report_;
}

TEST_F(Mistakes, ABarrierOfSomeWarpsForHalfAWarp) {
  DeviceArray<int> x(64);
  listen();
  barrier_of_two_numbers<<<1, 64>>>(x.data(), 48);
  EXPECT_EQ(wait(), cudaErrorIllegalInstruction);
  EXPECT_TRUE(says("48 threads; the number must be a multiple of 32")) << report_;
}

TEST_F(Mistakes, AWriteJustPastDynamicSharedMemory) {
  listen();
  one_past_dynamic_memory<<<1, 32, 31 * sizeof(int)>>>(0);
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("0 bytes past the end of the 124 bytes of dynamic shared memory")) << report_;
}

__global__ void a_block_past_dynamic_memory(unsigned block) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x + (blockIdx.x == block)] = 1;
}

TEST_F(Mistakes, TheBlockThatWritesJustPastDynamicSharedMemoryIsNamed) {
  for (const unsigned block : {0u, 5u, 40u, 63u}) {
    listen();
    a_block_past_dynamic_memory<<<64, 31, 31 * sizeof(int)>>>(block);
    EXPECT_EQ(wait(), cudaErrorIllegalAddress);
    EXPECT_TRUE(says("failed in block (" + std::to_string(block) + ",0,0)")) << report_;
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  }
}

TEST_F(Mistakes, TwoBarriersOnOneLineAreTwo) {
  DeviceArray<int> x(64);
  listen();
  two_barriers<<<1, 64>>>(x.data());
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("divergent barrier")) << report_;
}

__global__ void count_before_two_barriers(int* x) {
  x[threadIdx.x] += 1;
  if (threadIdx.x == 5)
    __syncthreads();
  else
    __syncthreads();
}

TEST_F(Mistakes, ABlockWithADivergentBarrierRunsOnce) {
  int* x = nullptr;
  ASSERT_EQ(cudaMallocManaged(&x, 64 * sizeof(int)), cudaSuccess);
  std::fill_n(x, 64, 0);
  listen();
  count_before_two_barriers<<<1, 64>>>(x);
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("thread (5,0,0): divergent barrier: the thread waits in")) << report_;
  EXPECT_TRUE(says("while thread (0,0,0) waits in")) << report_;
  EXPECT_EQ(x[0], 1);
}

TEST_F(Mistakes, ThreadsThatPassABarrierUnequallyOften) {
  DeviceArray<int> x(64);
  listen();
  barriers_in_a_loop<<<1, 64>>>(x.data());
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("divergent barrier: ")) << report_;
}

TEST_F(Mistakes, ThreadsThatWaitForEachOtherInDifferentPlaces) {
  DeviceArray<int> x(32);
  listen();
  shuffle_against_barrier<<<1, 32>>>(x.data());
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("deadlock")) << report_;
  EXPECT_TRUE(says("16 threads (first (0,0,0)) in __shfl_sync")) << report_;
  EXPECT_TRUE(says("16 threads (first (16,0,0)) in __syncthreads")) << report_;
}

TEST_F(Mistakes, AMaskWithoutTheCaller) {
  DeviceArray<int> x(32);
  listen();
  mask_without_caller<<<1, 32>>>(x.data());
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("leaves out the lane itself")) << report_;
}

__global__ void divide(int* x, int by) { x[threadIdx.x] /= by; }
__global__ void check(const int* x) { assert(x[threadIdx.x] == 5); }
__global__ void trap(int* x) {
  if (x[0] == 0) __trap();
}
__device__ int recurse(int depth, volatile int* out) {
  volatile int local[64];
  local[depth % 64] = depth;
  return depth == 0 ? out[0] : recurse(depth - 1, out) + local[depth % 64];
}
__global__ void deep(int* x, int depth) {
  __syncthreads();
  x[0] = recurse(depth, x);
}
__global__ void dynamic(int* x) {
  extern __shared__ int words[];
  words[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = words[threadIdx.x];
}
__global__ void too_much_static(int* x) {
  __shared__ int words[13000];
  words[threadIdx.x] = 1;
  x[0] = words[0];
}

// The processor does not tell which of the two it was.
TEST_F(Mistakes, DivisionByZeroOrOfTheLeastIntegerByMinusOne) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "only processors that stop at a division by zero let the emulator see it";
#endif
  for (const int divisor : {0, -1}) {
    cudaDeviceReset();  // after the fault before
    DeviceArray<int> x(std::vector<int>(32, std::numeric_limits<int>::min()));
    listen();
    divide<<<1, 32>>>(x.data(), divisor);
    EXPECT_EQ(wait(), cudaErrorLaunchFailure);
    EXPECT_TRUE(says("divides an integer by zero, or the least integer by -1")) << report_;
  }
}

TEST_F(Mistakes, AFailedAssertion) {
  DeviceArray<int> x(std::vector<int>{5, 5, 6, 5});
  listen();
  check<<<1, 4>>>(x.data());
  EXPECT_EQ(wait(), cudaErrorAssert);
  EXPECT_TRUE(says("x[threadIdx.x] == 5")) << report_;
}

TEST_F(Mistakes, ATrap) {
  DeviceArray<int> x(1);
  listen();
  trap<<<1, 1>>>(x.data());
  EXPECT_NE(wait(), cudaSuccess);
  EXPECT_TRUE(says("trap")) << report_;
}

TEST_F(Mistakes, ARecursionWithoutEnd) {
  DeviceArray<int> x(1);
  listen();
  deep<<<1, 2>>>(x.data(), 1 << 20);
  EXPECT_NE(wait(), cudaSuccess);
  EXPECT_TRUE(says("overflows its stack")) << report_;
}

TEST_F(Mistakes, DynamicSharedMemoryThatTheLaunchDoesNotAskFor) {
  DeviceArray<int> x(32);
  listen();
  dynamic<<<1, 32>>>(x.data());
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("third launch parameter")) << report_;
}

TEST_F(Mistakes, DynamicSharedMemoryThatIsTooShort) {
  DeviceArray<int> x(64);
  listen();
  dynamic<<<1, 64, 32 * sizeof(int)>>>(x.data());
  EXPECT_EQ(wait(), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("dynamic shared memory")) << report_;
}

// Launches that CUDA refuses leave the device usable.
TEST_F(Mistakes, LaunchesOutOfRange) {
  DeviceArray<int> x(64);
  const auto refused = [&](dim3 grid, dim3 block, std::size_t bytes, cudaError_t error, const char* words) {
    listen();
    dynamic<<<grid, block, bytes>>>(x.data());
    EXPECT_EQ(cudaGetLastError(), error);
    EXPECT_EQ(wait(), cudaSuccess);
    EXPECT_TRUE(says(words)) << report_;
  };
  refused(1, 1025, 0, cudaErrorInvalidConfiguration, "1025 threads");
  refused(1, dim3(32, 33), 0, cudaErrorInvalidConfiguration, "1056 threads");
  refused(1, dim3(1, 1, 65), 0, cudaErrorInvalidConfiguration, "65");
  refused(0, 32, 0, cudaErrorInvalidConfiguration, "no blocks");
  refused(1, 0, 0, cudaErrorInvalidConfiguration, "no threads");
  refused(dim3(1, 65536), 1, 0, cudaErrorInvalidConfiguration, "65535");
  refused(1, 32, 50000, cudaErrorInvalidValue, "50000 bytes of dynamic shared memory");
  EXPECT_EQ(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  ASSERT_EQ(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000), cudaSuccess);
  dynamic<<<1, 32, 100000>>>(x.data());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

__global__ void static_and_dynamic(int* x) {
  __shared__ int fixed[256];
  extern __shared__ int asked[];
  fixed[threadIdx.x] = 1;
  asked[threadIdx.x] = 2;
  __syncthreads();
  x[threadIdx.x] = fixed[threadIdx.x] + asked[threadIdx.x];
}

TEST_F(Mistakes, StaticAndDynamicSharedMemoryCountTogether) {
  DeviceArray<int> x(64);
  ASSERT_EQ(cudaFuncSetAttribute(static_and_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024),
            cudaSuccess);
  for (int launch = 0; launch < 2; ++launch) {  // the limit is one of dynamic memory
    static_and_dynamic<<<1, 64, 64 * 1024>>>(x.data());
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << launch;
  }
  listen();
  static_and_dynamic<<<1, 64, 64 * 1024 + 4>>>(x.data());
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(wait(), cudaSuccess);
  EXPECT_TRUE(says("cudaFuncSetAttribute allowed 65536")) << report_;
  EXPECT_EQ(cudaFuncSetAttribute(static_and_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448),
            cudaErrorInvalidValue)
      << "1024 bytes are static";
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

template <int>
__global__ void static_and_dynamic_before_it_ran(int* x) {
  __shared__ int fixed[256];
  extern __shared__ int asked[];
  fixed[threadIdx.x] = asked[threadIdx.x] = 1;
  x[threadIdx.x] = fixed[threadIdx.x];
}

TEST_F(Mistakes, StaticSharedMemoryThatTheDynamicLeavesNoRoomForIsSeenWhenItIsFirstUsed) {
  DeviceArray<int> x(64);
  listen();
  static_and_dynamic_before_it_ran<0><<<1, 64, 48 * 1024>>>(x.data());
  EXPECT_EQ(wait(), cudaErrorInvalidValue);
  EXPECT_TRUE(says("49152 bytes of dynamic shared memory beside 1024 static ones; at most 49152")) << report_;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "a GPU would have refused the launch";
  ASSERT_EQ(cudaFuncSetAttribute(static_and_dynamic_before_it_ran<0>,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, 48 * 1024),
            cudaSuccess);
  static_and_dynamic_before_it_ran<0><<<1, 64, 48 * 1024>>>(x.data());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the attribute is one of dynamic memory";
}

TEST_F(Mistakes, ALaunchKeepsTheDynamicSharedMemoryThatItWasAllowed) {
  DeviceArray<int> x(64);
  std::atomic<bool> may_run{false};
  const auto wait_for_it = [](void* flag) {
    while (!*static_cast<std::atomic<bool>*>(flag)) std::this_thread::yield();
  };
  ASSERT_EQ(cudaLaunchHostFunc(nullptr, wait_for_it, &may_run), cudaSuccess);
  const auto kernel = static_and_dynamic_before_it_ran<1>;
  for (int bytes : {96 * 1024, 64 * 1024}) {  // the second limit is set before the first launch has run
    ASSERT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), cudaSuccess);
    kernel<<<1, 64, bytes>>>(x.data());
  }
  may_run = true;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Mistakes, MoreStaticSharedMemoryThanNvccAllows) {
  DeviceArray<int> x(64);
  listen();
  too_much_static<<<1, 32>>>(x.data());
  EXPECT_NE(wait(), cudaSuccess);
  EXPECT_TRUE(says("'words'")) << report_;
  EXPECT_TRUE(says("49152")) << report_;
}

// --- Uninitialised memory is never quietly zero ---

__global__ void read_unwritten(float* out) {
  __shared__ float s[32];
  out[threadIdx.x] = s[31 - threadIdx.x];
}

TEST(Poison, SharedMemoryOfEveryBlockIsNotANumber) {
  DeviceArray<float> x(64);
  read_unwritten<<<1, 32>>>(x.data());
  read_unwritten<<<1, 32>>>(x.data() + 32);
  for (float value : x.host()) EXPECT_NE(value, value);
}

__global__ void write_block(int* x, int* order) {
  x[blockIdx.x] = 1;
  order[blockIdx.x] = atomicAdd(order + gridDim.x, 1);
}

TEST(Order, BlocksDoNotRunInTheOrderOfTheirNumbers) {
  DeviceArray<int> x(64), order(65);
  write_block<<<64, 1>>>(x.data(), order.data());
  const std::vector<int> result = order.host();
  int in_place = 0;
  for (int i = 0; i < 64; ++i) in_place += result[static_cast<std::size_t>(i)] == i;
  EXPECT_LT(in_place, 32);
  EXPECT_EQ(result[64], 64);
}
