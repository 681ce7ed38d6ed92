// What the emulator does where the system gives a process no more threads, or no more mappings of memory.

#include <cooperative_groups.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "tests/common/no_more_threads.hpp"
#include "tests/emulator/device_array.hpp"
#include "tests/emulator/report_test.hpp"

using warplab::test::DeviceArray;
using warplab::test::NoMoreThreads;

class SystemLimits : public warplab::test::ReportTest {};

__global__ void count_slowly(int* x) {
  float sum = 0;
  for (int i = 0; i < 2000; ++i) sum += 1.0f / static_cast<float>(i + 1);
  if (threadIdx.x == 0 && sum > 1) x[blockIdx.x] = 1;
}

TEST_F(SystemLimits, ALaunchRunsOnTheThreadsThatThereAre) {
  const DeviceArray<int> x(std::size_t{256});
  const NoMoreThreads none;
  count_slowly<<<256, 32>>>(x.data());
  EXPECT_EQ(x.host(), std::vector<int>(256, 1));
}

TEST_F(SystemLimits, AnAllocationIsPoisonedWithoutOtherThreads) {
  constexpr std::size_t count = 16 << 20;
  int* x = nullptr;
  {
    const NoMoreThreads none;
    ASSERT_EQ(cudaMallocManaged(&x, count * sizeof(int)), cudaSuccess);
  }
  EXPECT_EQ(x[0], x[count - 1]);
  EXPECT_EQ(x[0], x[count / 2 + 1]);
  EXPECT_NE(x[0], 0);
  EXPECT_EQ(cudaFree(x), cudaSuccess);
}

// Fills its stack down to some more bytes than that below `top`.
__device__ __noinline__ int fill_stack(const char* top, std::ptrdiff_t bytes) {
  volatile char here[256];
  for (volatile char& byte : here) byte = 1;
  const std::ptrdiff_t below = top - const_cast<const char*>(here);
  return below >= bytes ? here[0] : here[0] + fill_stack(top, bytes);
}

__global__ void one_needs_a_larger_stack(int* x, std::ptrdiff_t bytes) {
  const char top = 0;
  __nanosleep(1);  // all threads begin, each with its own stack
  if (threadIdx.x == 40) x[0] = fill_stack(&top, bytes);
}

constexpr std::ptrdiff_t more_than_a_stack = 128 * 1024 + 512;

TEST_F(SystemLimits, AStackThatOverflowsIsReported) {
  const DeviceArray<int> x(1);
  one_needs_a_larger_stack<<<1, 64>>>(x.data(), more_than_a_stack / 2);
  EXPECT_GT(x.host()[0], 0);
  listen();
  one_needs_a_larger_stack<<<1, 64>>>(x.data(), more_than_a_stack);
  EXPECT_EQ(wait(), cudaErrorLaunchFailure);
  EXPECT_TRUE(says("thread (40,0,0)")) << report_;
  EXPECT_TRUE(says("overflows its stack")) << report_;
}

namespace {

/// While it lives, the process may have only so many more mappings of memory.
class FewMappings {
 public:
  FewMappings(std::size_t most, std::size_t left) : pages_(2 * most) {
    memory_ = static_cast<char*>(
        mmap(nullptr, pages_ * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    EXPECT_NE(memory_, MAP_FAILED);
    std::size_t next = 1;  // every second page becomes another mapping
    while (next < pages_ && mprotect(memory_ + next * page_, page_, PROT_READ) == 0) next += 2;
    EXPECT_EQ(mprotect(memory_, left / 2 * 2 * page_, PROT_NONE), 0);
  }
  ~FewMappings() { munmap(memory_, pages_ * page_); }
  FewMappings(const FewMappings&) = delete;

 private:
  const std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t pages_;
  char* memory_;
};

}  // namespace

TEST_F(SystemLimits, AStackThatOverflowsIsReportedWhereNoPageCanBeClosed) {
  std::size_t most = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> most;
  if (most == 0 || most > 1 << 18) GTEST_SKIP() << "this system allows " << most << " mappings";
  const DeviceArray<int> x(1);
  one_needs_a_larger_stack<<<1, 64>>>(x.data(), 1);
  EXPECT_GT(x.host()[0], 0);
  cudaError_t error = cudaSuccess;
  listen();
  {
    const FewMappings few(most, 40);
    std::thread([&] {  // it has stacks of its own
      one_needs_a_larger_stack<<<1, 64>>>(x.data(), more_than_a_stack);
      error = cudaDeviceSynchronize();
    })
        .join();
  }
  EXPECT_NE(wait(), cudaSuccess);
  EXPECT_EQ(error, cudaErrorLaunchFailure);
  EXPECT_TRUE(says("thread (40,0,0)")) << report_;
  EXPECT_TRUE(says("overflows its stack")) << report_;
}

__global__ void count_threads(int* x) {
  const auto cluster = cooperative_groups::this_cluster();
  cluster.sync();
  __nanosleep(1);
  cluster.sync();
  atomicAdd(x, 1);
}

// With a closed page below each stack, clusters on four threads take more mappings than Linux allows.
TEST_F(SystemLimits, LargeClustersRunOnEachThread) {
  const DeviceArray<int> x({0});
  int* count = x.data();
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = 8 * 8;
  configuration.blockDim = 1024;
  cudaLaunchAttribute shape{};
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim.x = 8;
  shape.val.clusterDim.y = shape.val.clusterDim.z = 1;
  configuration.attrs = &shape;
  configuration.numAttrs = 1;
  ASSERT_EQ(cudaLaunchKernelEx(&configuration, count_threads, count), cudaSuccess);
  EXPECT_EQ(x.host()[0], 8 * 8 * 1024);
}
