// Every way in which CUDA code declares, defines and launches kernels. Ordinary
// CUDA: a GPU gives the same results.

#include <tuple>
#include <type_traits>
#include <vector>

#include "tests/emulator/device_array.hpp"
#include "tests/emulator/kernel_forms_other.cuh"

using warplab::test::DeviceArray;

namespace {

constexpr int count = 1000;

std::vector<int> counted() {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = i;
  return values;
}

}  // namespace

template <class T, int Times>
__global__ void __launch_bounds__(128) add_times(T* __restrict__ x, T value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < Times; ++k)
    if (i < n) x[i] += value;
}

namespace deep::inside {
__global__ void add_one(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}
}  // namespace deep::inside

static __global__ void add_value(int* x, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; n > i; i += gridDim.x * blockDim.x) x[i] += value;
}

// A thread's changes to its parameters are its own.
__global__ void count_down(int* x, int n) {
  const int i = threadIdx.x;
  while (n > i) --n;
  x[i] = n;
}

template <class F>
__global__ void apply(int* x, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = f(x[i]);
}

struct TimesThree {
  __host__ __device__ int operator()(int v) const { return 3 * v; }
};

struct Pair {
  int first, second;
};
__global__ void take_struct(int* x, Pair pair) { x[threadIdx.x] += pair.first - pair.second; }

#define LAUNCH_OVER(kernel, n) kernel<<<((n) + 127) / 128, 128>>>
#define ADD_ONE_TO(x)                       \
  LAUNCH_OVER(deep::inside::add_one, count) \
  (x, count)

template <class T>
void launch_in_a_template(T* x) {
  add_times<T, (count > 5 ? 2 : 1)><<<count / 128 + 1, dim3(128, 1)>>>(x, T{1}, count);
}

TEST(KernelForms, ATemplateWithItsArgumentsIsLaunched) {
  DeviceArray<int> x(counted());
  add_times<int, 3><<<dim3(count / 128 + 1), dim3(128)>>>(x.data(), 5, count);
  EXPECT_EQ(x.host()[999], 999 + 15);
}

template <class T>
__global__ void specialised(T* out) {
  out[threadIdx.x] = T(1);
}
template <>
__global__ void specialised<int>(int* out) {
  out[threadIdx.x] = 7 + static_cast<int>(threadIdx.x);
}

TEST(KernelForms, AnExplicitSpecialisationIsAKernelOfItsOwn) {
  DeviceArray<int> whole(32);
  DeviceArray<float> parts(32);
  specialised<int><<<1, 32>>>(whole.data());
  specialised<float><<<1, 32>>>(parts.data());
  EXPECT_EQ(whole.host()[5], 12);
  EXPECT_EQ(parts.host()[5], 1);
}

__global__ void records_without_a_name(int* out) {
  __shared__ struct {
    int values[32];
    float factor;
  } a, b[2];
  __shared__ union {
    int whole;
    unsigned bits;
  } u;
  a.values[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (threadIdx.x == 0) a.factor = 2, b[1].factor = 3, u.whole = -1;
  __syncthreads();
  const int other = a.values[31 - threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = other * static_cast<int>(a.factor * b[1].factor) + (u.bits == 0xFFFFFFFFu);
}

TEST(KernelForms, SharedMemoryMayBeOfTypesWithoutAName) {
  DeviceArray<int> out(32);
  records_without_a_name<<<1, 32>>>(out.data());
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out.host()[static_cast<std::size_t>(i)], (31 - i) * 6 + 1);
}

TEST(KernelForms, TemplateArgumentsFollowFromTheCall) {
  DeviceArray<int> x(counted());
  apply<<<8, 128>>>(x.data(), count, TimesThree{});
  EXPECT_EQ(x.host()[7], 21);
}

TEST(KernelForms, ALaunchInATemplateAndSplitOverMacros) {
  DeviceArray<int> x(counted());
  launch_in_a_template(x.data());
  ADD_ONE_TO(x.data());
  EXPECT_EQ(x.host()[0], 3);
}

TEST(KernelForms, ShiftsAndBracesInTheConfiguration) {
  DeviceArray<int> x(counted());
  add_value<<<(count >> 7) + 1, dim3{1 << 7, 1, 1}, 0, nullptr>>>(x.data(), count, 1);
  EXPECT_EQ(x.host()[500], 501);
}

TEST(KernelForms, ALaunchMayBeWrittenWithSpaces) {
  DeviceArray<int> x(counted());
  // clang-format off
  add_value << <8, 128 >> > (x.data(), count, 1);
  add_times<int, 3> << <dim3(8), dim3(1 << 7), 0 >> >(x.data(), 5, count);
  // clang-format on
  EXPECT_EQ(x.host()[500], 516);
}

TEST(KernelForms, AVariableOfTheHostMayBeCalledThreadIdx) {
  int sum = 0;
  for (int blockIdx = 0; blockIdx < 2; ++blockIdx)
    for (int threadIdx = 0; threadIdx < 3; ++threadIdx) sum += blockIdx * 3 + threadIdx;
  EXPECT_EQ(sum, 15);
}

TEST(KernelForms, AFunctionPointerIsLaunched) {
  DeviceArray<int> x(counted());
  void (*kernels[])(int*, int) = {deep::inside::add_one, count_down};
  kernels[0]<<<8, 128>>>(x.data(), count);
  auto pointer = &add_value;
  pointer<<<8, 128>>>(x.data(), count, 10);
  (*pointer)<<<8, 128>>>(x.data(), count, 10);
  EXPECT_EQ(x.host()[1], 22);
}

TEST(KernelForms, ArgumentsAreConvertedAndCopiedAtTheLaunch) {
  DeviceArray<int> x(counted());
  int value = 4;
  add_value<<<8, 128>>>(x.data(), 1000L, static_cast<short>(value));
  value = 1000;  // too late for the launch above
  take_struct<<<1, 32>>>(x.data(), {7, 2});
  EXPECT_EQ(x.host()[3], 3 + 4 + 5);
}

TEST(KernelForms, AThreadsChangesToItsParametersAreItsOwn) {
  DeviceArray<int> x(counted());
  count_down<<<1, 64>>>(x.data(), 100);
  const std::vector<int> result = x.host();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(result[static_cast<std::size_t>(i)], i);
}

constexpr int one_more = 1;
__global__ void add_by_default(int* x, int value = one_more, const int* also = NULL, float scale = 2) {
  extern __shared__ int copies[];
  copies[threadIdx.x] = value;
  __syncthreads();
  x[threadIdx.x] += static_cast<int>(scale) * copies[threadIdx.x] + (also != nullptr ? *also : 0);
}
template <class T>
__global__ void fill_by_default(T* x, T value = T(3));

template <class T>
__global__ void fill_by_default(T* x, T value) {
  x[threadIdx.x] = value;
}

TEST(KernelForms, ArgumentsLeftOutAreTheKernelsDefaults) {
  DeviceArray<int> x(counted()), more(4);
  fill_by_default<<<1, 4>>>(more.data());
  add_by_default<<<1, 32, 128>>>(x.data());
  add_by_default<<<1, 32, 128>>>(x.data(), 10.5);
  add_by_default<<<1, 32, 128>>>(x.data(), 100, 0);
  add_by_default<<<1, 32, 128>>>(x.data(), 1000, more.data());
  add_by_default<<<1, 32, 128>>>(x.data(), 10000, more.data(), 1);
  EXPECT_EQ(x.host()[7], 7 + 2 * 1111 + 3 + 10000 + 3);
  fill_by_default<int><<<1, 4>>>(x.data());
  fill_by_default<int><<<1, 2>>>(x.data(), 5);
  EXPECT_EQ(x.host()[1], 5);
  EXPECT_EQ(x.host()[3], 3);
}

TEST(KernelForms, AKernelWithDefaultArgumentsKeepsItsAttributes) {
  const int bytes = 64 << 10;
  DeviceArray<int> x(counted());
  ASSERT_EQ(cudaFuncSetAttribute(add_by_default, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
            cudaSuccess);
  add_by_default<<<1, 32, bytes>>>(x.data());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(x.host()[7], 7 + 2);
}

// A structure whose copies the host ends: as one that owns memory of the device.
struct Owner {
  int* values;
  int* ended;
  Owner(int* values_, int* ended_) : values(values_), ended(ended_) {}
  ~Owner() {
    ++*ended;
    cudaGetLastError();
  }
};

__global__ void add_owned(Owner owner, unsigned n) {
  __shared__ unsigned end;
  if (threadIdx.x == 0) end = n;
  __syncthreads();
  if (threadIdx.x < end) atomicAdd(&owner.values[threadIdx.x], 1);
  owner.values = nullptr;  // a thread's own
}

TEST(KernelForms, OnlyTheHostEndsArgumentsThatHaveADestructor) {
  DeviceArray<int> x(counted());
  int ended = 0;
  {
    const Owner owner(x.data(), &ended);
    add_owned<<<2, 64>>>(owner, 40);
    EXPECT_EQ(ended, 1);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(64);
    EXPECT_EQ(cudaLaunchKernelEx(&config, add_owned, owner, 20), cudaSuccess);
    const int before = ended;
    unsigned n = 10;
    void* arguments[] = {const_cast<Owner*>(&owner), &n};
    EXPECT_EQ(cudaLaunchKernel(add_owned, dim3(1), dim3(64), arguments, 0, nullptr), cudaSuccess);
    EXPECT_EQ(ended, before);  // arguments by address are copied byte by byte
  }
  const int on_the_host = ended;
  const std::vector<int> result = x.host();
  EXPECT_EQ(result[0], 0 + 4);
  EXPECT_EQ(result[10], 10 + 3);
  EXPECT_EQ(result[20], 20 + 2);
  EXPECT_EQ(result[40], 40);
  EXPECT_EQ(ended, on_the_host);
}

// A structure in managed memory, which makes itself there.
struct Managed {
  int values[8];
  void* operator new(std::size_t bytes) {
    void* memory = nullptr;
    cudaMallocManaged(&memory, bytes);
    return memory;
  }
  void operator delete(void* memory) { cudaFree(memory); }
};

__global__ void add_by_reference(Managed& in_place, Managed copied, int value) {
  __shared__ unsigned last;
  if (threadIdx.x == 0) last = 7;
  __syncthreads();
  if (threadIdx.x <= last) in_place.values[threadIdx.x] += copied.values[last - threadIdx.x] + value;
}

TEST(KernelForms, AnArgumentByReferenceIsNotCopied) {
  Managed* const managed = new Managed;
  for (int i = 0; i < 8; ++i) managed->values[i] = i;
  add_by_reference<<<1, 32>>>(*managed, *managed, 10);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(managed->values[i], 17);
  delete managed;
}

// A function of the host may have the name of the kernel that it launches.
__global__ void fill_nines(int* x) { x[threadIdx.x] = 9; }
int fill_nines() {
  DeviceArray<int> x(counted());
  fill_nines<<<1, 4>>>(x.data());
  return x.host()[3];
}

TEST(KernelForms, AnOverloadWithoutParametersMayBeOfTheHost) { EXPECT_EQ(fill_nines(), 9); }

__global__ void fill_range(int* begin, const int* end) {
  if (begin + threadIdx.x < end) begin[threadIdx.x] = 5;
}

TEST(KernelForms, ALiteralZeroIsANullPointer) {
  fill_range<<<1, 32>>>(0, NULL);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(KernelForms, APointerToTheEndIsAnArgument) {
  for (const int n : {1, 64, 128, 1024}) {
    DeviceArray<int> x(static_cast<std::size_t>(n));
    fill_range<<<1, 1024>>>(x.data(), x.data() + n);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << n;
    EXPECT_EQ(x.host().back(), 5);
  }
}

// What is around barriers and cannot be copied.
struct Sums {
  int v[4];
  __device__ int* data() { return v; }
};
__global__ void references_beside_barriers(int* out) {
  int x = 1;
  int& braces{x};
  auto& parentheses(x);
  Sums sums = {};
  int* at = sums.data();
  __syncthreads();
  braces += 2;
  at[1] = 10;
  __syncthreads();
  parentheses += 4;
  out[threadIdx.x] = x + sums.v[1];
}

TEST(KernelForms, ReferencesAndPointersToItsVariablesSurviveABarrier) {
  const DeviceArray<int> out(64);
  references_beside_barriers<<<1, 64>>>(out.data());
  EXPECT_EQ(out.host(), std::vector<int>(64, 17));
}

TEST(KernelForms, AKernelAndItsVariablesInAnotherTranslationUnit) {
  DeviceArray<int> x(counted());
  kernel_of_another_unit<<<8, 128>>>(x.data(), count);
  EXPECT_EQ(x.host()[10], 110);
}

__constant__ int table[4] = {1, 2, 3, 4}, offset = 5;
__device__ int written;
__global__ void use_variables(int* x) {
  x[threadIdx.x] = table[threadIdx.x % 4] * offset;
  if (threadIdx.x == 0) written = 77;
}

TEST(KernelForms, ConstantAndDeviceVariables) {
  DeviceArray<int> x(8);
  const int values[2] = {10, 20};
  ASSERT_EQ(cudaMemcpyToSymbol(table, values, sizeof values, 2 * sizeof(int)), cudaSuccess);
  use_variables<<<1, 8>>>(x.data());
  EXPECT_EQ(x.host(), (std::vector<int>{5, 10, 50, 100, 5, 10, 50, 100}));
  int result = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&result, written, sizeof result), cudaSuccess);
  EXPECT_EQ(result, 77);
}

__device__ __forceinline__ int linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__global__ void three_dimensions(int* x) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  x[block * (blockDim.x * blockDim.y * blockDim.z) + linear_thread()] = block * 1000 + linear_thread();
}

TEST(KernelForms, EveryThreadOfEveryBlockRunsOnceInThreeDimensions) {
  DeviceArray<int> x(2 * 3 * 4 * 5 * 6 * 7);
  three_dimensions<<<dim3(2, 3, 4), dim3(5, 6, 7)>>>(x.data());
  const std::vector<int> result = x.host();
  for (int i = 0; i < 24 * 210; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], i / 210 * 1000 + i % 210);
}

[[maybe_unused]] __global__ void with_attribute(int* x) { x[threadIdx.x] = 1; }
[[nodiscard]] __device__ int attributed(int i) { return i + static_cast<int>(threadIdx.x); }
__global__ void calls_with_attribute(int* x) {
  __syncthreads();
  x[threadIdx.x] = attributed(5);
}

TEST(KernelForms, AttributesMayComeFirst) {
  DeviceArray<int> x(64);
  with_attribute<<<1, 64>>>(x.data());
  EXPECT_EQ(x.host(), std::vector<int>(64, 1));
  calls_with_attribute<<<1, 64>>>(x.data());
  EXPECT_EQ(x.host()[63], 68);
}

// threadIdx and the like are not variables of the kernel: lambdas and classes in it need not capture them.
__global__ void asks_in_inner_scopes(int* x) {
  struct Inner {
    int base = 1000 * threadIdx.x;
    __device__ int operator()(int i) const { return base + i + threadIdx.x + blockDim.x; }
  };
  auto number = [](int more) { return blockIdx.x * blockDim.x + threadIdx.x + more; };
  const int five = 5;
  auto plus = [five](int more) { return five + static_cast<int>(threadIdx.x) + more; };
  int row[2]{static_cast<int>(threadIdx.x), 1};
  __syncthreads();
  x[number(0)] = Inner{}(1) + plus(1) + row[0] + row[1];
}

// Without a barrier, too.
__global__ void asks_in_a_lambda(int* x) {
  const auto number = [](int more) { return blockIdx.x * blockDim.x + threadIdx.x + more; };
  x[number(0)] = number(1);
}

__device__ int number_by_default(int i = blockIdx.x * blockDim.x + threadIdx.x) { return i; }
__global__ void asks_by_default(int* x) { x[number_by_default()] = number_by_default() + gridDim.x; }

TEST(KernelForms, LambdasAndLocalClassesAskForTheThread) {
  DeviceArray<int> x(64);
  asks_in_inner_scopes<<<2, 32>>>(x.data());
  const std::vector<int> result = x.host();
  for (int i = 0; i < 64; ++i) {
    const int t = i % 32;
    ASSERT_EQ(result[static_cast<std::size_t>(i)], 1000 * t + 1 + t + 32 + 5 + t + 1 + t + 1) << i;
  }
  asks_in_a_lambda<<<2, 32>>>(x.data());
  EXPECT_EQ(x.host()[63], 64);
  asks_by_default<<<2, 32>>>(x.data());
  EXPECT_EQ(x.host()[63], 65);
}

__global__ void names_itself(int* x) { x[0] = sizeof __func__; }

TEST(KernelForms, AKernelKnowsItsName) {
  DeviceArray<int> x(1);
  names_itself<<<1, 1>>>(x.data());
  EXPECT_EQ(x.host()[0], static_cast<int>(sizeof "names_itself"));
}

__global__ void kernel(int* x) { x[threadIdx.x] += 1; }
template <class Kernel>
void launch_what_is_called_kernel(Kernel kernel, int* x) {
  kernel<<<1, 8>>>(x);
}
void launch_a_pointer_called_kernel(void (*kernel)(int*), int* x) { kernel<<<1, 8>>>(x); }
struct HoldsAKernel {
  void (*kernel)(int*) = ::kernel;
};

TEST(KernelForms, AVariableMayHaveTheNameOfAKernel) {
  DeviceArray<int> x(std::vector<int>(8, 0));
  launch_what_is_called_kernel(kernel, x.data());
  launch_what_is_called_kernel(with_attribute, x.data());
  launch_a_pointer_called_kernel(kernel, x.data());
  const HoldsAKernel holder;
  const HoldsAKernel* const pointer = &holder;
  pointer->kernel<<<1, 8>>>(x.data());
  holder.kernel<<<1, 8>>>(x.data());
  const std::tuple<int, void (*)(int*)> pair(1, kernel);
  std::get<1>(pair)<<<1, 8>>>(x.data());
  EXPECT_EQ(x.host(), std::vector<int>(8, 5));
}

// Variables, parameters and members with the name of an index are the program's own.
__host__ __device__ int flat(dim3 blockIdx, dim3 blockDim, dim3 threadIdx) {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
struct Indices {
  int threadIdx, blockDim;
  __device__ int sum() const { return threadIdx + blockDim; }
};
__device__ int with_local(uint3 threadIdx) {
  const int blockDim = 100;
  return blockDim + threadIdx.x;
}
__global__ void own_indices(int* x) {
  const int t = threadIdx.x;
  const Indices indices{t, 1000};
  x[t] = flat(dim3(2), dim3(10), dim3(5)) + indices.sum() + with_local(threadIdx);
}
__global__ void own_indices_at_barriers(int* x) {
  const int t = threadIdx.x;
  x[t] = t;
  __syncthreads();
  const int blockDim = 2 * t;
  const int other = x[31 - t];
  __syncthreads();
  x[t] = other + blockDim;
}
TEST(KernelForms, NamesOfIndicesMayBeTheProgramsOwn) {
  DeviceArray<int> x(std::vector<int>(32, -1));
  own_indices<<<1, 32>>>(x.data());
  std::vector<int> got = x.host();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], 25 + 1000 + 100 + 2 * t);
  EXPECT_EQ(flat(dim3(2), dim3(10), dim3(5)), 25);
  own_indices_at_barriers<<<1, 32>>>(x.data());
  got = x.host();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], 31 - t + 2 * t);
}

// A kernel with C linkage that waits, and takes an object.
struct Amount {
  int value;
};
extern "C" __global__ void with_c_linkage(int* x, Amount amount) {
  x[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = x[31 - threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = other + amount.value;
}
extern "C" {
__global__ void in_a_block_of_c(int* x, Amount amount) {
  __syncthreads();
  x[threadIdx.x] += amount.value;
}
}
TEST(KernelForms, CLinkage) {
  DeviceArray<int> x(std::vector<int>(32, -1));
  with_c_linkage<<<1, 32>>>(x.data(), Amount{100});
  in_a_block_of_c<<<1, 32>>>(x.data(), Amount{1000});
  const std::vector<int> got = x.host();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], 1131 - t);
}

// A function that waits, by the name that a using-declaration gives; and a parameter with its name.
namespace turning {
__device__ int turned(int v) { return __shfl_sync(0xffffffff, v, (threadIdx.x + 1) % 32); }
}  // namespace turning
using turning::turned;
__global__ void by_using_declaration(int* x) {
  int v = threadIdx.x;
  v = turned(v);
  x[threadIdx.x] = v;
}
template <class F>
__global__ void by_parameter(int* x, const F turned) {
  int v = threadIdx.x;
  __syncthreads();
  v = turned(v);
  __syncthreads();
  x[threadIdx.x] = v;
}
template <int (*turned)(int)>
__global__ void by_template_parameter(int* x) {
  int v = threadIdx.x;
  __syncthreads();
  v = turned(v);
  __syncthreads();
  x[threadIdx.x] = v;
}
__device__ int four_times(int v) { return 4 * v; }
TEST(KernelForms, NamesOfFunctionsThatWait) {
  DeviceArray<int> x(std::vector<int>(32, -1));
  by_using_declaration<<<1, 32>>>(x.data());
  std::vector<int> got = x.host();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], (t + 1) % 32);
  by_parameter<<<1, 32>>>(x.data(), TimesThree{});
  got = x.host();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], 3 * t);
  by_template_parameter<four_times><<<1, 32>>>(x.data());
  got = x.host();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], 4 * t);
}

// In a switch `continue` is that of the loop around it.
__global__ void continue_in_switch(int* x, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    switch (i % 3) {
      case 1:
        sum += 100;
        continue;
      case 2:
        for (int j = 0; j < 4; ++j) {
          if (j == 2) continue;
          ++sum;
        }
        break;
      default:
        sum += i;
    }
    __syncthreads();
    sum += 1;
  }
  x[threadIdx.x] = sum;
}
TEST(KernelForms, ContinueInASwitch) {
  DeviceArray<int> x(std::vector<int>(32, -1));
  continue_in_switch<<<1, 32>>>(x.data(), 6);
  EXPECT_EQ(x.host(), std::vector<int>(32, 200 + 3 + 6 + 4));
}

// `__shared__` twice in a declaration, and a kernel's name in parentheses.
__global__ void shared_twice(int* x) {
  int __shared__ values[32], *__shared__ pointer;
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) pointer = values;
  __syncthreads();
  x[threadIdx.x] = pointer[31 - threadIdx.x];
}
__global__ void overloaded(int* x) { x[threadIdx.x] = 1; }
__global__ void overloaded(int* x, int v) { x[threadIdx.x] = v; }
TEST(KernelForms, SharedTwiceAndParenthesesAroundAKernel) {
  DeviceArray<int> x(std::vector<int>(32, -1));
  (shared_twice)<<<1, 32>>>(x.data());
  const std::vector<int> got = x.host();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], 31 - t);
  (overloaded)<<<1, 32>>>(x.data());
  EXPECT_EQ(x.host(), std::vector<int>(32, 1));
  ((overloaded))<<<1, 32>>>(x.data(), 5);
  EXPECT_EQ(x.host(), std::vector<int>(32, 5));
}
