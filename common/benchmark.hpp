#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <vector>

#include "common/device_buffer.hpp"
#include "common/host/benchmark_options.hpp"

namespace warplab {

/// Empties the L2 cache of the current device by overwriting more than it holds.
class L2Flusher {
 public:
  /// @throws CudaError
  L2Flusher();
  /// Queues the flush: a memset of at least twice the L2's size. Lines that were
  /// asked to persist are released.
  void flush(cudaStream_t stream);

 private:
  DeviceBuffer buffer_;
};

/// Times `launch`, one launch per sample, by CUDA events on `stream`. The flush that is queued just before
/// keeps the device busy while the host queues the launch, so the host's latency is not measured.
/// @return milliseconds, in the order taken. @throws CudaError, or what `launch` throws
std::vector<double> benchmark(const std::function<void()>& launch, cudaStream_t stream,
                              const BenchmarkOptions& options);

/// As above for several launches that are to be compared: a paired benchmark. They run in alternating order,
/// so that what the device's clocks and temperature do, they do to all. @return one list of samples per
/// launch
std::vector<std::vector<double>> benchmark_paired(const std::vector<std::function<void()>>& launches,
                                                  cudaStream_t stream, const BenchmarkOptions& options);

/// Whether samples have settled: enough of them, and their MAD / median is within the options' bound.
bool has_settled(const std::vector<double>& samples_ms, const BenchmarkOptions& options);

}  // namespace warplab
