// Atomics of every type and scope: totals, returned values, wrap-around, and
// threads that wait for each other.

#include <cuda_fp16.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <cuda/atomic>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

constexpr int blocks = 37, threads = 96, total = blocks * threads;

template <class T>
__global__ void add_into_bins(T* bins, int bin_count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&bins[i % bin_count], static_cast<T>(1 + i % 5));
}

template <class T>
static void expect_exact_bins(int bin_count) {
  const DeviceArray<T> bins(static_cast<std::size_t>(bin_count));
  add_into_bins<<<blocks, threads>>>(bins.data(), bin_count);
  std::vector<double> expected(static_cast<std::size_t>(bin_count));
  for (int i = 0; i < total; ++i) expected[static_cast<std::size_t>(i % bin_count)] += 1 + i % 5;
  const auto got = bins.host();
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(static_cast<double>(got[i]), expected[i]) << "bin " << i;
}

TEST(DeviceAtomics, AddLosesNothingBetweenBlocks) {
  for (int bin_count : {1, 7, 256}) {
    expect_exact_bins<int>(bin_count);
    expect_exact_bins<unsigned>(bin_count);
    expect_exact_bins<unsigned long long>(bin_count);
    expect_exact_bins<float>(bin_count);
    expect_exact_bins<double>(bin_count);
  }
  expect_exact_bins<__half>(256);  // sums below 2048 are exact in half
}

template <class T>
__global__ void fold(const T* in, T* minimum, T* maximum, T* conjunction, T* disjunction, T* parity) {
  const T value = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicMin(minimum, value);
  atomicMax(maximum, value);
  atomicAnd(conjunction, value);
  atomicOr(disjunction, value);
  atomicXor(parity, value);
}

template <class T>
static void expect_folds() {
  std::vector<T> values;
  for (int i = 0; i < total; ++i)
    values.push_back(static_cast<T>((i * 7919ll - 12345678ll) * 3000000019ll) | T{64});
  const DeviceArray<T> in(values), low({values[7]}), high({values[7]}), conjunction({static_cast<T>(-1)}),
      disjunction({T{0}}), parity({T{0}});
  fold<<<blocks, threads>>>(in.data(), low.data(), high.data(), conjunction.data(), disjunction.data(),
                            parity.data());
  T all = static_cast<T>(-1), any = 0, odd = 0;
  for (T value : values) all = all & value, any = any | value, odd = odd ^ value;
  EXPECT_EQ(low.host()[0], *std::min_element(values.begin(), values.end()));
  EXPECT_EQ(high.host()[0], *std::max_element(values.begin(), values.end()));
  EXPECT_EQ(conjunction.host()[0], all);
  EXPECT_EQ(disjunction.host()[0], any);
  EXPECT_EQ(parity.host()[0], odd);
}

TEST(DeviceAtomics, MinMaxAndBitOperationsFoldEveryValue) {
  expect_folds<int>();
  expect_folds<unsigned>();
  expect_folds<long long>();
  expect_folds<unsigned long long>();
}

__global__ void take_tickets(unsigned* next, unsigned* tickets, unsigned* ring, unsigned* ring_tickets,
                             unsigned* down, unsigned* down_tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tickets[i] = atomicAdd(next, 1u);
  ring_tickets[i] = atomicInc(ring, 9u);
  down_tickets[i] = atomicDec(down, 9u);
}

TEST(DeviceAtomics, ReturnedValuesAreThoseOfSomeOrder) {
  const DeviceArray<unsigned> next({0u}), tickets(total), ring({0u}), ring_tickets(total), down({0u}),
      down_tickets(total);
  take_tickets<<<blocks, threads>>>(next.data(), tickets.data(), ring.data(), ring_tickets.data(),
                                    down.data(), down_tickets.data());
  auto order = tickets.host();
  std::sort(order.begin(), order.end());
  for (unsigned i = 0; i < total; ++i) ASSERT_EQ(order[i], i);
  EXPECT_EQ(ring.host()[0], total % 10u);
  EXPECT_EQ(down.host()[0], (10u - total % 10u) % 10u);
  for (const auto& turns : {ring_tickets.host(), down_tickets.host()}) {
    std::vector<int> seen(10);
    for (unsigned turn : turns) {
      ASSERT_LT(turn, 10u);
      ++seen[turn];
    }
    for (unsigned value = 0; value < 10; ++value)
      EXPECT_NEAR(seen[value], total / 10.0, 1.0) << "turn " << value;
  }
}

// One thread: what each atomic leaves behind and returns, at the edges of its range.
__global__ void edges(unsigned* u, int* s, unsigned short* h, float* f, unsigned long long* l) {
  u[0] = 5, u[1] = 9, u[2] = 20, u[3] = 0, u[4] = 20;
  u[5] = atomicInc(&u[0], 5u);    // wraps to 0
  u[6] = atomicInc(&u[1], 100u);  // 10
  u[7] = atomicInc(&u[2], 7u);    // beyond the limit: 0
  u[8] = atomicDec(&u[3], 7u);    // wraps to 7
  u[9] = atomicDec(&u[4], 7u);    // beyond the limit: 7
  s[0] = INT_MAX, s[1] = 7, s[2] = -3, s[3] = 10;
  s[4] = atomicAdd(&s[0], 1);   // wraps
  s[5] = atomicSub(&s[1], 10);  // -3
  s[6] = atomicExch(&s[2], 12);
  s[7] = atomicCAS(&s[3], 9, 1);   // no match
  s[8] = atomicCAS(&s[3], 10, 1);  // match
  h[0] = 3, h[1] = 4;
  h[2] = atomicCAS(&h[0], static_cast<unsigned short>(3), static_cast<unsigned short>(65535));
  f[0] = -1.5f;
  f[1] = atomicExch(&f[0], 2.25f);
  l[0] = 1ull << 40;
  l[1] = atomicCAS(&l[0], 1ull << 40, 1ull << 50);
  l[2] = atomicExch(&l[0], 3ull);
}

TEST(DeviceAtomics, OneThreadSeesTheDefinedResultAtEveryEdge) {
  const DeviceArray<unsigned> u(10);
  const DeviceArray<int> s(9);
  const DeviceArray<unsigned short> h(3);
  const DeviceArray<float> f(2);
  const DeviceArray<unsigned long long> l(3);
  edges<<<1, 1>>>(u.data(), s.data(), h.data(), f.data(), l.data());
  EXPECT_EQ(u.host(), (std::vector<unsigned>{0, 10, 0, 7, 7, 5, 9, 20, 0, 20}));
  EXPECT_EQ(s.host(), (std::vector<int>{INT_MIN, -3, 12, 1, INT_MAX, 7, -3, 10, 10}));
  EXPECT_EQ(h.host(), (std::vector<unsigned short>{65535, 4, 3}));
  EXPECT_EQ(f.host(), (std::vector<float>{2.25f, -1.5f}));
  EXPECT_EQ(l.host(), (std::vector<unsigned long long>{3, 1ull << 40, 1ull << 50}));
}

__global__ void scoped_sums(int* block_sums, double* doubles, unsigned* system) {
  __shared__ int sum;
  __shared__ double wide;
  if (threadIdx.x == 0) sum = 0, wide = 0;
  __syncthreads();  // the sums are zero
  atomicAdd_block(&sum, static_cast<int>(threadIdx.x));
  atomicAdd_block(&wide, 0.5);
  atomicMax_system(system, blockIdx.x * blockDim.x + threadIdx.x);
  __syncthreads();  // everyone has added
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum, doubles[blockIdx.x] = wide;
}

TEST(DeviceAtomics, BlockAndSystemScopesAddUpInSharedAndGlobalMemory) {
  const DeviceArray<int> sums(blocks);
  const DeviceArray<double> doubles(blocks);
  const DeviceArray<unsigned> system({0u});
  scoped_sums<<<blocks, threads>>>(sums.data(), doubles.data(), system.data());
  EXPECT_EQ(sums.host(), std::vector<int>(blocks, threads * (threads - 1) / 2));
  EXPECT_EQ(doubles.host(), std::vector<double>(blocks, threads * 0.5));
  EXPECT_EQ(system.host()[0], total - 1u);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void add_vectors(float2* two, float4* four, __half2* halves) {
  atomicAdd(two, make_float2(1.0f, -2.0f));
  atomicAdd(four, make_float4(1.0f, 2.0f, 3.0f, -4.0f));
  if (blockIdx.x == 0) atomicAdd(halves, __floats2half2_rn(1.0f, -0.5f));
}

TEST(DeviceAtomics, VectorsAddElementByElement) {
  const DeviceArray<float2> two({make_float2(0.0f, 0.0f)});
  const DeviceArray<float4> four({make_float4(0.0f, 0.0f, 0.0f, 0.0f)});
  const DeviceArray<__half2> halves({__floats2half2_rn(0.0f, 0.0f)});
  add_vectors<<<blocks, threads>>>(two.data(), four.data(), halves.data());
  EXPECT_EQ(two.host()[0].x, total);
  EXPECT_EQ(two.host()[0].y, -2.0f * total);
  const float4 sums = four.host()[0];
  EXPECT_EQ(sums.x, total);
  EXPECT_EQ(sums.y, 2.0f * total);
  EXPECT_EQ(sums.z, 3.0f * total);
  EXPECT_EQ(sums.w, -4.0f * total);
  EXPECT_EQ(__low2float(halves.host()[0]), threads);
  EXPECT_EQ(__high2float(halves.host()[0]), -0.5f * threads);
}
#endif

// A maximum of floats as everyone writes it, by compare-and-swap.
__global__ void float_maximum(int* bits, const float* in) {
  const float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  int seen = *bits;
  while (value > __int_as_float(seen)) {
    const int before = atomicCAS(bits, seen, __float_as_int(value));
    if (before == seen) break;
    seen = before;
  }
}

TEST(DeviceAtomics, ACompareAndSwapLoopFindsTheMaximum) {
  std::vector<float> values;
  for (int i = 0; i < total; ++i) values.push_back(static_cast<float>((i * 7919) % 10007) - 5000.5f);
  const DeviceArray<float> in(values);
  const DeviceArray<int> bits({static_cast<int>(0xff7fffff)});  // -FLT_MAX
  float_maximum<<<blocks, threads>>>(bits.data(), in.data());
  const int got = bits.host()[0];
  float maximum;
  memcpy(&maximum, &got, sizeof(maximum));
  EXPECT_EQ(maximum, *std::max_element(values.begin(), values.end()));
}

// Three locks around a plain counter; inside, the holder lets others run, so that they do spin.
__global__ void lock_by_cas(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  const int before = *static_cast<volatile int*>(counter);
  __nanosleep(20);
  *static_cast<volatile int*>(counter) = before + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void lock_by_exchange(int* lock, int* counter) {
  while (atomicExch(lock, 1) == 1) {
  }
  __threadfence();
  const int before = *static_cast<volatile int*>(counter);
  __nanosleep(20);
  *static_cast<volatile int*>(counter) = before + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void lock_by_ticket(unsigned* next, unsigned* serving, int* counter) {
  const unsigned mine = atomicAdd(next, 1u);
  while (atomicAdd(serving, 0u) != mine) {
  }
  __threadfence();
  const int before = *static_cast<volatile int*>(counter);
  *static_cast<volatile int*>(counter) = before + 1;
  __threadfence();
  atomicAdd(serving, 1u);
}

TEST(DeviceAtomics, SpinLocksFinishAndExclude) {
  const DeviceArray<int> locks({0, 0}), counters({0, 0, 0});
  const DeviceArray<unsigned> tickets({0u, 0u});
  lock_by_cas<<<4, 64>>>(&locks.data()[0], &counters.data()[0]);
  lock_by_exchange<<<4, 64>>>(&locks.data()[1], &counters.data()[1]);
  lock_by_ticket<<<4, 64>>>(&tickets.data()[0], &tickets.data()[1], &counters.data()[2]);
  EXPECT_EQ(counters.host(), (std::vector<int>{256, 256, 256}));
}

#if __CUDACC_VER_MAJOR__ >= 13
// The same with the functions that name an order and a scope.
__global__ void lock_with_orders(int* lock, int* counter, unsigned* values) {
  int expected = 0;
  while (!__nv_atomic_compare_exchange_n(lock, &expected, 1, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED,
                                         __NV_THREAD_SCOPE_DEVICE))
    expected = 0;
  *counter = *counter + 1;
  __nv_atomic_store_n(lock, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(&values[0], 2u, __NV_ATOMIC_RELAXED);
  __nv_atomic_max(&values[1], threadIdx.x, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_or(&values[2], 1u << threadIdx.x % 32, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  if (threadIdx.x == 0 && __nv_atomic_load_n(&values[3], __NV_ATOMIC_RELAXED) != 8u)
    __nv_atomic_exchange_n(&values[3], 9u, __NV_ATOMIC_RELAXED);
}

TEST(DeviceAtomics, FunctionsWithAnOrderAndAScope) {
  const DeviceArray<int> lock({0}), counter({0});
  const DeviceArray<unsigned> values({0u, 0u, 0u, 0u});
  lock_with_orders<<<4, 64>>>(lock.data(), counter.data(), values.data());
  EXPECT_EQ(counter.host(), (std::vector<int>{256}));
  EXPECT_EQ(values.host(), (std::vector<unsigned>{512, 63, 0xffffffff, 9}));
}
#endif

__global__ void step_beyond_limits(int* narrow, long long* wide) {
  using cuda::atomic_ref;
  atomic_ref<int, cuda::thread_scope_device>(narrow[0]).fetch_sub(1);
  atomic_ref<int, cuda::thread_scope_device>(narrow[1]).fetch_add(1);
  atomic_ref<long long, cuda::thread_scope_device>(wide[0]).fetch_sub(1);
  atomic_ref<long long, cuda::thread_scope_device>(wide[1]).fetch_add(1);
}

TEST(DeviceAtomics, SignedIntegersWrap) {
  const DeviceArray<int> narrow({INT_MIN, INT_MAX});
  const DeviceArray<long long> wide({LLONG_MIN, LLONG_MAX});
  step_beyond_limits<<<1, 1>>>(narrow.data(), wide.data());
  EXPECT_EQ(narrow.host(), (std::vector<int>{INT_MAX, INT_MIN}));
  EXPECT_EQ(wide.host(), (std::vector<long long>{LLONG_MAX, LLONG_MIN}));
}

// A consumer that waits for a flag which a later thread of its own warp sets.
__global__ void wait_for_a_later_lane(int* flag, int* data, int* out) {
  if (threadIdx.x == 0) {
    while (atomicOr(flag, 0) == 0) {
    }
    __threadfence();
    *out = *static_cast<volatile int*>(data);
  } else if (threadIdx.x == 31) {
    *static_cast<volatile int*>(data) = 42;
    __threadfence();
    atomicExch(flag, 1);
  }
}

TEST(DeviceAtomics, APollingThreadLetsALaterLaneRun) {
  const DeviceArray<int> flag({0}), data({0}), out({0});
  wait_for_a_later_lane<<<1, 32>>>(flag.data(), data.data(), out.data());
  EXPECT_EQ(out.host()[0], 42);
}

// A warp waits for flags of the others, which wait for its own. No loop has an atomic, a fence or a barrier.
__global__ void wait_for_other_warps(int* out) {
  __shared__ volatile int flags[32], done;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  const bool looks = lane > 0 && lane < warps;
  if (lane == 0) flags[warp] = 0;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  if (warp == 0) {
    while (__any_sync(0xffffffffu, looks && flags[lane] == 0)) {
    }
    if (lane == 0) done = 1;
    unsigned rounds = 0;
    while (__any_sync(0xffffffffu, looks && flags[lane] == 1)) ++rounds;
    out[lane] = static_cast<int>(rounds);
  } else {
    if (lane == 0) flags[warp] = 1;
    for (; done == 0;)
      ;
    int seen;
    do {
      seen = done;
    } while (seen == 0);
    if (lane == 0) flags[warp] = 2;
    out[threadIdx.x] = 1;
  }
}

TEST(DeviceAtomics, WarpsWaitForEachOthersFlags) {
  for (const int threads : {64, 96, 256, 1024}) {
    const DeviceArray<int> out(static_cast<std::size_t>(threads));
    wait_for_other_warps<<<2, threads>>>(out.data());
    const std::vector<int> got = out.host();
    for (std::size_t i = 32; i < got.size(); ++i) EXPECT_EQ(got[i], 1) << i;
  }
}
