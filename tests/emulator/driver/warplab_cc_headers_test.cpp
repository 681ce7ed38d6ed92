// warplab-cc: the emulator's headers below a program's own macros, headers of other people, and parts of
// libcu++ that need neither CUB nor Thrust.
#include <sstream>

#include "tests/emulator/driver/warplab_cc.hpp"

namespace warplab::test {
namespace {

class WarplabCcHeaders : public WarplabCc {
 protected:
  void expect_prints(const std::string& program, const std::string& text, const std::string& flags) const {
    folder_.write("headers.cu", program);
    const Outcome made = compile("headers.cu -o headers " + flags);
    ASSERT_EQ(made.output, "");
    EXPECT_EQ(run("./headers").output, text);
    const Outcome counted = run("WARPLAB_LENS=1 ./headers");
    EXPECT_TRUE(says(counted, text) && says(counted, "findings: none")) << counted.output;
  }

  /// What user_macros_aside.inc names.
  static std::vector<std::string> words() {
    std::vector<std::string> found;
    std::istringstream lines(content_of(WARPLAB_HEADERS "/warplab_emulator/user_macros_aside.inc"));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("#undef ") && line.find("WARPLAB") == std::string::npos)
        found.push_back(line.substr(7));
    return found;
  }
};

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

// Of each header by itself: no macro gets into it, and all are there again after it.
TEST_F(WarplabCcHeaders, AreWithoutTheMacrosOfAProgram) {
  std::string macros, again = "RESTORED", flags;
  for (const std::string& word : words()) {
    macros += "#define " + word + " REACHED\n";
    again += " " + word;
    flags += " -D" + word + "=REACHED";
  }
  const std::size_t all = words().size();
  ASSERT_GE(all, 2u * 26u);
  const auto expect = [&](const std::string& name, const std::string& options) {
    ASSERT_EQ(compile("-E headers.cu -o headers.ii" + options).output, "") << name;
    const std::string text = content_of(folder_ / "headers.ii");
    const std::size_t end = text.find("RESTORED");
    ASSERT_NE(end, std::string::npos) << name;
    const std::size_t first = text.find("REACHED");
    EXPECT_GT(first, end) << name << ": " << text.substr(first, 200);
    EXPECT_EQ(count_of(text.substr(end), "REACHED"), all) << name;
  };
  for (const auto& entry : fs::recursive_directory_iterator(WARPLAB_HEADERS)) {
    const std::string name = fs::relative(entry.path(), WARPLAB_HEADERS);
    if (!entry.is_regular_file() || name.starts_with("warplab_emulator")) continue;
    folder_.write("headers.cu", macros + "#include <" + name + ">\n" + again + "\n");
    expect(name, "");
  }
  folder_.write("headers.cu", again + "\n");
  expect("cuda_runtime.h", flags);
}

TEST_F(WarplabCcHeaders, TakeMacrosThatAreKernelsParts) {
  expect_prints(R"(#define M 16
#define N 16
#define K 16
#define T float
#define stride (blockDim.x * gridDim.x)
#define tid threadIdx.x
#define block __shared__ T
#define A(i) in[i]
#include <mma.h>
#include <cooperative_groups.h>
#include <curand_kernel.h>
#include <cuda_pipeline.h>
#include <cstdio>
__global__ void sum(T* in) {
  block values[N];
  values[tid] = A(tid);
  __syncthreads();
  A(tid + stride) = values[N - 1 - tid] + M * K;
}
int main() {
  T* in, back[2 * N];
  cudaMalloc(&in, sizeof back);
  cudaMemset(in, 0, sizeof back);
  sum<<<1, N>>>(in);
  cudaMemcpy(back, in, sizeof back, cudaMemcpyDeviceToHost);
  std::printf("%g\n", back[N]);
  cudaFree(in);
}
)",
                "256\n", "");
}

// CMake's imported targets pass the folders of their headers with -isystem.
TEST_F(WarplabCcHeaders, OfOthersAreTranslatedThoughTheyAreSystemHeaders) {
  fs::create_directories(folder_ / "other");
  folder_.write("other/sums.cuh", R"(#pragma once
namespace sums {
__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }
template <class T> __global__ void fill(T* to, T value) {
  __shared__ T first;
  if (threadIdx.x == 0) first = value;
  __syncthreads();
  to[index()] = first;
}
}
)");
  folder_.write("marked.cuh", R"(#pragma once
#pragma GCC system_header
template <class T> void fill_with(T* to, T value) { sums::fill<<<2, 32>>>(to, value); }
)");
  expect_prints(R"(#include <cstdio>
#include <sums.cuh>
#include "marked.cuh"
int main() {
  int *to, back[64];
  cudaMalloc(&to, sizeof back);
  fill_with(to, 4);
  cudaMemcpy(back, to, sizeof back, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", back[0], back[63]);
  cudaFree(to);
}
)",
                "4 4\n", "-isystem other");
}

TEST_F(WarplabCcHeaders, HaveSemaphoresAndLatches) {
  const std::string program = R"(#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/latch>
#include <cuda/std/semaphore>
#include <cuda_fp16.h>
#include <cstdio>
constexpr __half one = __half_raw{0x3c00};
using Semaphore = cuda::binary_semaphore<cuda::thread_scope_device>;
using Latch = cuda::latch<cuda::thread_scope_device>;
__global__ void take_turns(Semaphore* semaphore, Latch* latch, int* sum, int* seen) {
  semaphore->acquire();
  *sum += static_cast<int>(static_cast<float>(one));
  semaphore->release();
  latch->arrive_and_wait();
  seen[threadIdx.x] = *sum;
}
int main() {
  Semaphore* semaphore;
  Latch* latch;
  int* numbers;
  cudaMallocManaged(&semaphore, sizeof *semaphore);
  cudaMallocManaged(&latch, sizeof *latch);
  cudaMallocManaged(&numbers, 65 * sizeof *numbers);
  new (semaphore) Semaphore(1);
  new (latch) Latch(64);
  numbers[64] = 0;
  take_turns<<<1, 64>>>(semaphore, latch, numbers + 64, numbers);
  cudaDeviceSynchronize();
  std::printf("%d %d %d\n", numbers[0], numbers[63], latch->try_wait());
  cudaFree(semaphore);
  cudaFree(latch);
  cudaFree(numbers);
}
)";
  expect_prints(program, "64 64 1\n", "-std=c++17");
  expect_prints(program, "64 64 1\n", "-std=c++20");
}

#if defined(WARPLAB_TOOLKIT_LIBRARIES)
// What libcu++ has for C++17 and the standard library for C++20; and what only libcu++ has.
TEST_F(WarplabCcHeaders, OfLibcuppAreUsedWithoutCubAndThrust) {
  const std::string program = R"(#include <cuda/annotated_ptr>
#include <cuda/std/bit>
#include <cuda/std/numbers>
#include <cuda/std/span>
#include <cuda/std/type_traits>
#include <cstdio>
__global__ void fill(cuda::std::span<int> to, cuda::annotated_ptr<int, cuda::access_property::persisting> from) {
  to[threadIdx.x] = cuda::std::popcount(7u) + from[0] + static_cast<int>(cuda::std::numbers::pi);
}
static_assert(cuda::std::is_same_v<cuda::std::remove_cvref_t<const int&>, int>);
int main() {
  int *to, back[32];
  cudaMalloc(&to, 33 * sizeof(int));
  cudaMemset(to, 0, 33 * sizeof(int));
  fill<<<1, 32>>>(cuda::std::span<int>(to, 32),
                  cuda::annotated_ptr<int, cuda::access_property::persisting>(to + 32));
  cudaMemcpy(back, to, sizeof back, cudaMemcpyDeviceToHost);
  std::printf("%d\n", back[31]);
  cudaFree(to);
}
)";
  expect_prints(program, "6\n", "-std=c++17 -isystem " WARPLAB_TOOLKIT_LIBRARIES);
}
#endif

}  // namespace
}  // namespace warplab::test
