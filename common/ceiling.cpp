#include "common/ceiling.hpp"

#include <algorithm>

#include "common/copy_kernel.hpp"
#include "common/cuda_check.hpp"

namespace warplab {

CopyCeiling measure_copy_ceiling(std::size_t moved_bytes, const BenchmarkOptions& options) {
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

}  // namespace warplab
