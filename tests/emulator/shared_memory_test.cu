// Shared memory and barriers in every form. Ordinary CUDA: a GPU gives the same results.

#include <numeric>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

std::vector<int> counted(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

}  // namespace

// One barrier as a statement of its own: run region by region.
__global__ void reverse(int* x) {
  __shared__ int tile[256], bias;
  const int i = threadIdx.x;
  tile[i] = x[blockIdx.x * blockDim.x + i];
  if (i == 0) bias = 7;
  __syncthreads();
  x[blockIdx.x * blockDim.x + i] = tile[blockDim.x - 1 - i] + bias;
}

// Several regions, whose variables of many kinds must survive the barriers.
template <class T, int N>
__global__ void regions(T* x, T scale) {
  __shared__ T tile[2][N];
  struct Mine {
    T value;
    int index;
  };
  Mine mine{x[threadIdx.x], static_cast<int>(threadIdx.x)};
  const int partner = mine.index ^ 1;
  T sum = 0;
  tile[0][mine.index] = mine.value;
  __syncthreads();
  sum += tile[0][partner] * scale;
  if (mine.index % 2 == 0) sum += 1;
  tile[1][mine.index] = sum;
  __syncthreads();
  {
    T& out = x[mine.index];
    if (mine.index % 2 == 0) {
      out = tile[1][partner];
      return;
    }
    out = tile[1][partner] + mine.value;
  }
}

// A barrier in a loop: run on fibers.
__global__ void tree_sum(const int* x, int* out) {
  extern __shared__ int partial[];
  const unsigned i = threadIdx.x;
  partial[i] = x[blockIdx.x * blockDim.x + i];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (i < stride) partial[i] += partial[i + stride];
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = partial[0];
}

__device__ int* scratch() {
  __shared__ int words[64];
  return words;
}
__device__ void exchange_in_a_function(int* words, int mine) {
  words[threadIdx.x] = mine;
  __syncthreads();
}
__global__ void barrier_in_a_function(int* x) {
  int* words = scratch();
  exchange_in_a_function(words, x[threadIdx.x]);
  x[threadIdx.x] = words[63 - threadIdx.x];
}

// Declared outside functions, as many courses do, and viewed as two types.
extern __shared__ __align__(16) unsigned char bytes[];
__global__ void two_views(int* x, float* y) {
  int* ints = reinterpret_cast<int*>(bytes);
  float* floats = reinterpret_cast<float*>(bytes + blockDim.x * sizeof(int));
  ints[threadIdx.x] = x[threadIdx.x];
  floats[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = ints[blockDim.x - 1 - threadIdx.x];
  y[threadIdx.x] = floats[blockDim.x - 1 - threadIdx.x];
}

template <class T>
__global__ void dynamic_in_a_template(T* x) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* words = reinterpret_cast<T*>(raw);
  words[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = words[threadIdx.x ^ 1];
}

__global__ void counting_barriers(int* out) {
  const int odd = __syncthreads_count(threadIdx.x % 2);
  const int all = __syncthreads_and(threadIdx.x < 100), some = __syncthreads_or(threadIdx.x == 99);
  if (threadIdx.x == 0) out[0] = odd, out[1] = all, out[2] = some;
}

TEST(SharedMemory, EachBlockHasItsOwn) {
  DeviceArray<int> x(counted(1024));
  reverse<<<4, 256>>>(x.data());
  const std::vector<int> result = x.host();
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(result[static_cast<std::size_t>(i)], i / 256 * 256 + 255 - i % 256 + 7);
}

TEST(SharedMemory, VariablesSurviveBarriers) {
  DeviceArray<double> x({1, 2, 3, 4});
  regions<double, 4><<<1, 4>>>(x.data(), 10);
  // sums: 21, 10, 41, 30
  EXPECT_EQ(x.host(), (std::vector<double>{10, 23, 30, 45}));
}

TEST(SharedMemory, ABarrierInALoop) {
  DeviceArray<int> x(counted(2048)), sums(4);
  tree_sum<<<4, 512, 512 * sizeof(int)>>>(x.data(), sums.data());
  EXPECT_EQ(sums.host(), (std::vector<int>{130816, 392960, 655104, 917248}));
}

TEST(SharedMemory, ABarrierAndSharedMemoryInFunctions) {
  DeviceArray<int> x(counted(64));
  barrier_in_a_function<<<1, 64>>>(x.data());
  EXPECT_EQ(x.host()[0], 63);
}

TEST(SharedMemory, DynamicMemoryDeclaredAtFileScope) {
  DeviceArray<int> x(counted(64));
  DeviceArray<float> y(std::vector<float>(64, 2.5f));
  two_views<<<1, 64, 64 * (sizeof(int) + sizeof(float))>>>(x.data(), y.data());
  EXPECT_EQ(x.host()[63], 0);
  EXPECT_EQ(y.host()[63], 2.5f);
}

TEST(SharedMemory, DynamicMemoryInATemplateOfTwoTypes) {
  DeviceArray<int> x({1, 2});
  DeviceArray<double> y({1.5, 2.5});
  dynamic_in_a_template<<<1, 2, 2 * sizeof(int)>>>(x.data());
  dynamic_in_a_template<<<1, 2, 2 * sizeof(double)>>>(y.data());
  EXPECT_EQ(x.host(), (std::vector<int>{2, 1}));
  EXPECT_EQ(y.host(), (std::vector<double>{2.5, 1.5}));
}

TEST(SharedMemory, BarriersThatCount) {
  DeviceArray<int> x(3);
  counting_barriers<<<1, 101>>>(x.data());
  EXPECT_EQ(x.host(), (std::vector<int>{50, 0, 1}));
}

__global__ void lock_and_count(int* lock, int* total) {
  bool done = false;
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) {
      *total += 1;  // not atomic: the lock guards it
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
}

__global__ void pass_the_baton(volatile int* turn, int* order) {
  const int i = threadIdx.x;
  while (*turn != i) __threadfence();
  order[i] = i == 0 ? 1 : order[i - 1] + 1;
  __threadfence();
  *turn = i + 1;
}

TEST(Spinning, AThreadThatWaitsForALockLetsItsHolderRun) {
  DeviceArray<int> lock(1), total(1);
  lock_and_count<<<8, 96>>>(lock.data(), total.data());
  EXPECT_EQ(total.host()[0], 8 * 96);
}

TEST(Spinning, AThreadThatPollsLetsTheOneItWaitsForRun) {
  DeviceArray<int> turn(1), order(96);
  pass_the_baton<<<1, 96>>>(turn.data(), order.data());
  EXPECT_EQ(order.host()[95], 96);
}

__device__ volatile int flag_at_file_scope;

__device__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}

// Thread 0 waits for thread 32. No body has the word `volatile`, a fence or a barrier.
__global__ void wait_for_a_parameter(volatile int* flag) {
  if (threadIdx.x == 32) *flag = 1;
  if (threadIdx.x == 0)
    while (*flag == 0) {
    }
}

__global__ void wait_in_a_function(int* flag) {
  if (threadIdx.x == 32) *flag = 1;
  if (threadIdx.x == 0) wait_for(flag);
}

__global__ void wait_for_a_variable(int*) {
  if (threadIdx.x == 32) flag_at_file_scope = 1;
  if (threadIdx.x == 0)
    while (flag_at_file_scope == 0) {
    }
}

__global__ void wait_for_a_cast_result(int* flag) {
  if (threadIdx.x == 32) atomicAdd(flag, 1);
  if (threadIdx.x == 0)
    while ((long long)atomicAdd(flag, 0) == 0) {
    }
}

TEST(Spinning, AThreadThatPollsAVolatileOfAnyScopeLetsOthersRun) {
  for (const auto kernel : {wait_in_a_function, wait_for_a_variable, wait_for_a_cast_result}) {
    const DeviceArray<int> flag(1);
    kernel<<<1, 64>>>(flag.data());
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  const DeviceArray<int> flag(1);
  wait_for_a_parameter<<<1, 64>>>(flag.data());
  EXPECT_EQ(flag.host()[0], 1);
}

template <class T>
__global__ void aligned_dynamic_memory(unsigned long long* out) {
  extern __shared__ __align__(1024) unsigned char swizzled[];
  swizzled[0] = sizeof(T);
  out[0] = reinterpret_cast<unsigned long long>(swizzled) % 1024;
  out[1] = __cvta_generic_to_shared(swizzled) % 1024;
}

TEST(SharedMemory, DynamicMemoryBeginsWhereATileOfABulkCopyMay) {
  const DeviceArray<unsigned long long> out(2);
  for (const std::size_t bytes : {1u, 128u, 1000u, 1024u, 1100u, 48u * 1024}) {
    aligned_dynamic_memory<int><<<1, 1, bytes>>>(out.data());
    EXPECT_EQ(out.host(), std::vector<unsigned long long>(2)) << bytes << " bytes";
  }
}

// Threads that return early count as arrived at every barrier: compute capability 7.0 and later.
__global__ void sum_of_some(const int* in, int* out, int n) {
  __shared__ int tile[128];
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  tile[i] = in[i];
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += tile[k];
  out[i] = sum;
}
// Warps may leave a loop around a barrier in different rounds; lanes of one warp may not, see
// findings/wrong_barriers.cu.
__global__ void rounds_by_warp(int* out) {
  __shared__ int last;
  const int rounds = static_cast<int>(threadIdx.x) / 32 + 1;
  for (int round = 0; round < rounds; ++round) {
    if (static_cast<int>(threadIdx.x) == 32 * round) last = round;
    __syncthreads();
    out[threadIdx.x] = last;
    __syncthreads();
  }
}
__device__ void wait_in_a_function() { __syncthreads(); }
__global__ void half_waits_in_a_function(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (threadIdx.x >= 32) return;
  wait_in_a_function();
  out[threadIdx.x] = tile[63 - threadIdx.x] + 100 * __syncthreads_count(threadIdx.x % 2 == 0);
}

TEST(Barriers, ThreadsThatHaveReturnedCountAsArrived) {
  const DeviceArray<int> in(counted(128)), out(128);
  for (const int n : {1, 31, 32, 100, 128}) {
    sum_of_some<<<1, 128>>>(in.data(), out.data(), n);
    EXPECT_EQ(out.host()[static_cast<std::size_t>(n - 1)], n * (n - 1) / 2) << n;
  }
  rounds_by_warp<<<1, 70>>>(out.data());
  const std::vector<int> last = out.host();
  for (int i = 0; i < 70; ++i) EXPECT_EQ(last[static_cast<std::size_t>(i)], i / 32);
  half_waits_in_a_function<<<1, 64>>>(out.data());
  const std::vector<int> half = out.host();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(half[static_cast<std::size_t>(i)], 63 - i + 1600);
}
