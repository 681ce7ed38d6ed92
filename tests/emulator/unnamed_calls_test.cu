// Calls that do not name the function which runs, where that function waits for other threads or asks which
// thread it is. Ordinary CUDA: a GPU gives the same results.

#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

constexpr int threads = 64;

// What a thread would get of `mirrored`, of `rotated` and of `numbered`.
int mirrored_of(int thread) { return 1000 + threads - 1 - thread; }
int rotated_of(int thread) { return 1000 + thread / 32 * 32 + (thread + 1) % 32; }
int numbered_of(int thread) { return 1000 + 2 * thread; }

}  // namespace

using Step = int (*)(int);
typedef int Shape(int);

/// The value of the thread on the block's other side.
__device__ int mirrored(int value) {
  __shared__ int values[threads];
  values[threadIdx.x] = value;
  __syncthreads();
  const int other = values[threads - 1 - threadIdx.x];
  __syncthreads();
  return other;
}
/// The value of the next lane.
__device__ int rotated(int value) { return __shfl_sync(0xffffffff, value, (threadIdx.x + 1) % 32); }
/// The value and the thread's number.
__device__ int numbered(int value) { return value + threadIdx.x; }
template <class T>
__device__ T mirrored_as(T value) {
  return mirrored(value);
}

struct Adder {
  int added;
  __device__ int rotated_sum(int value) const { return rotated(value) + added; }
  __device__ static int mirrored_value(int value) { return mirrored(value); }
};
struct Holder {
  Step step;
};
template <class F>
struct Wrapper {
  F function;
  __device__ int run(int value) const { return function(value); }
};

__device__ Step steps[3] = {mirrored, rotated, numbered};
__device__ Step one_step = rotated;
__device__ int (Adder::*member)(int) const = &Adder::rotated_sum;

__device__ Step step_of(int which) { return steps[which]; }
__device__ int call_reference(int (&function)(int), int value) { return function(value); }
__device__ int call_shape(Shape* function, int value) { return function(value); }
template <class F>
__device__ int call_any(const F& function, int value) {
  return function(value);
}

__global__ void of_table(int* x, int which) { x[threadIdx.x] = steps[which](1000 + threadIdx.x); }
__global__ void of_result(int* x, int which) { x[threadIdx.x] = step_of(which)(1000 + threadIdx.x); }
__global__ void of_pointer(int* x, int which) {
  Step step = steps[which];
  x[threadIdx.x] = (*step)(1000 + threadIdx.x);
}
__global__ void of_local(int* x, int which) {
  const auto step = which == 0 ? mirrored : which == 1 ? rotated : numbered;
  x[threadIdx.x] = step(1000 + threadIdx.x);
}
__global__ void of_condition(int* x, int which) {
  x[threadIdx.x] = (which == 0 ? mirrored : which == 1 ? rotated : numbered)(1000 + threadIdx.x);
}
__global__ void of_array(int* x, int which) {
  int (*const local[])(int) = {&mirrored, &rotated, &numbered};
  x[threadIdx.x] = local[which](1000 + threadIdx.x);
}
__global__ void of_decltype(int* x, int which) {
  decltype(&rotated) step = steps[which];
  x[threadIdx.x] = step(1000 + threadIdx.x);
}
__global__ void of_holder(int* x, int which) {
  const Holder holder{steps[which]};
  x[threadIdx.x] = holder.step(1000 + threadIdx.x);
}
__global__ void of_wrapper(int* x, int which) {
  const Wrapper<Step> wrapper{steps[which]};
  x[threadIdx.x] = wrapper.run(1000 + threadIdx.x);
}
__global__ void of_reference(int* x, int which) {
  x[threadIdx.x] = call_reference(*steps[which], 1000 + threadIdx.x);
}
__global__ void of_shape(int* x, int which) { x[threadIdx.x] = call_shape(steps[which], 1000 + threadIdx.x); }
__global__ void of_argument(int* x, int which) {
  x[threadIdx.x] = call_any(steps[which], 1000 + threadIdx.x);
}
__global__ void between_barriers(int* x, int which) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 1000;
  __syncthreads();
  const int value = steps[which](sum + threadIdx.x);
  __syncthreads();
  x[threadIdx.x] = value;
}

template <int (*F)(int)>
__global__ void of_parameter(int* x) {
  x[threadIdx.x] = F(1000 + threadIdx.x);
}
template <auto F>
__global__ void of_auto_parameter(int* x) {
  const int value = F(1000 + threadIdx.x);
  x[threadIdx.x] = value;
}
__global__ void of_member(int* x) {
  const Adder adder{0};
  x[threadIdx.x] = (adder.*member)(1000 + threadIdx.x);
}
__global__ void of_variable(int* x) { x[threadIdx.x] = one_step(1000 + threadIdx.x); }
__global__ void of_static_member(int* x) {
  Step step = &Adder::mirrored_value;
  x[threadIdx.x] = step(1000 + threadIdx.x);
}
__global__ void of_instance(int* x) {
  const Step step = mirrored_as<int>;
  x[threadIdx.x] = step(1000 + threadIdx.x);
}

namespace {

template <class Of>
void expect(const char* what, const DeviceArray<int>& x, const Of& of) {
  const std::vector<int> values = x.host();
  for (int t = 0; t < threads; ++t) ASSERT_EQ(values[static_cast<std::size_t>(t)], of(t)) << what << " " << t;
}

}  // namespace

TEST(UnnamedCalls, RunWhatAPointerLeadsTo) {
  struct Case {
    const char* name;
    void (*kernel)(int*, int);
  };
  const Case cases[] = {{"table", of_table},           {"result", of_result},       {"pointer", of_pointer},
                        {"local", of_local},           {"condition", of_condition}, {"array", of_array},
                        {"decltype", of_decltype},     {"holder", of_holder},       {"wrapper", of_wrapper},
                        {"reference", of_reference},   {"shape", of_shape},         {"argument", of_argument},
                        {"barriers", between_barriers}};
  for (const auto& [name, kernel] : cases) {
    DeviceArray<int> x(std::vector<int>(threads, -1));
    kernel<<<1, threads>>>(x.data(), 0);
    expect(name, x, mirrored_of);
    kernel<<<1, threads>>>(x.data(), 1);
    expect(name, x, rotated_of);
    kernel<<<1, threads>>>(x.data(), 2);
    expect(name, x, numbered_of);
  }
}

TEST(UnnamedCalls, RunWhatATemplateIsGiven) {
  DeviceArray<int> x(std::vector<int>(threads, -1));
  of_parameter<mirrored><<<1, threads>>>(x.data());
  expect("mirrored", x, mirrored_of);
  of_parameter<numbered><<<1, threads>>>(x.data());
  expect("numbered", x, numbered_of);
  of_auto_parameter<rotated><<<1, threads>>>(x.data());
  expect("rotated", x, rotated_of);
}

TEST(UnnamedCalls, RunMembersAndInstances) {
  DeviceArray<int> x(std::vector<int>(threads, -1));
  of_member<<<1, threads>>>(x.data());
  expect("member", x, rotated_of);
  of_variable<<<1, threads>>>(x.data());
  expect("variable", x, rotated_of);
  of_static_member<<<1, threads>>>(x.data());
  expect("static member", x, mirrored_of);
  of_instance<<<1, threads>>>(x.data());
  expect("instance", x, mirrored_of);
}
