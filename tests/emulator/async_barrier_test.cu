// cuda::barrier, cuda::atomic, asynchronous copies and pipelines. Ordinary CUDA:
// a GPU gives the same results.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <numeric>
#include <vector>

#include "tests/emulator/device_array.hpp"

#ifdef __CUDACC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace cg = cooperative_groups;
using warplab::test::DeviceArray;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

namespace {

std::vector<int> counted(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

}  // namespace

// --- cuda::barrier ---

__global__ void reverse_with_barrier(int* x) {
  __shared__ int tile[128];
  __shared__ block_barrier bar;
  const unsigned t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    tile[t] = x[t];
    bar.arrive_and_wait();
    x[t] = tile[blockDim.x - 1 - t] + 1;
    bar.arrive_and_wait();
  }
}

TEST(AsyncBarrier, ThreadsWaitForEachOtherPhaseByPhase) {
  const DeviceArray<int> x(counted(128));
  reverse_with_barrier<<<1, 128>>>(x.data());
  const std::vector<int> result = x.host();
  for (int i = 0; i < 128; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], 127 - i + 3);
}

// Arriving says "my value is there"; work that needs no other thread's value is before the wait.
__global__ void arrive_early(const int* in, int* out) {
  __shared__ int tile[64];
  __shared__ block_barrier bar;
  const unsigned t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  tile[t] = in[t];
  block_barrier::arrival_token token = bar.arrive();
  const int own = in[t] * 1000;
  bar.wait(std::move(token));
  out[t] = own + tile[(t + 1) % 64];
}

TEST(AsyncBarrier, ArrivingAndWaitingAreApart) {
  const DeviceArray<int> in(counted(64)), out(64);
  arrive_early<<<1, 64>>>(in.data(), out.data());
  const std::vector<int> result = out.host();
  for (int i = 0; i < 64; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], i * 1000 + (i + 1) % 64);
}

// Half of the threads leave after the first phase: the others go on without them.
__global__ void leave_early(int* out) {
  __shared__ int count;
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    count = 0;
  }
  __syncthreads();
  atomicAdd(&count, 1);
  if (threadIdx.x % 2 == 1) {
    bar.arrive_and_drop();
    return;
  }
  bar.arrive_and_wait();
  atomicAdd(&count, 100);
  bar.arrive_and_wait();
  if (threadIdx.x == 0) *out = count;
}

TEST(AsyncBarrier, WhoDropsOutIsWaitedForNoLonger) {
  const DeviceArray<int> out(1);
  leave_early<<<1, 96>>>(out.data());
  EXPECT_EQ(out.host()[0], 96 + 48 * 100);
}

// One warp produces, the others consume, through two barriers: full and empty.
__device__ void produce(block_barrier* full, block_barrier* empty, int* slot, const int* in, int n) {
  for (int i = 0; i < n; i += 32) {
    empty->arrive_and_wait();
    slot[threadIdx.x] = in[i + static_cast<int>(threadIdx.x)];
    (void)full->arrive();
  }
}
__device__ int consume(block_barrier* full, block_barrier* empty, const int* slot, int n) {
  int sum = 0;
  for (int i = 0; i < n; i += 32) {
    (void)empty->arrive();
    full->arrive_and_wait();
    sum += slot[threadIdx.x % 32];
  }
  return sum;
}
__global__ void produce_and_consume(const int* in, int n, int* sums) {
  __shared__ int slot[32];
  __shared__ block_barrier full, empty;
  if (threadIdx.x == 0) {
    init(&full, blockDim.x);
    init(&empty, blockDim.x);
  }
  __syncthreads();
  if (threadIdx.x < 32)
    produce(&full, &empty, slot, in, n);
  else
    sums[threadIdx.x - 32] = consume(&full, &empty, slot, n);
}

TEST(AsyncBarrier, OneWarpProducesWhatOthersConsume) {
  const DeviceArray<int> in(counted(320)), sums(64);
  produce_and_consume<<<1, 96>>>(in.data(), 320, sums.data());
  const std::vector<int> result = sums.host();
  for (int i = 0; i < 64; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], 10 * (i % 32) + 32 * 45);
}

// --- cuda::memcpy_async onto a barrier ---

__global__ void copy_onto_barrier(const int* in, int* out, int n) {
  extern __shared__ int staged[];
  __shared__ block_barrier bar;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, staged, in, sizeof(int) * n, bar);
  bar.arrive_and_wait();
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
    out[i] = staged[n - 1 - i];
}

TEST(AsyncCopy, AGroupCopiesOntoABarrier) {
  for (int n : {1, 31, 64, 1000, 1001}) {
    const DeviceArray<int> in(counted(n)), out(static_cast<std::size_t>(n));
    copy_onto_barrier<<<1, 64, sizeof(int) * 1001>>>(in.data(), out.data(), n);
    const std::vector<int> result = out.host();
    for (int i = 0; i < n; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], n - 1 - i) << "n = " << n;
  }
}

// Every thread copies 16 bytes of its own, and all read another's.
__global__ void copy_own_and_read_others(const int4* in, int* out) {
  __shared__ int4 staged[64];
  __shared__ block_barrier bar;
  const unsigned t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&staged[t], &in[t], cuda::aligned_size_t<16>(16), bar);
  bar.arrive_and_wait();
  const int4 other = staged[63 - t];
  out[t] = other.x + other.w;
}

TEST(AsyncCopy, EachThreadCopiesItsOwn) {
  const DeviceArray<int> in(counted(256)), out(64);
  copy_own_and_read_others<<<1, 64>>>(reinterpret_cast<const int4*>(in.data()), out.data());
  const std::vector<int> result = out.host();
  for (int i = 0; i < 64; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], 2 * 4 * (63 - i) + 3);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// One thread starts a bulk copy whose bytes the barrier counts (sm_90).
__global__ void copy_in_bulk(const int* in, int* out) {
  __shared__ alignas(16) int staged[256];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(staged, in, cuda::aligned_size_t<16>(sizeof staged), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof staged);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) out[i] = staged[i] * 2;
}
#else
__global__ void copy_in_bulk(const int*, int*) {}
#endif

TEST(AsyncCopy, ABarrierCountsTheBytesOfABulkCopy) {
  cudaDeviceProp device;
  ASSERT_EQ(cudaGetDeviceProperties(&device, 0), cudaSuccess);
  if (device.major < 9) GTEST_SKIP() << "needs sm_90";
  const DeviceArray<int> in(counted(256)), out(256);
  copy_in_bulk<<<1, 64>>>(in.data(), out.data());
  const std::vector<int> result = out.host();
  for (int i = 0; i < 256; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], 2 * i);
}

// --- __pipeline_memcpy_async ---

__global__ void double_buffer(const float* in, float* out, int tiles) {
  __shared__ float buffer[2][128];
  const unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&buffer[0][t], in + t, sizeof(float));
  __pipeline_commit();
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles)
      __pipeline_memcpy_async(&buffer[(tile + 1) % 2][t], in + (tile + 1) * 128 + static_cast<int>(t),
                              sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[tile * 128 + static_cast<int>(t)] = buffer[tile % 2][127 - t];
    __syncthreads();
  }
}

TEST(AsyncCopy, TwoBuffersTakeTurns) {
  std::vector<float> values(128 * 7);
  std::iota(values.begin(), values.end(), 0.0f);
  const DeviceArray<float> in(values), out(values.size());
  double_buffer<<<1, 128>>>(in.data(), out.data(), 7);
  const std::vector<float> result = out.host();
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(result[i], values[i / 128 * 128 + 127 - i % 128]);
}

__global__ void fill_with_zeros(const int* in, int4* out) {
  __shared__ int4 words[4];
  __pipeline_memcpy_async(&words[threadIdx.x], in + 4 * threadIdx.x, 16, 4 * threadIdx.x);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = words[threadIdx.x];
}

TEST(AsyncCopy, TheEndOfACopyMayBeZeros) {
  const DeviceArray<int> in(std::vector<int>(16, 7)), out(16);
  fill_with_zeros<<<1, 4>>>(in.data(), reinterpret_cast<int4*>(out.data()));
  EXPECT_EQ(out.host(), (std::vector<int>{7, 7, 7, 7, 7, 7, 7, 0, 7, 7, 0, 0, 7, 0, 0, 0}));
}

__global__ void stages_of_a_group(const int* in, int* out) {
  __shared__ int stage[2][96];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, stage[0], in, sizeof(int) * 96);
  cg::memcpy_async(block, stage[1], in + 96, cuda::aligned_size_t<16>(sizeof(int) * 96));
  cg::wait_prior<1>(block);
  const int first = stage[0][95 - threadIdx.x];
  cg::wait(block);
  out[threadIdx.x] = first * 1000 + stage[1][95 - threadIdx.x];
}

TEST(AsyncCopy, AGroupWaitsForItsOlderCopies) {
  const DeviceArray<int> in(counted(192)), out(96);
  stages_of_a_group<<<1, 96>>>(in.data(), out.data());
  const std::vector<int> result = out.host();
  for (int i = 0; i < 96; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], (95 - i) * 1000 + 191 - i);
}

// --- cuda::pipeline ---

__global__ void thread_pipeline(const int* in, int* out, int n) {
  constexpr int stages = 3;
  __shared__ int staged[stages][32];
  const int t = static_cast<int>(threadIdx.x);
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  int fetched = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    for (; fetched < n && fetched < i + stages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&staged[fetched % stages][t], &in[fetched * 32 + t], sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 3 + staged[i % stages][t];
    pipe.consumer_release();
  }
  out[t] = sum;
}

// A wait goes on to the next stage by itself.
__global__ void pipeline_without_releases(const int* in, int* out) {
  __shared__ int staged[3][32];
  const int t = static_cast<int>(threadIdx.x);
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < 3; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&staged[i][t], &in[i * 32 + t], sizeof(int), pipe);
    pipe.producer_commit();
  }
  for (int i = 0; i < 3; ++i) {
    pipe.consumer_wait();
    out[i * 32 + t] = staged[i][t];
  }
}

TEST(Pipeline, AThreadNeedNotReleaseItsStages) {
  const DeviceArray<int> in(counted(96)), out(96);
  pipeline_without_releases<<<1, 32>>>(in.data(), out.data());
  EXPECT_EQ(out.host(), counted(96));
}

TEST(Pipeline, AThreadsStagesComeInOrder) {
  const DeviceArray<int> in(counted(32 * 8)), out(32);
  thread_pipeline<<<1, 32>>>(in.data(), out.data(), 8);
  const std::vector<int> result = out.host();
  for (int t = 0; t < 32; ++t) {
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum = sum * 3 + i * 32 + t;
    ASSERT_EQ(result[static_cast<std::size_t>(t)], sum);
  }
}

// The block's threads produce and consume together.
template <int Stages>
__global__ void block_pipeline(const int* in, int* out, int tiles) {
  extern __shared__ int staged[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  const auto block = cg::this_thread_block();
  const int size = static_cast<int>(block.size()), t = static_cast<int>(block.thread_rank());
  auto pipe = cuda::make_pipeline(block, &state);
  int fetched = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    for (; fetched < tiles && fetched < tile + Stages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, staged + fetched % Stages * size, in + fetched * size, sizeof(int) * size,
                         pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[tile * size + t] = staged[tile % Stages * size + size - 1 - t];
    pipe.consumer_release();
  }
}

TEST(Pipeline, ABlocksThreadsProduceAndConsume) {
  constexpr int size = 64, tiles = 9;
  const DeviceArray<int> in(counted(size * tiles)), one(size * tiles), two(size * tiles), four(size * tiles);
  block_pipeline<1><<<1, size, 1 * size * sizeof(int)>>>(in.data(), one.data(), tiles);
  block_pipeline<2><<<1, size, 2 * size * sizeof(int)>>>(in.data(), two.data(), tiles);
  block_pipeline<4><<<1, size, 4 * size * sizeof(int)>>>(in.data(), four.data(), tiles);
  std::vector<int> expected(size * tiles);
  for (int i = 0; i < size * tiles; ++i)
    expected[static_cast<std::size_t>(i)] = i / size * size + size - 1 - i % size;
  EXPECT_EQ(one.host(), expected);
  EXPECT_EQ(two.host(), expected);
  EXPECT_EQ(four.host(), expected);
}

// One warp fetches, the other works.
__global__ void specialised_warps(const int* in, int* out, int tiles) {
  __shared__ int staged[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state,
                                  produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (int tile = 0; tile < tiles; ++tile) {
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(&staged[tile % 2][lane], &in[tile * 32 + lane], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[tile * 32 + lane] = staged[tile % 2][31 - lane];
      pipe.consumer_release();
    }
  }
}

TEST(Pipeline, WarpsSpecialise) {
  const DeviceArray<int> in(counted(32 * 6)), out(32 * 6);
  specialised_warps<<<1, 64>>>(in.data(), out.data(), 6);
  const std::vector<int> result = out.host();
  for (int i = 0; i < 32 * 6; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], i / 32 * 32 + 31 - i % 32);
}

// --- cuda::atomic ---

__global__ void count_with_atomic_ref(int* counter, unsigned* most, float* sum) {
  cuda::atomic_ref<int, cuda::thread_scope_device> total(*counter);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*most).fetch_max(blockIdx.x * blockDim.x +
                                                                         threadIdx.x);
  cuda::atomic_ref<float, cuda::thread_scope_device>(*sum).fetch_add(0.5f, cuda::memory_order_relaxed);
  ++total;
  total += 2;
  total.fetch_sub(1, cuda::memory_order_relaxed);
}

TEST(ScopedAtomic, ReferencesCount) {
  const DeviceArray<int> counter(1);
  const DeviceArray<unsigned> most(1);
  const DeviceArray<float> sum(1);
  count_with_atomic_ref<<<8, 64>>>(counter.data(), most.data(), sum.data());
  EXPECT_EQ(counter.host()[0], 2 * 512);
  EXPECT_EQ(most.host()[0], 511u);
  EXPECT_EQ(sum.host()[0], 256.0f);
}

// A ticket lock, held by one thread of each block.
__global__ void take_turns(cuda::atomic<int, cuda::thread_scope_device>* ticket,
                           cuda::atomic<int, cuda::thread_scope_device>* turn, int* total) {
  if (threadIdx.x == 0) {
    const int mine = ticket->fetch_add(1, cuda::std::memory_order_relaxed);
    while (turn->load(cuda::std::memory_order_acquire) != mine) {
    }
    *total += mine;
    turn->store(mine + 1, cuda::std::memory_order_release);
  }
}

TEST(ScopedAtomic, ATicketLockIsFair) {
  using Atomic = cuda::atomic<int, cuda::thread_scope_device>;
  static_assert(sizeof(Atomic) == sizeof(int));
  const DeviceArray<int> words(2), total(1);
  auto* atomics = reinterpret_cast<Atomic*>(words.data());
  take_turns<<<32, 32>>>(atomics, atomics + 1, total.data());
  EXPECT_EQ(total.host()[0], 31 * 32 / 2);
}

__global__ void hand_over(int* data, int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
  if (threadIdx.x == 0) flag.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 32) {
    *data = 42;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
    flag.store(1, cuda::memory_order_relaxed);
  }
  if (threadIdx.x == 0) {
    int expected = 1;
    while (!flag.compare_exchange_weak(expected, 2, cuda::memory_order_acquire)) expected = 1;
    *out = *data + flag.exchange(5) * 100;
  }
}

TEST(ScopedAtomic, AFlagHandsDataOver) {
  const DeviceArray<int> data(1), out(1);
  hand_over<<<1, 64>>>(data.data(), out.data());
  EXPECT_EQ(out.host()[0], 242);
}
