#include "harness/rung/ceiling.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "common/arithmetic_kernel.hpp"
#include "common/copy_kernel.hpp"
#include "common/cuda_check.hpp"
#include "common/host/bad_input.hpp"
#include "common/host/host_array.hpp"
#include "common/host/random.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/matrix_product.hpp"

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

namespace {

Ceiling measure_matrix_product(const BenchmarkOptions& options) {
  constexpr int n = 8192;
  const std::filesystem::path path = matrix_product_path();
  if (!std::filesystem::exists(path)) throw NotAvailable("this was built without cuBLAS");
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto product = reinterpret_cast<decltype(&warplab_matrix_product)>(
      module ? dlsym(module, "warplab_matrix_product") : nullptr);
  if (!product) throw NotAvailable(std::string("cuBLAS cannot be loaded: ") + dlerror());
  HostArray random(DType::f16, {n, n});  // what is multiplied matters: zeros need less power
  DeviceBuffer a(random.size_bytes()), b(random.size_bytes()), c(random.size_bytes());
  for (const auto& [matrix, seed] : {std::pair{&a, 1}, {&b, 2}}) {
    fill_random(random, static_cast<std::uint64_t>(seed));
    CUDA_CHECK(
        cudaMemcpy(matrix->data(), random.bytes().data(), random.size_bytes(), cudaMemcpyHostToDevice));
  }
  cudaStream_t const stream = cudaStreamLegacy;
  return {"a product of half matrices by cuBLAS", 2.0 * n * n * n,
          summarize(benchmark([&] { product(a.data(), b.data(), c.data(), n, stream); }, stream, options))};
}

}  // namespace

Ceiling measure_arithmetic_ceiling(DType dtype, const BenchmarkOptions& options) {
  if (dtype == DType::f16) return measure_matrix_product(options);
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
