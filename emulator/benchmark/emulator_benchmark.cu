// How fast the emulator runs CUDA threads on this machine, and what a launch and a start cost.
//
//   bin/emulator_benchmark [SAMPLES]
//
// Each kernel is verified before it is timed. Figures are medians; compare them only with others of the same
// run on the same machine. The kernels are plain CUDA, so any other implementation of CUDA on the CPU can be
// measured with this file; what the lens costs is left out there. It fails where the lens makes a launch more
// than three times as long.

#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#if __has_include(<warplab_emulator/lens/lens_session.hpp>)
#include <warplab_emulator/lens/lens_session.hpp>
#define MEASURES_LENS
#endif

extern char** environ;

namespace {

using Clock = std::chrono::steady_clock;
double elapsed_s(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

constexpr int side = 4096, count = side * side;  // 16 M elements

template <class T>
struct Buffer {
  T* data = nullptr;
  Buffer() { check(cudaMalloc(&data, count * sizeof(T))); }
  ~Buffer() { cudaFree(data); }
  Buffer(const Buffer&) = delete;
};

double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

template <class F>
double time_s(F run) {
  const auto start = Clock::now();
  run();
  check(cudaDeviceSynchronize());
  return elapsed_s(start);
}

template <class F>
double median_s(int samples, F run) {
  std::vector<double> times;
  for (int i = 0; i <= samples; ++i) {
    const double time = time_s(run);
    if (i > 0) times.push_back(time);  // the first warms up
  }
  return median(times);
}

#ifdef MEASURES_LENS
/// Launches without the lens and with it, in turn, so that what else the machine does meets both alike. The
/// lens's time ends when its report is there. @return whether it is within the limit
template <class F>
bool print_lens_cost(const char* what, int samples, F run) {
  namespace lens = warplab::emulator::lens;
  constexpr double limit = 3;
  constexpr unsigned long long blocks = 64;
  std::vector<double> plain, watched;
  for (int i = 0; i <= samples; ++i) {
    const double without = time_s(run);
    std::size_t recorded = 0;
    const double with = time_s([&] {
      lens::start({.blocks = blocks});
      run();
      for (const auto& launch : lens::take()) recorded += launch.blocks_recorded;
    });
    if (recorded != blocks)
      throw std::runtime_error(std::string(what) + ": the lens did not record 64 blocks");
    if (i == 0) continue;
    plain.push_back(without);
    watched.push_back(with);
  }
  const double ratio = median(watched) / median(plain);
  std::printf("%-44s %9.2f ms  %8.2f times as long as %.2f ms (limit %.0f)\n", what, median(watched) * 1e3,
              ratio, median(plain) * 1e3, limit);
  return ratio <= limit;
}
#else
template <class F>
bool print_lens_cost(const char*, int, F) {
  return true;
}
#endif

}  // namespace

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void transpose_naive(const int* in, int* out, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

template <int BlockRows>
__global__ void transpose_tiled(const int* in, int* out, int rows, int cols) {
  __shared__ int tile[32][32];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += BlockRows)
    if (x < cols && y + k < rows) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * cols + x];
  __syncthreads();
  const int out_x = blockIdx.y * 32 + threadIdx.x, out_y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += BlockRows)
    if (out_x < rows && out_y + k < cols)
      out[(out_y + k) * rows + out_x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void sum_blocks(const int* in, int* out) {
  __shared__ int partial[256];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

__global__ void sum_warps(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = in[i];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) out[i / 32] = value;
}

__global__ void nothing() {}

namespace {

void require(bool right, const char* kernel) {
  if (!right) throw std::runtime_error(std::string(kernel) + " is wrong: not timed");
}

void print(const char* what, double threads, double time_s) {
  std::printf("%-44s %9.2f ms  %8.1f million threads/s\n", what, time_s * 1e3, threads / time_s / 1e6);
}

/// @return whether the lens is within its limit
bool time_vector_add(int samples) {
  Buffer<float> a, b, c;
  std::vector<float> x(count), y(count), z(count);
  for (int i = 0; i < count; ++i)
    x[static_cast<std::size_t>(i)] = static_cast<float>(i % 1000),
    y[static_cast<std::size_t>(i)] = static_cast<float>(i % 77);
  check(cudaMemcpy(a.data, x.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemcpy(b.data, y.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  const auto add = [&] { vector_add<<<count / 256, 256>>>(a.data, b.data, c.data, count); };
  add();
  check(cudaMemcpy(z.data(), c.data, count * sizeof(float), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < count; ++i) require(z[i] == x[i] + y[i], "vector_add");
  print("vector add, 16 M, blocks of 256", count, median_s(samples, add));
  return print_lens_cost("  with the lens on 64 blocks", samples, add);
}

/// Integers in device memory, and what kernels make of them.
class Integers {
 public:
  Integers() : host_(count), result_(count) {
    for (int i = 0; i < count; ++i)
      host_[static_cast<std::size_t>(i)] = static_cast<int>(i * 2654435761u >> 9);
    check(cudaMemcpy(in.data, host_.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  }

  Buffer<int> in, out;

  void fetch(std::size_t n) {
    check(cudaMemcpy(result_.data(), out.data, n * sizeof(int), cudaMemcpyDeviceToHost));
    check(cudaMemset(out.data, 0xff, count * sizeof(int)));
  }
  bool transposed() const {
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        if (result_[static_cast<std::size_t>(x) * side + y] != host_[static_cast<std::size_t>(y) * side + x])
          return false;
    return true;
  }
  /// Whether the results are the sums of `width` neighbours each.
  bool are_sums(int width, int n) const {
    for (int i = 0; i < n; ++i) {
      unsigned sum = 0;
      for (int k = 0; k < width; ++k)
        sum += static_cast<unsigned>(host_[static_cast<std::size_t>(i) * width + k]);
      if (result_[static_cast<std::size_t>(i)] != static_cast<int>(sum)) return false;
    }
    return true;
  }

 private:
  std::vector<int> host_, result_;
};

/// @return whether the lens is within its limits
bool time_transposes(int samples, Integers& integers) {
  bool within_limits = true;
  const auto time = [&](const char* what, auto kernel, dim3 block) {
    const auto launch = [&] {
      kernel<<<dim3(side / 32, side / 32), block>>>(integers.in.data, integers.out.data, side, side);
    };
    launch();
    integers.fetch(count);
    require(integers.transposed(), what);
    print(what, 1.0 * side / 32 * side / 32 * block.x * block.y, median_s(samples, launch));
    within_limits &= print_lens_cost("  with the lens on 64 blocks", samples, launch);
  };
  time("naive transpose, 4096x4096, 32x32", transpose_naive, dim3(32, 32));
  time("tiled transpose, 4096x4096, 32x32, 1 barrier", transpose_tiled<32>, dim3(32, 32));
  time("tiled transpose, 4096x4096, 32x8, 1 barrier", transpose_tiled<8>, dim3(32, 8));
  return within_limits;
}

void time_sums(int samples, Integers& integers) {
  constexpr int n = 1 << 20;
  const auto time = [&](const char* what, const char* name, auto kernel, int width) {
    const auto launch = [&] { kernel<<<n / 256, 256>>>(integers.in.data, integers.out.data); };
    launch();
    integers.fetch(static_cast<std::size_t>(n / width));
    require(integers.are_sums(width, n / width), name);
    print(what, n, median_s(samples, launch));
  };
  time("tree sum, 1 M, blocks of 256, 9 barriers", "sum_blocks", sum_blocks, 256);
  time("warp sum, 1 M, blocks of 256, 5 shuffles", "sum_warps", sum_warps, 32);
}

void time_empty_launches(int samples) {
  constexpr int launches = 100;
  const double queued_s = median_s(samples * 10, [] {
    for (int i = 0; i < launches; ++i) nothing<<<1, 1>>>();
  });
  std::printf("%-44s %9.3f us\n", "empty launch, 100 queued", queued_s / launches * 1e6);
  std::printf("%-44s %9.3f us\n", "empty launch, waited for",
              median_s(samples * 100, [] { nothing<<<1, 1>>>(); }) * 1e6);
}

/// @param program this one's name, for its children
void time_starts(int samples, const char* program) {
  std::vector<double> starts;
  for (int i = 0; i < samples; ++i) {
    char option[] = "--start";
    std::string path = program;
    char* arguments[] = {path.data(), option, nullptr};
    pid_t child = 0;
    const auto start = Clock::now();
    if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments, environ) != 0)
      throw std::runtime_error("can't start myself");
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) throw std::runtime_error("a program with one launch failed");
    starts.push_back(elapsed_s(start));
  }
  std::nth_element(starts.begin(), starts.begin() + samples / 2, starts.end());
  std::printf("%-44s %9.2f ms\n", "a program with one launch, start to end",
              starts[static_cast<std::size_t>(samples) / 2] * 1e3);
}

/// @return whether all is within its limits
bool run(int samples, const char* program) {
  bool within_limits = time_vector_add(samples);
  Integers integers;
  within_limits &= time_transposes(samples, integers);
  time_sums(samples, integers);
  time_empty_launches(samples);
  time_starts(samples, program);
  return within_limits;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 2 && std::strcmp(argv[1], "--start") == 0) {
    nothing<<<1, 1>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
  }
  const int samples = argc == 2 ? std::atoi(argv[1]) : 11;
  if (argc > 2 || samples < 5) {
    std::fprintf(stderr, "usage: emulator_benchmark [SAMPLES]: at least 5\n");
    return 2;
  }
  return run(samples, argv[0]) ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "emulator_benchmark: %s\n", error.what());
  return 1;
}
