// Measures how fast the units of a GPU work at most: what a bound of a kernel's time divides its counts by.
// It prints one JSON object. Each rate is the best of its samples, on a GPU that does nothing else.
//
//   nvcc -O2 -std=c++20 -arch=sm_90a tests/bounds/device_rates.cu -o device_rates && ./device_rates
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int warp_size = 32;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "device_rates: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

__global__ void empty_kernel() {}

/// Each thread reads `rounds` elements of a working set, `step` threads' strides apart, past L1.
template <class T>
__global__ void load_from_l2(const T* data, std::size_t count, int rounds, T* out) {
  std::size_t at = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  float sum = 0;
  for (int i = 0; i < rounds; ++i, at += stride) {
    const T value = __ldcg(data + at % count);
    sum += reinterpret_cast<const float*>(&value)[0];
  }
  if (sum == 1.5f) *reinterpret_cast<float*>(out) = sum;
}

/// Stores whole lines: 16 bytes per lane.
__global__ void store_lines(float4* data, std::size_t count, int rounds) {
  std::size_t at = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (int i = 0; i < rounds; ++i, at += stride) data[at % count] = float4{1, 2, 3, 4};
}

/// The lanes of a warp touch a sector of their own each: 4 bytes in 32, rows of `pitch` bytes apart.
__global__ void store_scattered(float* data, std::size_t rows, std::size_t pitch, int rounds) {
  const std::size_t warp = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / warp_size;
  const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / warp_size;
  const unsigned lane = threadIdx.x % warp_size;
  for (int i = 0; i < rounds; ++i) {
    const std::size_t tile = warp + i * warps, column = tile % pitch, row = tile / pitch * warp_size + lane;
    data[row % rows * pitch + column] = 1.f;
  }
}
__global__ void load_scattered(const float* data, std::size_t rows, std::size_t pitch, int rounds,
                               float* out) {
  const std::size_t warp = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / warp_size;
  const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / warp_size;
  const unsigned lane = threadIdx.x % warp_size;
  float sum = 0;
  for (int i = 0; i < rounds; ++i) {
    const std::size_t tile = (warp + i * warps) * 8;  // another sector each time
    sum += __ldcg(data + (tile / pitch * warp_size + lane) % rows * pitch + tile % pitch);
  }
  if (sum == 1.5f) *out = sum;
}

/// Reads what L1 holds: lanes `stride` elements apart, from element `first` of a line on. Another line each
/// time, so that the compiler keeps no value.
template <class T>
__global__ void load_from_l1(const T* data, unsigned stride, unsigned first, int rounds, int step, T* out) {
  const T* const mine = data + first + threadIdx.x % warp_size * stride;
  float sum = 0;
  for (int i = 0; i < rounds; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      T value;
      if constexpr (sizeof(T) == 4)
        asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(mine + (i + k * step) % 32 * 32));
      else
        asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
                     : "l"(mine + (i + k * step) % 32 * 32));
      sum += reinterpret_cast<const float*>(&value)[0];
    }
  }
  if (sum == 1.5f) *reinterpret_cast<float*>(out) = sum;
}

/// Reads shared memory: lanes `stride` words apart.
__global__ void load_from_shared(unsigned stride, int rounds, int step, float* out) {
  __shared__ float words[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = static_cast<float>(i);
  __syncthreads();
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(words + threadIdx.x % warp_size * stride));
  float sum = 0;
  for (int i = 0; i < rounds; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float value;
      asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(at + (i + k * step) % 32 * 128));
      sum += value;
    }
  }
  if (sum == 1.5f) *out = sum;
}

/// Atomic additions: lanes `stride` elements apart, so that 0 is one address for all.
template <class T>
__global__ void add_to_one(T* data, unsigned stride, int rounds) {
  for (int i = 0; i < rounds; ++i) atomicAdd(data + threadIdx.x % warp_size * stride, T(1));
}
template <class T>
__global__ void add_spread(T* data, std::size_t count, int rounds) {
  std::size_t at = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  for (int i = 0; i < rounds; ++i, at += std::size_t{gridDim.x} * blockDim.x)
    atomicAdd(data + at % count, T(1));
}
template <class T>
__global__ void add_in_shared(unsigned stride, int rounds, T* out) {
  __shared__ T sums[1024];
  sums[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < rounds; ++i) atomicAdd(sums + threadIdx.x % warp_size * stride, T(1));
  __syncthreads();
  if (sums[threadIdx.x] == T(-1)) *out = 1;
}

__global__ void synchronize(int rounds) {
  for (int i = 0; i < rounds; ++i) __syncthreads();
}

/// One thread follows a chain of pointers.
template <bool from_l1>
__global__ void follow(const unsigned* next, int steps, unsigned* out) {
  unsigned at = 0;
  for (int i = 0; i < steps; ++i) {
    if constexpr (from_l1)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(at) : "l"(next + at));
    else
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(next + at));
  }
  *out = at;
}

/// mma.sync of 16x8x16 halves, sums in float.
__global__ void multiply(int rounds, float* out) {
  float c[4][4] = {};
  const unsigned a = threadIdx.x, b = threadIdx.x + 1;
  for (int i = 0; i < rounds; ++i)
#pragma unroll
    for (int k = 0; k < 4; ++k)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, "
          "{%0,%1,%2,%3};"
          : "+f"(c[k][0]), "+f"(c[k][1]), "+f"(c[k][2]), "+f"(c[k][3])
          : "r"(a), "r"(b));
  if (c[0][0] + c[1][0] + c[2][0] + c[3][0] == 1.5f) *out = 1;
}

template <class T>
__global__ void fused_multiply_add(int rounds, T* out) {
  T c[8] = {};
  const T a = threadIdx.x, b = blockIdx.x;
  for (int i = 0; i < rounds; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) c[k] = c[k] * a + b;
  T sum = 0;
  for (const T each : c) sum += each;
  if (sum == T(1.5)) *out = sum;
}

class Bench {
 public:
  Bench() {
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
    check(cudaMalloc(&flush_, flush_bytes));
  }
  /// The least seconds of `samples` runs. @param cold L2 is overwritten before each
  double seconds(const std::function<void()>& work, int samples, bool cold) {
    work();
    check(cudaDeviceSynchronize());
    float least = 1e30f;
    for (int i = 0; i < samples; ++i) {
      if (cold) check(cudaMemsetAsync(flush_, 0, flush_bytes));
      check(cudaEventRecord(begin_));
      work();
      check(cudaEventRecord(end_));
      check(cudaEventSynchronize(end_));
      check(cudaGetLastError());
      float ms = 0;
      check(cudaEventElapsedTime(&ms, begin_, end_));
      least = std::min(least, ms);
    }
    return least / 1e3;
  }

 private:
  static constexpr std::size_t flush_bytes = std::size_t{128} << 20;
  cudaEvent_t begin_{}, end_{};
  void* flush_ = nullptr;
};

bool first = true;
void put(const std::string& name, double value, const char* unit) {
  std::printf("%s\n  \"%s\": {\"value\": %.6g, \"unit\": \"%s\"}", first ? "{" : ",", name.c_str(), value,
              unit);
  first = false;
}

struct Device {
  int multiprocessors = 0;
  double clock = 0;  ///< Hz, the highest
};

void measure_launches(Bench& bench) {
  const double nothing = bench.seconds([] {}, 200, true);
  const double one = bench.seconds([] { empty_kernel<<<1, 32>>>(); }, 200, true);
  const double eleven = bench.seconds(
      [] {
        for (int i = 0; i < 11; ++i) empty_kernel<<<1, 32>>>();
      },
      200, true);
  void *from = nullptr, *to = nullptr;
  check(cudaMalloc(&from, 64));
  check(cudaMalloc(&to, 64));
  const double filled = bench.seconds(
      [&] {
        check(cudaMemsetAsync(to, 0, 4));
        empty_kernel<<<1, 32>>>();
      },
      200, true);
  const double copied = bench.seconds(
      [&] {
        check(cudaMemcpyAsync(to, from, 36, cudaMemcpyDeviceToDevice));
        empty_kernel<<<1, 32>>>();
      },
      200, true);
  put("fill_us", (filled - one) * 1e6, "us for cudaMemsetAsync of 4 bytes before an empty kernel");
  put("copy_us", (copied - one) * 1e6, "us for a copy of 36 bytes within the device before an empty kernel");
  put("events_us", nothing * 1e6, "us between two events with nothing between");
  put("launch_us", one * 1e6, "us for one empty kernel");
  put("further_launch_us", (eleven - one) / 10 * 1e6, "us for each further kernel");
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    constexpr int blocks = 1 << 20;
    const double time = bench.seconds([&] { empty_kernel<<<blocks, threads>>>(); }, 10, false);
    put("blocks_of_" + std::to_string(threads), blocks / (time - one) / 1e9, "blocks per ns");
  }
}

void measure_l2(Bench& bench, const Device& device, float* data) {
  const std::size_t bytes = std::size_t{16} << 20;
  const int blocks = device.multiprocessors * 8, threads = 256, rounds = 512;
  const double lanes = double(blocks) * threads * rounds;
  auto* const vectors = reinterpret_cast<float4*>(data);
  double time = bench.seconds(
      [&] { load_from_l2<<<blocks, threads>>>(vectors, bytes / 16, rounds, vectors); }, 5, false);
  put("l2_load_16", lanes * 16 / time / 1e9, "GB/s");
  time = bench.seconds([&] { load_from_l2<<<blocks, threads>>>(data, bytes / 4, rounds, data); }, 5, false);
  put("l2_load_4", lanes * 4 / time / 1e9, "GB/s");
  time = bench.seconds([&] { store_lines<<<blocks, threads>>>(vectors, bytes / 16, rounds); }, 5, false);
  put("l2_store_16", lanes * 16 / time / 1e9, "GB/s");
  const std::size_t pitch = 2048, rows = bytes / 4 / pitch;
  time = bench.seconds([&] { store_scattered<<<blocks, threads>>>(data, rows, pitch, rounds); }, 5, false);
  put("l2_store_scattered", lanes / time / 1e9, "sectors per ns");
  time =
      bench.seconds([&] { load_scattered<<<blocks, threads>>>(data, rows, pitch, rounds, data); }, 5, false);
  put("l2_load_scattered", lanes / time / 1e9, "sectors per ns");
}

void measure_l1(Bench& bench, const Device& device, float* data) {
  const int blocks = device.multiprocessors * 2, threads = 1024, rounds = 8192;
  const double warps = double(blocks) * threads / warp_size * rounds;
  const auto per_clock = [&](double time) { return warps / time / device.clock / device.multiprocessors; };
  const char* const unit = "requests per clock and multiprocessor";
  for (const auto& [name, stride, begin] : {std::tuple{"l1_broadcast", 0u, 0u},
                                            {"l1_aligned", 1u, 0u},
                                            {"l1_from_1", 1u, 1u},
                                            {"l1_from_2", 1u, 2u},
                                            {"l1_from_4", 1u, 4u},
                                            {"l1_from_8", 1u, 8u},
                                            {"l1_from_16", 1u, 16u},
                                            {"l1_from_24", 1u, 24u},
                                            {"l1_from_31", 1u, 31u},
                                            {"l1_every_fourth", 4u, 0u},
                                            {"l1_every_16th", 16u, 0u},
                                            {"l1_every_second", 2u, 0u},
                                            {"l1_own_sector", 8u, 0u},
                                            {"l1_own_line", 32u, 0u}})
    put(name,
        per_clock(bench.seconds(
            [&, s = stride, b = begin] { load_from_l1<<<blocks, threads>>>(data, s, b, rounds, 1, data); }, 5,
            false)),
        unit);
  auto* const vectors = reinterpret_cast<float4*>(data);
  put("l1_16_bytes",
      per_clock(bench.seconds([&] { load_from_l1<<<blocks, threads>>>(vectors, 1, 0, rounds, 1, vectors); },
                              5, false)),
      unit);
  for (const unsigned stride : {0u, 1u, 2u, 32u})
    put("shared_stride_" + std::to_string(stride),
        per_clock(
            bench.seconds([&] { load_from_shared<<<blocks, threads>>>(stride, rounds, 1, data); }, 5, false)),
        unit);
  for (const int size : {32, 128, 256, 1024}) {
    const int resident = device.multiprocessors * std::min(32, 2048 / size);
    const double time = bench.seconds([&] { synchronize<<<resident, size>>>(4096); }, 5, false);
    put("barriers_of_" + std::to_string(size),
        resident * 4096. / time / device.clock / device.multiprocessors,
        "barriers of a block per clock and multiprocessor");
    put("barrier_clocks_" + std::to_string(size),
        bench.seconds([&] { synchronize<<<1, size>>>(4096); }, 5, false) / 4096 * device.clock, "clocks");
  }
}

template <class T>
void measure_atomics(Bench& bench, const Device& device, const char* type, void* memory) {
  T* const data = static_cast<T*>(memory);
  const int blocks = device.multiprocessors, threads = 256, rounds = 64;
  const double warps = double(blocks) * threads / warp_size * rounds;
  double time = bench.seconds([&] { add_to_one<<<blocks, threads>>>(data, 0, rounds); }, 5, false);
  put(std::string("atomic_one_address_") + type, warps / time / 1e9,
      "requests per ns, 32 lanes on one address");
  time = bench.seconds([&] { add_to_one<<<blocks * 8, 32>>>(data, 1, rounds); }, 5, false);
  put(std::string("atomic_one_line_") + type, double(blocks) * 8 * rounds / time / 1e9,
      "requests per ns, 32 neighbours, all warps on the same");
  time = bench.seconds([&] { add_spread<<<blocks * 8, threads>>>(data, std::size_t{1} << 20, rounds * 4); },
                       5, false);
  put(std::string("atomic_spread_") + type, double(blocks) * 8 * threads * rounds * 4 / time / 1e9,
      "operations per ns");
  for (const unsigned stride : {0u, 1u}) {
    time = bench.seconds([&] { add_in_shared<<<blocks * 2, 1024>>>(stride, rounds * 8, data); }, 5, false);
    put("shared_atomic_stride_" + std::to_string(stride) + "_" + type,
        double(blocks) * 2 * 32 * rounds * 8 / time / device.clock / device.multiprocessors,
        "requests per clock and multiprocessor");
  }
}

void measure_latencies(Bench& bench, const Device& device, unsigned* next, std::size_t bytes) {
  for (const auto& [name, range] : {std::pair{"latency_dram", bytes},
                                    {"latency_l2", std::size_t{8} << 20},
                                    {"latency_l1", std::size_t{16} << 10}}) {
    const std::size_t count = range / 4, stride = range > (1 << 20) ? 4096 / 4 + 8 : 32 / 4;
    std::vector<unsigned> chain(count);
    for (std::size_t i = 0; i < count; ++i) chain[i] = static_cast<unsigned>((i + stride) % count);
    check(cudaMemcpy(next, chain.data(), range, cudaMemcpyHostToDevice));
    const int steps = 20000;
    const bool near = range <= (1 << 20);
    const double time = bench.seconds(
        [&] {
          near ? follow<true><<<1, 1>>>(next, steps, next + count)
               : follow<false><<<1, 1>>>(next, steps, next + count);
        },
        3, !near && range == bytes);
    put(name, time / steps * device.clock, "clocks");
  }
}

void measure_arithmetic(Bench& bench, const Device& device, float* out) {
  const int blocks = device.multiprocessors * 2, threads = 1024, rounds = 4096;
  const double warps = double(blocks) * threads / warp_size * rounds;
  double time = bench.seconds([&] { multiply<<<blocks, 512>>>(rounds, out); }, 5, false);
  put("mma_half", warps / 2 * 4 * 4096 / time / 1e12, "Tflop/s");
  time = bench.seconds([&] { fused_multiply_add<<<blocks, threads>>>(rounds, out); }, 5, false);
  put("fma_float", warps * 32 * 16 / time / 1e12, "Tflop/s");
  time = bench.seconds(
      [&] { fused_multiply_add<<<blocks, threads>>>(rounds, reinterpret_cast<double*>(out)); }, 5, false);
  put("fma_double", warps * 32 * 16 / time / 1e12, "Tflop/s");
}

}  // namespace

int main() {
  Device device;
  int khz = 0;
  check(cudaDeviceGetAttribute(&device.multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  device.clock = khz * 1e3;
  const std::size_t bytes = std::size_t{512} << 20;
  float* data = nullptr;
  check(cudaMalloc(&data, bytes + 64));
  check(cudaMemset(data, 0, bytes + 64));
  Bench bench;
  put("clock", device.clock / 1e6, "MHz");
  measure_launches(bench);
  measure_l2(bench, device, data);
  measure_l1(bench, device, data);
  measure_atomics<int>(bench, device, "int", data);
  measure_atomics<float>(bench, device, "float", data);
  measure_atomics<double>(bench, device, "double", data);
  measure_arithmetic(bench, device, data);
  measure_latencies(bench, device, reinterpret_cast<unsigned*>(data), bytes);
  std::printf("\n}\n");
}
