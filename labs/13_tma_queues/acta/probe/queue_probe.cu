#include "queue_probe.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "common/device_buffer.hpp"
#include "common/host/statistics.hpp"
#include "common/timer.hpp"
#include "operand_queue_ring.hpp"
#include "tma_queues_launch.hpp"

namespace warplab::acta {
namespace {

constexpr int launches = 9, warp = 32, consumer_warps = tma_queues_consumers / warp;

/// Zeros in device memory.
class Floats {
 public:
  explicit Floats(std::int64_t count) : buffer_(static_cast<std::size_t>(count) * sizeof(float)) {
    CUDA_CHECK(cudaMemset(buffer_.data(), 0, static_cast<std::size_t>(count) * sizeof(float)));
  }
  const float* data() const { return static_cast<const float*>(buffer_.data()); }

 private:
  DeviceBuffer buffer_;
};

/// What a probe's kernel writes.
struct Cycles {
  unsigned long long producer, consumers;  ///< of the slowest warp
};

__device__ inline void keep_longest(unsigned long long* longest, long long since) {
  if (threadIdx.x % warp == 0) atomicMax(longest, static_cast<unsigned long long>(clock64() - since));
}

/// One block and a slot per tile, so that the producer never waits. The consumers begin when all is there.
__global__ void tile_costs_kernel(QueueDescriptor descriptor, const float* from, Cycles* cycles) {
  extern __shared__ __align__(128) unsigned char shared[];
  OperandQueue queue(descriptor, shared);
  if (threadIdx.x == 0) queue.initialize(consumer_warps);
  __syncthreads();  // waits until the barriers are made
  if (threadIdx.x >= tma_queues_consumers) {
    const long long start = clock64();
    for (int i = 0; i < descriptor.slots; ++i)
      queue.push([&](int) { return from + i * descriptor.tile; }, descriptor.tile);
    keep_longest(&cycles->producer, start);
    return;
  }
  for (int i = 0; i < descriptor.slots; ++i) queue.keep(i);
  const long long start = clock64();
  for (int i = 0; i < descriptor.slots; ++i) {
    queue.acquire();
    queue.release();
  }
  keep_longest(&cycles->consumers, start);
}

/// One warp pushes a tile, waits for it, and pushes the next one, `stride` elements further on.
__global__ void latency_kernel(QueueDescriptor descriptor, const float* from, std::int64_t stride, int tiles,
                               Cycles* cycles) {
  extern __shared__ __align__(128) unsigned char shared[];
  OperandQueue queue(descriptor, shared);
  if (threadIdx.x == 0) queue.initialize(1);
  __syncwarp();  // waits until the barriers are made
  const long long start = clock64();
  OperandQueue consumer = queue;
  for (int i = 0; i < tiles; ++i) {
    queue.push([&](int) { return from + i * stride; }, descriptor.tile);
    consumer.acquire();
    consumer.release();
  }
  keep_longest(&cycles->producer, start);
}

__global__ void shared_latency_kernel(int loads, Cycles* cycles) {
  __shared__ int next[warp];
  const int lane = static_cast<int>(threadIdx.x);
  next[lane] = (lane + 1) % warp;
  __syncwarp();  // waits until the chain is there
  int at = lane;
  const long long start = clock64();
  for (int i = 0; i < loads; ++i) at = next[at];
  keep_longest(&cycles->producer, start);
  if (at < 0) cycles->consumers = 0;  // never: it keeps the loads
}

/// Blocks take tiles in turn, `passes` times, and do nothing with them.
__global__ void stream_kernel(QueueDescriptor descriptor, const float* from, std::int64_t tiles, int passes) {
  extern __shared__ __align__(128) unsigned char shared[];
  OperandQueue queue(descriptor, shared);
  if (threadIdx.x == 0) queue.initialize(consumer_warps);
  __syncthreads();  // waits until the barriers are made
  const bool is_producer = threadIdx.x >= tma_queues_consumers;
  for (int pass = 0; pass < passes; ++pass)
    for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      if (is_producer) {
        queue.push([&](int) { return from + tile * descriptor.tile; }, descriptor.tile);
      } else {
        queue.acquire();
        queue.release();
      }
    }
}

/// The median over some launches of what `launch` leaves in its argument; the first launch warms up.
Cycles median_cycles(const std::function<void(Cycles*)>& launch) {
  tma_queues_check_device();
  DeviceBuffer device(sizeof(Cycles));
  std::vector<double> producer, consumers;
  for (int i = 0; i <= launches; ++i) {
    Cycles cycles{};
    CUDA_CHECK(cudaMemset(device.data(), 0, sizeof cycles));
    launch(static_cast<Cycles*>(device.data()));
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&cycles, device.data(), sizeof cycles, cudaMemcpyDeviceToHost));
    if (i == 0) continue;
    producer.push_back(static_cast<double>(cycles.producer));
    consumers.push_back(static_cast<double>(cycles.consumers));
  }
  return {static_cast<unsigned long long>(summarize(producer).median),
          static_cast<unsigned long long>(summarize(consumers).median)};
}

/// Cycles per tile of a whole kernel, the sum of two vectors, whose tiles are too small for anything but the
/// producer to limit it.
double measure_issue() {
  constexpr std::int64_t length = std::int64_t{1} << 20;
  constexpr QueueShape shape{.tile = 64, .slots = tma_queues_max_slots, .blocks = 1};
  const Floats a(length), b(length);
  const DeviceBuffer z(length * sizeof(float));
  const AddWork work{{}, a.data(), b.data(), static_cast<float*>(z.data()), length};
  EventTimer timer;
  std::vector<double> ms;
  for (int i = 0; i <= launches; ++i) {
    timer.start(nullptr);
    operand_queue_ring(work, shape, nullptr);
    timer.stop(nullptr);
    if (i > 0) ms.push_back(timer.elapsed_ms());
  }
  const double tiles =
      AddWork::vectors * std::ceil(static_cast<double>(length) / shape.tile / multiprocessors());
  return summarize(ms).median * device_attribute(cudaDevAttrClockRate) / tiles;
}

template <class Kernel>
void allow(Kernel kernel, QueueDescriptor descriptor) {
  tma_queues_allow_shared(kernel, {descriptor.tile, descriptor.slots}, descriptor.bytes());
}

}  // namespace

TileCosts measure_tile_costs() {
  constexpr int rows = 8;
  constexpr QueueDescriptor one{.rows = 1, .tile = 4, .slots = 256}, several{rows, 4, 256};
  const Floats from(one.slots * one.tile);
  const auto cycles_per_push = [&](QueueDescriptor queue) {
    allow(tile_costs_kernel, queue);
    const Cycles cycles = median_cycles(
        [&](Cycles* out) { tile_costs_kernel<<<1, ring_threads, queue.bytes()>>>(queue, from.data(), out); });
    return std::pair(static_cast<double>(cycles.producer) / queue.slots,
                     static_cast<double>(cycles.consumers) / queue.slots);
  };
  const auto [push, handover] = cycles_per_push(one);
  const double copy = (cycles_per_push(several).first - push) / (rows - 1);
  return {.push = push, .copy = copy, .issue = measure_issue(), .handover = handover};
}

CopyLatency measure_copy_latency() {
  constexpr QueueDescriptor queue{.rows = 1, .tile = 4, .slots = 1};
  constexpr std::int64_t stride = 4096;  // elements: each tile in another page of DRAM
  constexpr int tiles = 256;
  const Floats from(stride * tiles * (launches + 1));
  const Floats other(std::int64_t{1} << 26);  // written last: 256 MB that push the first out of L2
  const auto cycles_per_tile = [&](bool in_l2) {
    int launch = 0;
    const Cycles cycles = median_cycles([&](Cycles* out) {
      const float* const first = from.data() + (in_l2 ? 0 : launch++ * stride * tiles);
      latency_kernel<<<1, warp, queue.bytes()>>>(queue, first, in_l2 ? 32 : stride, tiles, out);
    });
    return static_cast<double>(cycles.producer) / tiles;
  };
  return {.l2 = cycles_per_tile(true), .dram = cycles_per_tile(false)};
}

double measure_shared_latency() {
  constexpr int loads = 4096;
  const Cycles cycles = median_cycles([](Cycles* out) { shared_latency_kernel<<<1, warp>>>(loads, out); });
  return static_cast<double>(cycles.producer) / loads;
}

std::vector<RatePoint> measure_bandwidth_in_flight(double buffer_bytes) {
  tma_queues_check_device();
  constexpr QueueDescriptor sizes[] = {{1, 1024, 1}, {1, 1024, 2}, {1, 1024, 4}, {1, 1024, 8},
                                       {1, 2048, 8}, {1, 4096, 6}, {1, 4096, 8}, {1, 4096, 12}};
  constexpr double read_at_least = 2e9;  // bytes: a launch then lasts about a millisecond
  const auto elements = static_cast<std::int64_t>(buffer_bytes / sizeof(float));
  const int passes = std::max(1, static_cast<int>(read_at_least / buffer_bytes));
  const Floats from(elements);
  std::vector<RatePoint> curve;
  EventTimer timer;
  for (const QueueDescriptor queue : sizes) {
    allow(stream_kernel, queue);
    const std::int64_t tiles = elements / queue.tile;
    std::vector<double> ms;
    for (int i = 0; i <= launches; ++i) {
      timer.start(nullptr);
      stream_kernel<<<multiprocessors(), ring_threads, queue.bytes()>>>(queue, from.data(), tiles, passes);
      CUDA_CHECK_LAUNCH();
      timer.stop(nullptr);
      if (i > 0) ms.push_back(timer.elapsed_ms());
    }
    const double read = static_cast<double>(tiles) * queue.tile * sizeof(float) * passes;
    curve.push_back({queue.slots * queue.tile * double{sizeof(float)}, read / summarize(ms).median / 1e6});
  }
  return curve;
}

double measure_copy_bandwidth() {
  constexpr std::size_t bytes = std::size_t{1} << 30;
  const DeviceBuffer from(bytes), to(bytes);
  CUDA_CHECK(cudaMemset(from.data(), 1, bytes));
  EventTimer timer;
  std::vector<double> ms;
  for (int i = 0; i <= launches; ++i) {
    timer.start(nullptr);
    CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, nullptr));
    timer.stop(nullptr);
    if (i > 0) ms.push_back(timer.elapsed_ms());
  }
  return 2.0 * bytes / summarize(ms).median / 1e6;
}

}  // namespace warplab::acta
