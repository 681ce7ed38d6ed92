#include "common/benchmark.hpp"

#include <algorithm>

#include "common/cuda_check.hpp"
#include "common/host/statistics.hpp"
#include "common/timer.hpp"

namespace warplab {
namespace {

// Also long enough on the device (tens of microseconds) to hide the queueing of a few launches.
constexpr std::size_t min_flush_bytes = std::size_t{128} << 20;

std::size_t flush_bytes() {
  int device = 0;
  int l2_bytes = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
  return std::max(2 * static_cast<std::size_t>(l2_bytes), min_flush_bytes);
}

}  // namespace

L2Flusher::L2Flusher() : buffer_(flush_bytes()) {}

void L2Flusher::flush(cudaStream_t stream) {
  if (cudaCtxResetPersistingL2Cache() != cudaSuccess)
    (void)cudaGetLastError();  // not every device has such lines
  CUDA_CHECK(cudaMemsetAsync(buffer_.data(), 0, buffer_.size_bytes(), stream));
}

bool has_settled(const std::vector<double>& samples_ms, const BenchmarkOptions& options) {
  if (samples_ms.size() < static_cast<std::size_t>(std::max(options.min_samples, 1))) return false;
  const Summary summary = summarize(samples_ms);
  return summary.mad && *summary.mad <= options.settled * summary.median;
}

std::vector<double> benchmark(const std::function<void()>& launch, cudaStream_t stream,
                              const BenchmarkOptions& options) {
  return std::move(benchmark_paired({launch}, stream, options).front());
}

std::vector<std::vector<double>> benchmark_paired(const std::vector<std::function<void()>>& launches,
                                                  cudaStream_t stream, const BenchmarkOptions& options) {
  L2Flusher flusher;
  EventTimer timer;
  for (const auto& launch : launches) {
    const HostTimer warming;
    for (int i = 0; i < options.warm_up && warming.elapsed_ms() < options.time_limit_s * 1000; ++i) {
      launch();
      CUDA_CHECK(cudaStreamSynchronize(stream));
    }
  }

  std::vector<std::vector<double>> samples_ms(launches.size());
  const HostTimer running;
  const auto enough = [&](int rounds) {
    if (options.repeat > 0) return rounds >= options.repeat;
    if (rounds == 0) return false;
    if (rounds >= options.max_samples || running.elapsed_ms() >= options.time_limit_s * 1000) return true;
    return rounds % 5 == 0 && std::all_of(samples_ms.begin(), samples_ms.end(),
                                          [&](const auto& samples) { return has_settled(samples, options); });
  };
  for (int round = 0; !enough(round); ++round)
    for (std::size_t place = 0; place < launches.size(); ++place) {
      const std::size_t i = round % 2 == 0 ? place : launches.size() - 1 - place;
      if (options.cold_l2) flusher.flush(stream);
      timer.start(stream);
      launches[i]();
      timer.stop(stream);
      samples_ms[i].push_back(timer.elapsed_ms());
    }
  return samples_ms;
}

}  // namespace warplab
