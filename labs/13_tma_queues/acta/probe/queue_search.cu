#include "queue_search.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/benchmark.hpp"
#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "common/host/random.hpp"
#include "common/host/statistics.hpp"
#include "operand_queue_ring.hpp"
#include "reference/tma_queues.hpp"
#include "tma_queues.hpp"

namespace warplab::acta {
namespace {

constexpr int samples = 15;

/// Whole numbers from -2 to 2: every sum of their products is exact.
std::vector<float> whole_numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(static_cast<int>(random_bits(seed, i) % 5) - 2);
  return numbers;
}

class DeviceFloats {
 public:
  explicit DeviceFloats(std::size_t count) : count_(count), buffer_(count * sizeof(float)) {}
  explicit DeviceFloats(const std::vector<float>& values) : DeviceFloats(values.size()) {
    CUDA_CHECK(cudaMemcpy(buffer_.data(), values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  float* data() const { return static_cast<float*>(buffer_.data()); }
  std::size_t bytes() const { return count_ * sizeof(float); }

 private:
  std::size_t count_;
  DeviceBuffer buffer_;
};

}  // namespace

struct QueueSearch::Arrays {
  Arrays(std::vector<float> given_a, std::vector<float> given_b, std::vector<float> wanted)
      : host_a(std::move(given_a)), host_b(std::move(given_b)), expected(std::move(wanted)) {}

  std::vector<float> host_a, host_b, expected;
  DeviceFloats a{host_a}, b{host_b}, z{expected.size()};
  std::vector<float> result = std::vector<float>(expected.size());
};

QueueSearch::QueueSearch(QueueKernel kernel) {
  const auto [m, k, n] = tma_queues_table_sizes[static_cast<int>(kernel)];
  const auto make = [&](std::int64_t a, std::int64_t b, std::int64_t z, auto&& compute) {
    std::vector<float> host_a = whole_numbers(a, 1), host_b = whole_numbers(b, 2);
    std::vector<float> expected(static_cast<std::size_t>(z));
    compute(host_a.data(), host_b.data(), expected.data());
    arrays_ = std::make_shared<Arrays>(std::move(host_a), std::move(host_b), std::move(expected));
  };
  const auto use = [&](auto work) {
    work.a = arrays_->a.data();
    work.b = arrays_->b.data();
    work.z = arrays_->z.data();
    work.length = k;
    ring_ = [work](QueueShape shape) { operand_queue_ring(work, shape, nullptr); };
    ring_cp_async_ = [work](QueueShape shape) { tma_queues_ring_cp_async(work, shape, nullptr); };
  };
  const auto products = [&](const float* a, const float* b, float* z) {
    reference::product_of_rows(a, b, z, m, n, k, k);
  };
  const auto use_matrix = [&](auto work) {
    make(m * k, n * k, m * n, products);
    work.m = m;
    work.n = n;
    work.leading = k;
    use(work);
  };
  switch (kernel) {
    case QueueKernel::elementwise_k:
      make(k, 0, k, [&](const float* a, const float*, float* z) { reference::scale(3, a, z, k); });
      use(ScaleWork{{3}, nullptr, nullptr, nullptr, 0});
      break;
    case QueueKernel::elementwise:
      make(k, k, k, [&](const float* a, const float* b, float* z) { reference::multiply(a, b, z, k); });
      use(MultiplyWork{});
      break;
    case QueueKernel::sum_vectors:
      make(k, k, k, [&](const float* a, const float* b, float* z) { reference::add(a, b, z, k); });
      use(AddWork{});
      break;
    case QueueKernel::dot_product:
      make(k, k, 1, products);
      use(DotProductWork{});
      break;
    case QueueKernel::matrix_vector:
      use_matrix(MatrixVectorWork{});
      break;
    case QueueKernel::matrix_matrix:
      use_matrix(MatrixMatrixWork{});
      break;
  }
}

std::optional<double> QueueSearch::measure(const std::string& rung, QueueShape shape) {
  const Launch& launch = rung == "ring" ? ring_ : ring_cp_async_;
  Arrays& arrays = *arrays_;
  CUDA_CHECK(cudaMemset(arrays.z.data(), 0xff, arrays.z.bytes()));  // NaN, so that a missing element shows
  try {
    launch(shape);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  CUDA_CHECK(cudaMemcpy(arrays.result.data(), arrays.z.data(), arrays.z.bytes(), cudaMemcpyDeviceToHost));
  if (arrays.result != arrays.expected)
    throw std::runtime_error(rung + " with " + std::to_string(shape.slots) + " slots of " +
                             std::to_string(shape.tile) + " elements gives a wrong result");
  return summarize(benchmark([&] { launch(shape); }, nullptr, {.repeat = samples})).median;
}

}  // namespace warplab::acta
