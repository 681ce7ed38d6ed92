// Variables of the device, however they are declared: the host copies to them by name, and an instrumented
// kernel uses the program's.
#include "tests/emulator/driver/warplab_cc.hpp"

namespace warplab::test {
namespace {

/// The program with a kernel, by itself and under the lens.
class WarplabCcVariables : public WarplabCc {
 protected:
  void expect_prints(const std::string& program, const std::string& text) const {
    folder_.write("variables.cu", "#include <cstdio>\n" + program);
    const Outcome made = compile("variables.cu -o variables");
    ASSERT_EQ(made.output, "");
    EXPECT_EQ(run("./variables").output, text);
    const Outcome counted = run("WARPLAB_LENS=1 ./variables");
    EXPECT_TRUE(says(counted, text) && says(counted, "recorded")) << counted.output;
  }
};

// Declarations that nvcc 13.0 takes.
TEST_F(WarplabCcVariables, AreKnownWhateverTheirTypeIs) {
  expect_prints(R"(
struct Pair { int first, second; };
__device__ float square(float x) { return x * x; }
__device__ float half_of(float x) { return x / 2; }
__device__ float (*operation)(float) = square;
__device__ float (*const table[2])(float) = {square, half_of};
__constant__ struct Options { int n; float (*function)(float); int options; } options;
__device__ struct { int n; } state = {1};
__device__ enum Kind { none, some } kind = some;
__device__ enum class Side : int { left, right } side{Side::right}, *pointer = nullptr;
__device__ struct Pair pair;
__device__ union Either { int i; float f; } either;
__device__ int direct(5), more = 1 < 2, (*array)[3], last[2] = {7, 8};
__device__ int Pair::*member = &Pair::second;
__device__ alignas(16) decltype(1.5) real = 2.5;
[[maybe_unused]] static __device__ const int steps[] = {1, 2, 3};
namespace n { static __device__ unsigned long long wide{5}; }
auto not_of_the_device = [] __device__ (int x) { return x; };
struct Whole { int n; } whole;
__global__ void k(float* out) {
  *out = operation(4) + 10 * table[1](4) + 100 * options.n + 1000 * state.n + 10000 * (kind == some);
  state.n = 8;
}
template <class... T>
bool known(const T&... variable) {
  void* address;
  std::size_t bytes;
  return ((cudaGetSymbolAddress(&address, variable) == cudaSuccess && address == &variable &&
           cudaGetSymbolSize(&bytes, variable) == cudaSuccess && bytes == sizeof variable) && ...);
}
int main() {
  const bool all = known(operation, table, options, state, kind, side, pointer, pair, either, direct, more, array,
                         last, member, real, steps, n::wide);
  float* out;
  cudaMalloc(&out, sizeof *out);
  float (*function)(float), result;
  cudaMemcpyFromSymbol(&function, table, sizeof function, sizeof function);
  cudaMemcpyToSymbol(operation, &function, sizeof function);
  const int three = 3;
  cudaMemcpyToSymbol(options, &three, sizeof three);
  k<<<1, 1>>>(out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  int n;
  cudaMemcpyFromSymbol(&n, state, sizeof n);
  std::printf("%d %g %d %d\n", all, result, n, function == half_of);
  cudaFree(out);
}
)",
                "1 11322 8 1\n");
}

TEST_F(WarplabCcVariables, OfATemplateAreKnownByTheirArguments) {
  expect_prints(R"(
template <class T, int n = 4> __constant__ T filter[n];
template <> __constant__ float filter<float, 2>[2] = {8, 9};
namespace m { template <typename... T> static __device__ int count = sizeof...(T); }
template <int n> __device__ constexpr int twice = 2 * n;
template <class T> __global__ void k(T* out) {
  T values[twice<2>], sum = 0;
  for (int i = 0; i < twice<2>; ++i) values[i] = filter<T>[i];
  for (int i = 0; i < twice<2>; ++i) sum += values[i];
  *out = sum + m::count<T, int> + 1000 * filter<float, 2>[1];
}
template <class T> void run(T first, int count) {
  const T values[4] = {first, 2, 3, 4};
  T *out, back[4], result;
  cudaMalloc(&out, sizeof *out);
  bool all = cudaMemcpyToSymbol(filter<T>, values, sizeof values) == cudaSuccess;
  if (count) all &= cudaMemcpyToSymbol(m::count<T, int>, &count, sizeof count) == cudaSuccess;
  all &= cudaMemcpyFromSymbol(back, filter<T>, sizeof back) == cudaSuccess && back[0] == first;
  std::size_t bytes;
  all &= cudaGetSymbolSize(&bytes, filter<T>) == cudaSuccess && bytes == sizeof values;
  k<<<1, 1>>>(out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d %g ", all, double(result));
  cudaFree(out);
}
int main() {
  run<float>(1, 100);
  run<int>(11, 0);
  std::puts("");
}
)",
                "1 9110 1 9022 \n");
}

TEST_F(WarplabCcVariables, OfFunctionsAreSharedByFiles) {
  folder_.write(
      "shared.cuh",
      "#pragma once\nextern __device__ float (*operation)(float);\nextern __device__ int steps[2];\n"
      "__device__ float half_of(float x);\n");
  folder_.write("other.cu",
                "#include \"shared.cuh\"\n__device__ float half_of(float x) { return x / 2; }\n"
                "__device__ float (*operation)(float) = half_of;\n__device__ int steps[2] = {3, 4};\n");
  folder_.write("main.cu", R"(#include <cstdio>
#include "shared.cuh"
__global__ void k(float* out) { *out = operation(9) + steps[1]; }
int main() {
  float *out, result;
  cudaMalloc(&out, sizeof *out);
  k<<<1, 1>>>(out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%g\n", result);
  cudaFree(out);
}
)");
  ASSERT_EQ(compile("-rdc=true main.cu other.cu -o program").output, "");
  EXPECT_EQ(run("./program").output, "8.5\n");
  const Outcome counted = run("WARPLAB_LENS=1 ./program");
  EXPECT_TRUE(says(counted, "8.5\n") && says(counted, "recorded")) << counted.output;
}

TEST_F(WarplabCcVariables, OfOneNameOnOneLineAreTwo) {
  expect_prints(R"(
#define FILTER(space) namespace space { __constant__ int k[2]; __global__ void run(int* out) { *out = k[1]; } }
FILTER(first) FILTER(second)
int main() {
  int *out, result[2];
  const int k[4] = {1, 2, 3, 4};
  cudaMalloc(&out, sizeof *out);
  cudaMemcpyToSymbol(first::k, k, sizeof first::k);
  cudaMemcpyToSymbol(second::k, k + 2, sizeof second::k);
  first::run<<<1, 1>>>(out);
  cudaMemcpy(&result[0], out, sizeof *out, cudaMemcpyDeviceToHost);
  second::run<<<1, 1>>>(out);
  cudaMemcpy(&result[1], out, sizeof *out, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  cudaFree(out);
}
)",
                "2 4\n");
}

TEST_F(WarplabCcVariables, OfAHeaderAreEachFilesOwn) {
  folder_.write("filter.cuh", "#pragma once\nstatic __constant__ int filter[2];\n");
  folder_.write("other.cu", R"(#include "filter.cuh"
__global__ void other_kernel(int* out) { *out += filter[1]; }
void other(int* out) {
  const int numbers[2] = {3, 4};
  cudaMemcpyToSymbol(filter, numbers, sizeof numbers);
  other_kernel<<<1, 1>>>(out);
}
)");
  folder_.write("main.cu", R"(#include <cstdio>
#include "filter.cuh"
void other(int* out);
__global__ void k(int* out) { *out += 10 * filter[1]; }
int main() {
  int *out, result;
  const int numbers[2] = {1, 2};
  cudaMalloc(&out, sizeof *out);
  cudaMemset(out, 0, sizeof *out);
  cudaMemcpyToSymbol(filter, numbers, sizeof numbers);
  other(out);
  k<<<1, 1>>>(out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(out);
}
)");
  for (const char* const files : {"main.cu other.cu", "other.cu main.cu"}) {
    ASSERT_EQ(compile(std::string(files) + " -o program").output, "");
    EXPECT_EQ(run("./program").output, "24\n");
    const Outcome counted = run("WARPLAB_LENS=1 ./program");
    EXPECT_TRUE(says(counted, "24\n") && says(counted, "recorded")) << counted.output;
  }
}

TEST_F(WarplabCcVariables, OneOfTheHostIsNotTakenForTheNext) {
  folder_.write("host.cu", R"(
__device__ int before[2];
int plain[2];
__device__ int after[2];
int main() { return cudaMemcpyToSymbol(plain, plain, sizeof plain) != cudaErrorInvalidSymbol; }
)");
  ASSERT_EQ(compile("host.cu -o host").output, "");
  const Outcome outcome = run("./host");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(says(outcome,
                   "cudaMemcpyToSymbol: the symbol is host memory, not a __device__ or __constant__ "
                   "variable"))
      << outcome.output;
}

}  // namespace
}  // namespace warplab::test
