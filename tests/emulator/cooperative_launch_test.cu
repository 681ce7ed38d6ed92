// Cooperative launches: all blocks of a grid wait for each other. Ordinary CUDA:
// a GPU gives the same results.

#include <cooperative_groups.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/emulator/device_array.hpp"

namespace cg = cooperative_groups;
using warplab::test::DeviceArray;

namespace {

template <class Kernel>
unsigned max_blocks(Kernel kernel, int threads, std::size_t shared_bytes = 0) {
  int each = 0, multiprocessors = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared_bytes), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  return static_cast<unsigned>(each * multiprocessors);
}

}  // namespace

// Every step reads what all blocks wrote in the step before.
__global__ void rotate(int* a, int* b, int steps) {
  const cg::grid_group grid = cg::this_grid();
  const auto n = static_cast<int>(grid.size()), i = static_cast<int>(grid.thread_rank());
  for (int step = 0; step < steps; ++step) {
    b[i] = a[(i + 1) % n] + 1;
    grid.sync();
    int* swap = a;
    a = b;
    b = swap;
  }
}

TEST(CooperativeLaunch, EveryBlockSeesWhatAllWroteBeforeTheBarrier) {
  const unsigned threads = 64, blocks = std::min(max_blocks(rotate, threads), 24u);
  ASSERT_GE(blocks, 2u);
  const int n = static_cast<int>(threads * blocks);
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  const DeviceArray<int> a(values), b(values.size());
  int *pa = a.data(), *pb = b.data(), steps = 10;
  void* arguments[] = {&pa, &pb, &steps};
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)rotate, blocks, threads, arguments), cudaSuccess);
  const std::vector<int> result = a.host();
  for (int i = 0; i < n; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], (i + 10) % n + 10);
}

// Block sums in shared memory, then one block adds them up: block and grid barriers mixed.
template <class T, int Threads>
__global__ void sum_all(const T* in, int n, T* partial, T* out) {
  __shared__ T tile[Threads];
  extern __shared__ unsigned char dynamic[];
  T* copy = reinterpret_cast<T*>(dynamic);
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const unsigned t = block.thread_rank();
  T sum = 0;
  for (auto i = grid.thread_rank(); i < static_cast<unsigned>(n); i += grid.size()) sum += in[i];
  tile[t] = sum;
  block.sync();
  for (unsigned half = Threads / 2; half > 0; half /= 2) {
    if (t < half) tile[t] += tile[t + half];
    __syncthreads();
  }
  copy[t] = tile[0];
  if (t == 0) partial[blockIdx.x] = copy[0];
  cg::sync(grid);
  if (grid.thread_rank() == 0) {
    for (unsigned b = 0; b < grid.num_blocks(); ++b) *out += partial[b];
  }
  grid.sync();
  if (t == 1 && copy[t] != partial[blockIdx.x]) *out = -1;  // shared memory is as it was
}

TEST(CooperativeLaunch, BlocksKeepTheirSharedMemoryAcrossGridBarriers) {
  const unsigned blocks = std::min(max_blocks(sum_all<int, 128>, 128, 512), 8u);
  std::vector<int> values(5000);
  std::iota(values.begin(), values.end(), 1);
  const DeviceArray<int> in(values), partial(blocks), out(1);
  int *pi = in.data(), *pp = partial.data(), *po = out.data(), n = 5000;
  void* arguments[] = {&pi, &n, &pp, &po};
  ASSERT_EQ(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sum_all<int, 128>), blocks, 128,
                                        arguments, 512, cudaStreamPerThread),
            cudaSuccess);
  EXPECT_EQ(out.host()[0], 5000 * 5001 / 2);
}

// Blocks hand a baton on: each spins until the one before has written its flag.
__global__ void relay(volatile int* flags, int* order) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0)
      while (flags[blockIdx.x - 1] == 0) __threadfence();
    before = blockIdx.x == 0 ? 0 : flags[blockIdx.x - 1];
  }
  __syncthreads();
  order[blockIdx.x * blockDim.x + threadIdx.x] = before;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    flags[blockIdx.x] = before + 1;
  }
}

TEST(CooperativeLaunch, BlocksThatSpinOnEachOthersFlagsGetOn) {
  const unsigned blocks = std::min(max_blocks(relay, 40), 32u);
  const DeviceArray<int> flags(blocks), order(blocks * 40);
  int *pf = flags.data(), *po = order.data();
  void* arguments[] = {&pf, &po};
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)relay, blocks, 40, arguments), cudaSuccess);
  const std::vector<int> result = order.host();
  for (unsigned i = 0; i < blocks * 40; ++i) ASSERT_EQ(result[i], static_cast<int>(i / 40));
}

// A grid barrier of the student's own, from atomics: the classic lock-free inter-block barrier.
__global__ void own_barrier(int* arrived, int* values, int* sums) {
  const int blocks = static_cast<int>(gridDim.x);
  for (int round = 1; round <= 3; ++round) {
    if (threadIdx.x == 0) {
      values[blockIdx.x] += round;
      __threadfence();
      atomicAdd(arrived, 1);
      while (atomicAdd(arrived, 0) < 2 * round * blocks - blocks) {
      }
      int sum = 0;
      for (int b = 0; b < blocks; ++b) sum += *const_cast<volatile int*>(values + b);
      sums[blockIdx.x] = sum;
      atomicAdd(arrived, 1);
      while (atomicAdd(arrived, 0) < 2 * round * blocks) {
      }
    }
    __syncthreads();
  }
}

TEST(CooperativeLaunch, ABarrierMadeOfAtomicsOpens) {
  const unsigned blocks = std::min(max_blocks(own_barrier, 32), 16u);
  const DeviceArray<int> arrived(1), values(blocks), sums(blocks);
  int *pa = arrived.data(), *pv = values.data(), *ps = sums.data();
  void* arguments[] = {&pa, &pv, &ps};
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)own_barrier, blocks, 32, arguments), cudaSuccess);
  EXPECT_EQ(sums.host(), std::vector<int>(blocks, 6 * static_cast<int>(blocks)));
}

// Warp-wide operations of several blocks side by side.
__global__ void shuffles_between_barriers(int* out) {
  const cg::grid_group grid = cg::this_grid();
  int value = static_cast<int>(grid.thread_rank());
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  grid.sync();
  if (threadIdx.x % 32 < 5) {
    const cg::coalesced_group active = cg::coalesced_threads();
    grid.block_rank();
    if (active.thread_rank() == 0) out[grid.thread_rank() / 32] = value + static_cast<int>(active.size());
  }
}

TEST(CooperativeLaunch, WarpsOfDifferentBlocksStayApart) {
  const unsigned blocks = std::min(max_blocks(shuffles_between_barriers, 96), 6u);
  const DeviceArray<int> out(blocks * 3);
  int* po = out.data();
  void* arguments[] = {&po};
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)shuffles_between_barriers, blocks, 96, arguments),
            cudaSuccess);
  const std::vector<int> result = out.host();
  for (int w = 0; w < static_cast<int>(blocks) * 3; ++w)
    ASSERT_EQ(result[static_cast<std::size_t>(w)], 32 * 32 * w + 31 * 16 + 5);
}

__global__ void describe_grid(unsigned long long* out) {
  const cg::grid_group grid = cg::this_grid();
  if (blockIdx.x == 1 && blockIdx.y == 1 && threadIdx.x == 2) {
    out[0] = grid.is_valid();
    out[1] = grid.size();
    out[2] = grid.thread_rank();
    out[3] = grid.num_blocks();
    out[4] = grid.block_rank();
    out[5] = grid.group_dim().x * 100 + grid.group_dim().y;
    out[6] = grid.block_index().x * 100 + grid.block_index().y;
  }
}

TEST(CooperativeLaunch, AGridKnowsItself) {
  const DeviceArray<unsigned long long> out(7);
  unsigned long long* po = out.data();
  void* arguments[] = {&po};
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)describe_grid, dim3(2, 2), 8, arguments), cudaSuccess);
  EXPECT_EQ(out.host(), (std::vector<unsigned long long>{1, 32, 26, 4, 3, 202, 101}));
}

TEST(CooperativeLaunch, MoreBlocksThanTheDeviceHoldsAreRefused) {
  const DeviceArray<int> a(1), b(1);
  int *pa = a.data(), *pb = b.data(), steps = 1;
  void* arguments[] = {&pa, &pb, &steps};
  EXPECT_EQ(cudaLaunchCooperativeKernel((void*)rotate, max_blocks(rotate, 1024) + 1, 1024, arguments),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(CooperativeLaunch, AsManyBlocksAsTheDeviceHoldsRun) {
  const unsigned threads = 256, blocks = max_blocks(rotate, threads);
  const DeviceArray<int> a(blocks * threads), b(blocks * threads);
  int *pa = a.data(), *pb = b.data(), steps = 2;
  void* arguments[] = {&pa, &pb, &steps};
  ASSERT_EQ(cudaLaunchCooperativeKernel((void*)rotate, blocks, threads, arguments), cudaSuccess);
  EXPECT_EQ(a.host(), std::vector<int>(blocks * threads, 2));
}

// --- The other ways to launch by a call ---

__global__ void fill(float* x, float value, short n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < n) x[i] = value;
}
__global__ void sync_once(int* x) {
  x[cg::this_grid().thread_rank()] = 1;
  cg::this_grid().sync();
}

TEST(LaunchFunctions, AKernelIsLaunchedWithPointersToItsArguments) {
  const DeviceArray<float> x(32);
  float *px = x.data(), value = 2.5f;
  short n = 30;
  void* arguments[] = {&px, &value, &n};
  ASSERT_EQ(cudaLaunchKernel(fill, dim3(1), dim3(32), arguments, 0, nullptr), cudaSuccess);
  const std::vector<float> result = x.host();
  EXPECT_EQ(result[29], 2.5f);
  EXPECT_EQ(result[30], 0.0f);
}

TEST(LaunchFunctions, AConfigurationHasAttributes) {
  const DeviceArray<int> x(64);
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 2;
  config.blockDim = 32;
  config.attrs = &cooperative;
  config.numAttrs = 1;
  ASSERT_EQ(cudaLaunchKernelEx(&config, sync_once, x.data()), cudaSuccess);
  EXPECT_EQ(x.host(), std::vector<int>(64, 1));
  int* px = x.data();
  void* arguments[] = {&px};
  ASSERT_EQ(cudaLaunchKernelExC(&config, (const void*)sync_once, arguments), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}
