#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <utility>

#include "common/cuda_check.hpp"

namespace warplab {

/// Wall-clock time on the host since construction or the last reset, from a clock that never goes back.
class HostTimer {
 public:
  void reset() { start_ = Clock::now(); }
  double elapsed_ms() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Time on the device between two points of a stream, by CUDA events (resolution about 0.0005 ms).
class EventTimer {
 public:
  EventTimer() {
    CUDA_CHECK(cudaEventCreate(&start_));
    try {
      CUDA_CHECK(cudaEventCreate(&stop_));
    } catch (...) {
      CUDA_WARN(cudaEventDestroy(start_));
      throw;
    }
  }
  ~EventTimer() {
    destroy(start_);
    destroy(stop_);
  }
  EventTimer(EventTimer&& other) noexcept
      : start_(std::exchange(other.start_, nullptr)), stop_(std::exchange(other.stop_, nullptr)) {}
  EventTimer& operator=(EventTimer&& other) noexcept {
    std::swap(start_, other.start_);
    std::swap(stop_, other.stop_);
    return *this;
  }

  void start(cudaStream_t stream) { CUDA_CHECK(cudaEventRecord(start_, stream)); }
  void stop(cudaStream_t stream) { CUDA_CHECK(cudaEventRecord(stop_, stream)); }

  /// Waits for the stop and returns the milliseconds since the start. @throws
  /// CudaError if the work between failed.
  double elapsed_ms() const {
    float ms = 0;
    CUDA_CHECK(cudaEventSynchronize(stop_));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start_, stop_));
    return ms;
  }

 private:
  static void destroy(cudaEvent_t event) {
    if (!event) return;
    const cudaError_t destroyed = cudaEventDestroy(event);
    if (!detail::is_sticky(destroyed))
      CUDA_WARN(destroyed);  // a lost context was reported by whoever lost it
  }

  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

}  // namespace warplab
