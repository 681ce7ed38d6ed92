// Variables of a thread that change in unusual ways before a barrier, and are used after it. Ordinary CUDA: a
// GPU gives the same results.

#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

constexpr int threads = 64;

std::vector<int> values_of(void (*kernel)(int*)) {
  DeviceArray<int> x(std::vector<int>(threads, -1));
  kernel<<<1, threads>>>(x.data());
  return x.host();
}
/// What `of` gives for each thread.
template <class Of>
std::vector<int> for_each_thread(const Of& of) {
  std::vector<int> values;
  for (int t = 0; t < threads; ++t) values.push_back(of(t));
  return values;
}

}  // namespace

using Reference = int&;
typedef int& OtherReference;
typedef void Step(int&);
using OtherStep = void(int&);

__device__ void add_one(int& x) { x += 1; }
__device__ void add_one_to_alias(Reference x) { x += 1; }
__device__ void add_one_to_other(OtherReference x) { x += 1; }
template <class T>
__device__ void add_one_to_any(T x) {
  x += 1;
}

// Macros put parentheses around their arguments.
#define INCREMENTED(v) (++(v))
#define ADDED(v) add_one((v))
#define SET(v, value) ((v)) = (value)

__global__ void parentheses(int* x) {
  const int t = threadIdx.x;
  int a = t, b = t, c = t, d = t;
  INCREMENTED(a);
  ADDED(b);
  SET(c, t + 1);
  (d)++;
  __syncthreads();
  x[t] = a + b + c + d;
}

__global__ void conditions(int* x) {
  const int t = threadIdx.x;
  int a = t, b = t, c = t, d = t;
  (t % 2 == 0 ? a : b) += 1;
  add_one(t % 2 == 0 ? c : d);
  __syncthreads();
  x[t] = 1000 * (a - t) + 100 * (b - t) + 10 * (c - t) + (d - t);
}

__global__ void casts(int* x) {
  const int t = threadIdx.x;
  int a = t, b = t, c = t;
  float d = 1.f;
  const_cast<int&>(a) += 1;
  reinterpret_cast<unsigned&>(b) ^= 64u;
  (unsigned&)c += 1;
  reinterpret_cast<unsigned&>(d) ^= 1u << 31;
  __syncthreads();
  x[t] = a + b + c + static_cast<int>(d);
}

__global__ void hidden_references(int* x) {
  const int t = threadIdx.x;
  int a = t, b = t, c = t, d = t, e = t;
  Step* step = add_one;
  step(a);
  OtherStep* other = add_one;
  other(b);
  add_one_to_alias(c);
  add_one_to_other(d);
  add_one_to_any<int&>(e);
  __syncthreads();
  x[t] = a + b + c + d + e;
}

// What is only read is not kept, and a constant that regions compute again is one.
__global__ void only_read(int* x) {
  const int t = threadIdx.x;
  int twice = 2 * t;
  int* place = x + t;
  const int *const other = x + (t + 1) % blockDim.x, next = (t + 1) % static_cast<int>(blockDim.x);
  *place = (twice);
  __syncthreads();
  const int seen = next == 0 ? twice : *other;
  __syncthreads();
  *place = seen + (t < 3 ? twice : (t)) + next;
}

TEST(ChangedVariables, InParentheses) {
  EXPECT_EQ(values_of(parentheses), for_each_thread([](int t) { return 4 * (t + 1); }));
}
TEST(ChangedVariables, OfConditions) {
  EXPECT_EQ(values_of(conditions), for_each_thread([](int t) { return t % 2 == 0 ? 1010 : 101; }));
}
TEST(ChangedVariables, ByCasts) {
  EXPECT_EQ(values_of(casts), for_each_thread([](int t) { return t + 1 + (t ^ 64) + t + 1 - 1; }));
}
TEST(ChangedVariables, ByFunctionsWhoseParametersDoNotShowIt) {
  EXPECT_EQ(values_of(hidden_references), for_each_thread([](int t) { return 5 * (t + 1); }));
}
TEST(ChangedVariables, OnlyRead) {
  EXPECT_EQ(values_of(only_read), for_each_thread([](int t) {
              const int next = (t + 1) % threads;
              return (next == 0 ? 2 * t : 2 * (t + 1)) + (t < 3 ? 2 * t : t) + next;
            }));
}

// Variables of the device, which another thread changes.
__device__ int in_parentheses(100);
__device__ int with_attribute __attribute__((aligned(16))) = 100;
__device__ int first_of_two(100), second_of_two(100);

__global__ void of_the_device(int* x) {
  const int a = in_parentheses + threadIdx.x, b = with_attribute + threadIdx.x;
  const int c = second_of_two + threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) in_parentheses = with_attribute = second_of_two = 7;
  __syncthreads();
  x[threadIdx.x] = a + b + c;
}
TEST(ChangedVariables, OfTheDevice) {
  EXPECT_EQ(values_of(of_the_device), for_each_thread([](int t) { return 3 * (100 + t); }));
}

// The head of an inner loop changes what `place` was computed from.
__global__ void by_an_inner_loop(int* x) {
  for (int k = 0; k < 4;) {
    const int place = k * 16 + threadIdx.x;
    for (int r = 0; r < 2; ++r, ++k) __syncthreads();
    if (threadIdx.x < 16) x[place] = place;
    if (threadIdx.x < 16) x[place + 16] = place + 16;
  }
}
TEST(ChangedVariables, ByTheHeadOfAnInnerLoop) {
  EXPECT_EQ(values_of(by_an_inner_loop), for_each_thread([](int t) { return t; }));
}

// The quotient of a float is not a warp's number.
__global__ void divided_float(int* x) {
  float t = threadIdx.x;
  int votes = 0;
  if (t / 32 > 1.5f) {
    const unsigned here = __activemask();
    votes = __popc(__ballot_sync(here, threadIdx.x & 1));
  }
  x[threadIdx.x] = votes;
}
TEST(ChangedVariables, AFloatDividesNoWarps) {
  EXPECT_EQ(values_of(divided_float), for_each_thread([](int t) { return t > 48 ? 8 : 0; }));
}
