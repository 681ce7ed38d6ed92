#include "common/ceiling.hpp"

#include <algorithm>

#include "common/arithmetic_kernel.hpp"
#include "common/copy_kernel.hpp"
#include "common/cuda_check.hpp"

namespace warplab {

Ceiling measure_copy_ceiling(std::size_t moved_bytes, const BenchmarkOptions& options) {
  const std::size_t bytes = std::max<std::size_t>(moved_bytes / 2 / 16 * 16, 16);
  DeviceBuffer in(bytes), out(bytes);
  cudaStream_t const stream = cudaStreamLegacy;
  const Summary by_runtime = summarize(benchmark(
      [&] { CUDA_CHECK(cudaMemcpyAsync(out.data(), in.data(), bytes, cudaMemcpyDeviceToDevice, stream)); },
      stream, options));
  const Summary by_kernel =
      summarize(benchmark([&] { copy_vectorised(in.data(), out.data(), bytes, stream); }, stream, options));
  const bool runtime_wins = by_runtime.median <= by_kernel.median;
  return {runtime_wins ? "cudaMemcpyAsync" : "vectorised copy kernel", 2.0 * static_cast<double>(bytes),
          runtime_wins ? by_runtime : by_kernel};
}

Ceiling measure_arithmetic_ceiling(DType dtype, const BenchmarkOptions& options) {
  DeviceBuffer sink(sizeof(double));
  cudaStream_t const stream = cudaStreamLegacy;
  return dispatch<float, double>(dtype, [&]<class T>() {
    double flops = 0;
    const auto launch = [&] { flops = multiply_add_everywhere(static_cast<T*>(sink.data()), stream); };
    const Summary time_ms = summarize(benchmark(launch, stream, options));
    return Ceiling{"multiply-adds in registers", flops, time_ms};
  });
}

}  // namespace warplab
