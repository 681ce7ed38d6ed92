// Loops and branches with barriers in them, in forms that the emulator runs region by region, as coroutines
// or on fibers. Ordinary CUDA: a GPU gives the same results.

#include <numeric>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

constexpr int threads = 128;

std::vector<int> counted(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

std::vector<int> prefix_sums(std::vector<int> values) {
  std::partial_sum(values.begin(), values.end(), values.begin());
  return values;
}

// What a kernel for one block of `threads` makes of 0, 1, 2, ...
template <class Kernel>
std::vector<int> result_of(Kernel kernel) {
  DeviceArray<int> x(counted(threads));
  kernel<<<1, threads>>>(x.data(), threads);
  return x.host();
}

}  // namespace

__global__ void scan_with_for(int* x, int n) {
  __shared__ int sums[2][threads];
  const int t = threadIdx.x;
  int current = 0;
  sums[0][t] = x[t];
  __syncthreads();
  for (int distance = 1; distance < n; distance *= 2) {
    const int before = t >= distance ? sums[current][t - distance] : 0;
    __syncthreads();
    sums[1 - current][t] = sums[current][t] + before;
    current = 1 - current;
    __syncthreads();
  }
  x[t] = sums[current][t];
}

__global__ void scan_with_while(int* x, int) {
  __shared__ int sums[threads];
  unsigned distance = 1;
  sums[threadIdx.x] = x[threadIdx.x];
  while (distance < blockDim.x) {
    __syncthreads();
    int mine = sums[threadIdx.x];
    if (threadIdx.x >= distance) mine += sums[threadIdx.x - distance];
    __syncthreads();
    sums[threadIdx.x] = mine;
    distance <<= 1;
  }
  x[threadIdx.x] = sums[threadIdx.x];
}

__global__ void scan_with_do(int* x, int n) {
  __shared__ int sums[threads];
  const auto t = threadIdx.x;
  int distance = 1;
  sums[t] = x[t];
  do {
    __syncthreads();
    const auto before = t < unsigned(distance) ? 0 : sums[t - distance];
    __syncthreads();
    sums[t] += before;
    distance += distance;
  } while (distance < n);
  x[t] = sums[t];
}

// Threads that disagree on how often they loop, but not at any barrier. Another loop's barriers are reached
// by all, as its bound is the same for all: only the program knows that.
__global__ void scan_with_a_bound_from_memory(int* x, int n) {
  __shared__ int sums[threads], bound;
  const int t = threadIdx.x;
  if (t == 0) bound = n;
  sums[t] = x[t];
  __syncthreads();
  for (int distance = 1; distance < bound; distance *= 2) {
    const int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  x[t] = sums[t];
}

__global__ void scan_that_breaks(int* x, int n) {
  __shared__ int sums[threads];
  const int t = threadIdx.x;
  sums[t] = x[t];
  __syncthreads();
  for (int distance = 1;; distance *= 2) {
    if (distance >= n) break;
    int before = 0;
    if (t >= distance) before = sums[t - distance];
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  x[t] = sums[t];
}

__global__ void scan_that_continues(int* x, int n) {
  __shared__ int sums[threads];
  const int t = threadIdx.x;
  sums[t] = x[t];
  __syncthreads();
  for (int distance = 1; distance < n; ++distance) {
    if ((distance & (distance - 1)) != 0) continue;
    const int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  x[t] = sums[t];
}

TEST(BarrierLoops, OfEveryKindScan) {
  const std::vector<int> expected = prefix_sums(counted(threads));
  EXPECT_EQ(result_of(scan_with_for), expected);
  EXPECT_EQ(result_of(scan_with_while), expected);
  EXPECT_EQ(result_of(scan_with_do), expected);
  EXPECT_EQ(result_of(scan_with_a_bound_from_memory), expected);
  EXPECT_EQ(result_of(scan_that_breaks), expected);
  EXPECT_EQ(result_of(scan_that_continues), expected);
}

__global__ void bitonic_sort(int* x, int n) {
  __shared__ int values[threads];
  const int t = threadIdx.x;
  values[t] = (x[t] * 77 + 5) % n;
  __syncthreads();
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const int other = t ^ j;
      if (other > t) {
        const bool up = (t & k) == 0;
        const int a = values[t], b = values[other];
        if ((a > b) == up) values[t] = b, values[other] = a;
      }
      __syncthreads();
    }
  x[t] = values[t];
}

TEST(BarrierLoops, NestedSort) { EXPECT_EQ(result_of(bitonic_sort), counted(threads)); }

// Variables that change, in loops and between them; one of each is declared again.
__global__ void carries_variables(int* x, int n) {
  __shared__ int turn[threads];
  int t = threadIdx.x;
  long long sum = 0;
  float4 v = make_float4(t, 0, 0, 0);
  int* place = x + t;
  for (unsigned i = 0; i < 3u; ++i) {
    int mine = t * 10 + i;
    turn[t] = mine;
    __syncthreads();
    sum += turn[(t + 1) % n] - mine;
    v.y += i;
    __syncthreads();
    mine += 1;
    v.z = mine;
    n += 0;
  }
  for (int i = 2; i >= 0; i--) {
    const int mine = t + i;
    __syncthreads();
    sum += mine;
    __syncthreads();
  }
  t += 1000;
  __syncthreads();
  *place = static_cast<int>(sum) + static_cast<int>(v.x + v.y + v.z) + t;
}

TEST(BarrierLoops, CarryVariablesFromRoundToRound) {
  std::vector<int> expected;
  for (int t = 0; t < threads; ++t) {
    int sum = 0;
    for (int i = 0; i < 3; ++i) sum += (t + 1) % threads * 10 - t * 10 + (t + i);
    expected.push_back(sum + t + 3 + (t * 10 + 3) + t + 1000);
  }
  EXPECT_EQ(result_of(carries_variables), expected);
}

__global__ void carries_arrays(int* x, int n) {
  __shared__ int row[threads];
  constexpr int rounds = 4;
  const int t = threadIdx.x;
  int sums[rounds] = {}, pairs[2][2];
  pairs[1][0] = t;
  for (int i = 0; i < rounds; ++i) {
    row[t] = x[t] + i;
    __syncthreads();
    for (int j = 0; j < rounds; ++j) sums[j] += row[(t + j) % n];
    __syncthreads();
  }
  x[t] = sums[0] + 2 * sums[1] + 3 * sums[2] + 4 * sums[3] + pairs[1][0];
}

TEST(BarrierLoops, CarryArraysFromRoundToRound) {
  std::vector<int> expected;
  for (int t = 0; t < threads; ++t) {
    int sum = t;
    for (int j = 0; j < 4; ++j) sum += (j + 1) * (4 * ((t + j) % threads) + 6);
    expected.push_back(sum);
  }
  EXPECT_EQ(result_of(carries_arrays), expected);
}

// What a pointer points to must be where it was.
__global__ void carries_addresses(int* x, int n) {
  __shared__ int row[threads];
  int sums[2] = {0, 0}, other = 0;
  int* which = threadIdx.x % 2 == 0 ? sums : &other;
  int& last = sums[1];
  for (int i = 0; i < 3; ++i) {
    row[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    *which += row[(threadIdx.x + 1) % n];
    last = i;
    __syncthreads();
  }
  x[threadIdx.x] = sums[0] + other + 1000 * sums[1];
}

TEST(BarrierLoops, KeepAddressesOfVariables) {
  std::vector<int> expected;
  for (int t = 0; t < threads; ++t) expected.push_back(3 * ((t + 1) % threads) + 2000);
  EXPECT_EQ(result_of(carries_addresses), expected);
}

// Threads return before a loop, in it, and after it. Those that have returned count as arrived.
__global__ void returns_early(int* x, int n) {
  __shared__ int row[threads];
  const int t = threadIdx.x;
  row[t] = t;
  if (t >= n - 28) return;
  __syncthreads();
  for (int i = 1; i <= 4; ++i) {
    const int next = row[(t + 1) % 100];
    if (t % 10 == i) {
      x[t] = -i;
      return;
    }
    __syncthreads();
    row[t] = next;
    __syncthreads();
  }
  if (t % 10 == 9) return;
  x[t] = row[t] + 1000;
}

TEST(BarrierLoops, ThreadsMayReturn) {
  std::vector<int> row = counted(100), expected = counted(threads);
  for (int i = 1; i <= 4; ++i) {
    const std::vector<int> before = row;
    for (int t = 0; t < 100; ++t)
      if (const int left = t % 10; left == 0 || left > i)
        row[static_cast<std::size_t>(t)] = before[static_cast<std::size_t>((t + 1) % 100)];
  }
  for (int t = 0; t < 100; ++t)
    if (const int left = t % 10; left != 9)
      expected[static_cast<std::size_t>(t)] =
          left >= 1 && left <= 4 ? -left : row[static_cast<std::size_t>(t)] + 1000;
  EXPECT_EQ(result_of(returns_early), expected);
}

// The first return is in a loop whose rounds keep several variables.
__global__ void returns_in_a_round(int* x, int n) {
  __shared__ int row[threads];
  const int t = threadIdx.x;
  row[t] = t;
  __syncthreads();
  for (int i = 1; i <= 4; ++i) {
    if (t % 10 == i) {
      x[t] = -i;
      return;
    }
    const int next = row[(t + 1) % n];
    __syncthreads();
    const int later = row[(t + 2) % n] - 2 * next;
    __syncthreads();
    row[t] = next;
    __syncthreads();
    x[t] = later + next;
  }
}

TEST(BarrierLoops, ThreadsMayReturnInARound) {
  std::vector<int> row = counted(threads), expected = counted(threads);
  const auto at = [](std::vector<int>& values, int t) -> int& { return values[static_cast<std::size_t>(t)]; };
  for (int i = 1; i <= 4; ++i) {
    std::vector<int> before = row;
    for (int t = 0; t < threads; ++t) {
      if (t % 10 == i) at(expected, t) = -i;
      if (t % 10 >= 1 && t % 10 <= i) continue;
      const int next = at(before, (t + 1) % threads);
      at(expected, t) = at(before, (t + 2) % threads) - next;
      at(row, t) = next;
    }
  }
  EXPECT_EQ(result_of(returns_in_a_round), expected);
}

// The only way out of the loop, in which the lanes of a warp part. A GPU may wait for ever here, as its lanes
// meet after the loop before they end: an H100 does at -O3, and not at -O0.
__global__ void returns_from_an_endless_loop(int* x, int) {
  for (int i = 0;; ++i) {
    if (i == static_cast<int>(threadIdx.x) % 5) return;
    __syncthreads();
    x[threadIdx.x] = i + 1;
  }
}

// Nobody divides by 0, as all have returned then.
__global__ void returns_before_a_division(int* x, int n) {
  const int t = threadIdx.x;
  const int zero = n - threads;
  x[t] = 1;
  if (zero == 0) return;
  const int quotient = n / zero;
  __syncthreads();
  x[t] = quotient;
}

TEST(BarrierLoops, EndWhenAllThreadsHaveReturned) {
#ifndef __CUDACC__
  std::vector<int> expected;
  for (int t = 0; t < threads; ++t) expected.push_back(t % 5 == 0 ? t : t % 5);
  EXPECT_EQ(result_of(returns_from_an_endless_loop), expected);
#endif
  EXPECT_EQ(result_of(returns_before_a_division), std::vector<int>(threads, 1));
}

// Branches that all threads take alike.
template <bool twice>
__global__ void branches(int* x, int n) {
  __shared__ int row[threads];
  const int t = threadIdx.x;
  int value = x[t];
  if constexpr (twice) {
    value *= 2;
    __syncthreads();
  }
  if (n > 100) {
    row[t] = value;
    __syncthreads();
    value = row[n - 1 - t];
  } else if (n > 50) {
    __syncthreads();
    value = -1;
  } else {
    value = -2;
  }
  __syncthreads();
  x[t] = value;
}

TEST(BarrierLoops, BranchesThatAllThreadsTakeAlike) {
  std::vector<int> expected;
  for (int t = 0; t < threads; ++t) expected.push_back(threads - 1 - t);
  EXPECT_EQ(result_of(branches<false>), expected);
  for (int& value : expected) value *= 2;
  EXPECT_EQ(result_of(branches<true>), expected);
}

__device__ void step(int& value, const int& by) { value += by; }
struct Stepper {
  __device__ void operator()(int& value) const { ++value; }
};

// A bound that is not the same for all any more: a function changes it, a reference does, a cast pointer
// does.
__global__ void changes_in_functions(int* x, int n) {
  __shared__ int row[threads];
  const int t = threadIdx.x;
  int rounds = 2, count = 0, bits = 5, flags = 0;
  Stepper step_on;
  if (t < 200) step(rounds, 1);
  int& same = count;
  *(unsigned*)&bits = 6;
  row[t] = t;
  __syncthreads();
  same = 10;
  step_on(flags);
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    step(count, row[(t + i) % n]);
    __syncthreads();
  }
  x[t] = count + bits * 1000 + flags * 10000;
}

TEST(BarrierLoops, VariablesThatFunctionsChange) {
  std::vector<int> expected;
  for (int t = 0; t < threads; ++t)
    expected.push_back(10 + t + (t + 1) % threads + (t + 2) % threads + 16000);
  EXPECT_EQ(result_of(changes_in_functions), expected);
}

template <class T>
__device__ void add_to(T&& value, int by) {
  value += by;
}
__device__ void skip(const int*& from, int n) { from += n; }
struct Adder {
  int& sum;
  __device__ explicit Adder(int& s) : sum(s) {}
  __device__ void add(int v) { sum += v; }
};
struct Reference {
  int& value;
};

// References of every kind: each of these variables is another one in each thread afterwards.
__global__ void changes_by_references(const int* from, int* x) {
  const int t = threadIdx.x;
  int forwarded = 0, constructed = 0, listed = 0, assigned = 0, later = t;
  add_to(forwarded, t);
  add_to(later, 100);
  skip(from, t);
  Adder adder(constructed);
  adder.add(t);
  const Reference reference{listed};
  reference.value += t;
  const Reference other = {assigned};
  other.value += t;
  __syncthreads();
  x[t] = forwarded + 2 * constructed + 3 * listed + 4 * assigned + 1000 * later + 1000000 * (*from - t);
}

TEST(BarrierLoops, VariablesThatReferencesChange) {
  DeviceArray<int> from(counted(threads)), x(threads);
  changes_by_references<<<1, threads>>>(from.data(), x.data());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<int> result = x.host();
  for (int t = 0; t < threads; ++t)
    ASSERT_EQ(result[static_cast<std::size_t>(t)], 10 * t + 1000 * (t + 100)) << t;
}

// Parameters are variables of the thread too.
__global__ void changes_parameters(int* x, int n) {
  __shared__ int row[threads];
  x += threadIdx.x;
  if (threadIdx.x % 2 == 1) n += 1000;
  row[threadIdx.x] = *x;
  __syncthreads();
  n += row[threads - 1 - threadIdx.x];
  __syncthreads();
  *x = n;
}

TEST(BarrierLoops, ParametersMayChange) {
  std::vector<int> expected;
  for (int t = 0; t < threads; ++t) expected.push_back(threads + t % 2 * 1000 + threads - 1 - t);
  EXPECT_EQ(result_of(changes_parameters), expected);
}

// A function of all threads takes a pointer that the kernel has with more qualifiers.
__device__ void reverse_row(int* x, int n) {
  __shared__ int row[threads];
  row[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = row[n - 1 - threadIdx.x];
}
__global__ void reverses_restricted(int* __restrict__ x, int n) { reverse_row(x, n); }

TEST(BarrierLoops, FunctionsTakeRestrictedPointers) {
  std::vector<int> expected;
  for (int t = 0; t < threads; ++t) expected.push_back(threads - 1 - t);
  EXPECT_EQ(result_of(reverses_restricted), expected);
}

template <int tile>
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  float sum = 0;
  for (int start = 0; start < n; start += tile) {
    as[ty][tx] = row < n && start + tx < n ? a[row * n + start + tx] : 0;
    bs[ty][tx] = start + ty < n && column < n ? b[(start + ty) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row >= n || column >= n) return;
  c[row * n + column] = sum;
}

TEST(BarrierLoops, TiledMatrixProduct) {
  constexpr int n = 37;
  std::vector<float> a, b, expected(n * n);
  for (int i = 0; i < n * n; ++i) {
    a.push_back(static_cast<float>(i % 7));
    b.push_back(static_cast<float>(i % 5));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) expected[i * n + j] += a[i * n + k] * b[k * n + j];
  DeviceArray<float> da(a), db(b), dc(n * n);
  multiply<8><<<dim3(5, 5), dim3(8, 8)>>>(da.data(), db.data(), dc.data(), n);
  EXPECT_EQ(dc.host(), expected);
  multiply<16><<<dim3(3, 3), dim3(16, 16)>>>(da.data(), db.data(), dc.data(), n);
  EXPECT_EQ(dc.host(), expected);
}

// Blocks of every shape: threads have their numbers, whatever order they run in.
__global__ void neighbours(int* x) {
  __shared__ int row[1024];
  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned count = blockDim.x * blockDim.y * blockDim.z;
  int sum = x[t];
  for (int i = 0; i < 2; ++i) {
    row[t] = sum;
    __syncthreads();
    sum += row[(t + 1) % count];
    __syncthreads();
  }
  x[t] = sum;
}

TEST(BarrierLoops, BlocksOfEveryShape) {
  for (const dim3 block :
       {dim3(1), dim3(7), dim3(5, 3), dim3(9, 2, 3), dim3(1, 11), dim3(3, 1, 5), dim3(33, 4)}) {
    const int count = static_cast<int>(block.x * block.y * block.z);
    DeviceArray<int> x(counted(count));
    neighbours<<<1, block>>>(x.data());
    std::vector<int> expected;
    for (int t = 0; t < count; ++t) expected.push_back(t + 2 * ((t + 1) % count) + (t + 2) % count);
    EXPECT_EQ(x.host(), expected) << block.x << 'x' << block.y << 'x' << block.z;
  }
}

// Arrays of a thread that live across a barrier of a condition, and are accessed 16 bytes at a time.
template <int size>
__global__ void by_vectors(float* x, int rounds) {
  __shared__ float4 staged[32];
  int odd = static_cast<int>(threadIdx.x);
  float one[size] = {0};
  float two[2][size], three[size];
  for (int i = 0; i < size; ++i) two[0][i] = two[1][i] = three[i] = static_cast<float>(i);
  for (int round = 0; round < rounds; ++round) {
    staged[threadIdx.x] = *reinterpret_cast<const float4*>(&x[4 * threadIdx.x]);
    if (round % 2 == 0) {
      __syncthreads();
      odd += 2;
    }
    *reinterpret_cast<float4*>(&two[round % 2][0]) = staged[threadIdx.x];
    *reinterpret_cast<float4*>(&one[size - 4]) = *reinterpret_cast<const float4*>(&two[round % 2][0]);
    *reinterpret_cast<float4*>(&three[0]) = *reinterpret_cast<const float4*>(&one[size - 4]);
  }
  x[4 * threadIdx.x] = one[size - 4] + two[1][1] + three[2] + static_cast<float>(odd);
}

TEST(BarrierLoops, ArraysOfAThreadAreAlignedForVectors) {
  DeviceArray<float> x(std::vector<float>(128, 1.F));
  by_vectors<8><<<1, 32>>>(x.data(), 3);
  const std::vector<float> got = x.host();
  for (std::size_t t = 0; t < 32; ++t) EXPECT_EQ(got[4 * t], 3 + static_cast<float>(t) + 4);
}
