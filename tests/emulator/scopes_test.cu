// Names that stand for different things in different scopes: what shared memory at file scope hides and is
// hidden by, and constants as arguments of a kernel's template. Ordinary CUDA: a GPU gives the same results.

#include <type_traits>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

// Before the variable: this name is of the function only.
__device__ int before_the_variable(int tile) { return tile + 1; }

__shared__ int tile[32];

namespace one {
__shared__ int mine[32];
__global__ void put(int* out) {
  mine[threadIdx.x] = 1;
  out[threadIdx.x] = mine[threadIdx.x];
}
}  // namespace one

namespace two {
__shared__ int mine[32];
__global__ void put(int* out) {
  mine[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = 10 * mine[31 - threadIdx.x];
}
}  // namespace two

namespace two::inner {
struct Pair {
  int first, second;
};
__shared__ int mine[32], deep;
__shared__ Pair pair;
}  // namespace two::inner

namespace one {
// From here `inner::deep` is not that of namespace two.
namespace inner {
__shared__ int deep;
}
__global__ void qualified(int* out) {
  mine[threadIdx.x] = 1;
  one::mine[1] = 11;
  two::mine[0] = 2;
  ::two::inner::mine[0] = 3;
  inner::deep = 4;
  two::inner::deep = 5;
  two::inner::pair.second = 8;
  ::tile[0] = 6;
  const int tile = 7;
  out[0] = mine[0];
  out[1] = mine[1];
  out[2] = ::two::mine[0];
  out[3] = two::inner::mine[0];
  out[4] = one::inner::deep;
  out[5] = two::inner::deep;
  out[6] = ::tile[0];
  out[7] = tile;
  out[8] = two::inner::pair.second;
}
}  // namespace one

namespace {

__device__ int parameter(const int* tile, int i) { return tile[i]; }
__device__ int local(int n) {
  const int tile = 3;
  return tile * n;
}
__device__ int block_in_function() {
  int sum = tile[0];
  for (int tile = 0; tile < 3; ++tile) sum += tile;
  return sum;
}
__device__ int later_local() {
  const int sum = tile[1];
  const int tile = 7;
  return sum + tile;
}

__global__ void all_functions(const int* in, int* out) {
  tile[threadIdx.x] = 10 + threadIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[0] = parameter(in, 1);
  out[1] = local(2);
  out[2] = block_in_function();
  out[3] = later_local();
  out[4] = before_the_variable(1);
}

__global__ void parameter_of_a_kernel(int* tile, int* out) {
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = 2 * tile[threadIdx.x];
}

// By regions, were it not for the local variable.
__global__ void local_over_a_barrier(int* out) {
  __shared__ int other[32];
  const int tile = threadIdx.x;
  other[threadIdx.x] = tile;
  __syncthreads();
  out[threadIdx.x] = other[31 - threadIdx.x] + tile;
}

__global__ void barriers_in_a_loop(int* out) {
  for (int i = 0; i < 2; ++i) {
    tile[threadIdx.x] = threadIdx.x + i;
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
    __syncthreads();
  }
}

template <int n, class T = int>
__global__ void constant(T* out) {
  out[threadIdx.x] = n;
}
template <class c>
__global__ void of_type(c* out) {
  out[threadIdx.x] = 9;
}
template <class c>
void launch_of_type(c* out) {
  of_type<c><<<1, 1>>>(out);  // here c is a type
}

struct Config {
  int n;
  constexpr int twice() const { return 2 * n; }
};

}  // namespace

TEST(Scopes, ANameMeansWhatItsScopeSays) {
  DeviceArray<int> in({5, 6}), out(5);
  all_functions<<<1, 32>>>(in.data(), out.data());
  EXPECT_EQ(out.host(), (std::vector<int>{6, 6, 13, 18, 2}));
}

TEST(Scopes, AParameterOfAKernelHidesSharedMemory) {
  DeviceArray<int> x(32), out(32);
  parameter_of_a_kernel<<<1, 32>>>(x.data(), out.data());
  EXPECT_EQ(x.host()[31], 31);
  EXPECT_EQ(out.host()[31], 62);
}

TEST(Scopes, ALocalVariableHidesSharedMemoryOverABarrier) {
  DeviceArray<int> out(32);
  local_over_a_barrier<<<1, 32>>>(out.data());
  EXPECT_EQ(out.host(), std::vector<int>(32, 31));
  barriers_in_a_loop<<<1, 32>>>(out.data());
  EXPECT_EQ(out.host()[0], 32);
}

TEST(Scopes, NamespacesHaveSharedMemoryOfTheirOwn) {
  DeviceArray<int> out(32);
  one::put<<<1, 32>>>(out.data());
  EXPECT_EQ(out.host()[31], 1);
  two::put<<<1, 32>>>(out.data());
  EXPECT_EQ(out.host()[31], 20);
}

TEST(Scopes, AQualifiedNameMeansTheVariableOfItsNamespace) {
  DeviceArray<int> out(9);
  one::qualified<<<1, 1>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<int>{1, 11, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Scopes, AGenericLambdasParameterIsATemplatesArgument) {
  DeviceArray<int> out(1);
  int* const x = out.data();
  std::vector<int> seen;
  const auto launch = [&](auto c) {
    constant<c.value><<<1, 1>>>(x);
    seen.push_back(out.host()[0]);
    constant<2 * c.value + 1><<<1, c.value>>>(x);
    seen.push_back(out.host()[0]);
    constant<c, int><<<1, 1>>>(x);
    seen.push_back(out.host()[0]);
    constant<c()><<<1, 1>>>(x);
    seen.push_back(out.host()[0]);
    constant<decltype(c)::value + 1><<<1, 1>>>(x);
    seen.push_back(out.host()[0]);
    constant<(c.value > 2), int><<<1, 1>>>(x);
    seen.push_back(out.host()[0]);
    of_type<typename std::integral_constant<int, c.value>::value_type><<<1, 1>>>(x);
    seen.push_back(out.host()[0]);
  };
  launch(std::integral_constant<int, 1>{});
  launch_of_type(x);
  EXPECT_EQ(out.host()[0], 9);
  EXPECT_EQ(seen, (std::vector<int>{1, 3, 1, 1, 2, 0, 9}));
}

TEST(Scopes, ALocalConstantIsATemplatesArgument) {
  DeviceArray<int> out(1);
  int* const x = out.data();
  constexpr Config c{6};
  constant<c.n><<<1, 1>>>(x);
  EXPECT_EQ(out.host()[0], 6);
  const auto launch = [&] { constant<c.twice()><<<1, 1>>>(x); };
  launch();
  EXPECT_EQ(out.host()[0], 12);
}
