#include "common/benchmark.hpp"

#include "harness/rung/ceiling.hpp"

#include <gtest/gtest.h>

#include "common/cuda_check.hpp"
#include "harness/problem/problem.hpp"
#include "harness/rung/backend.hpp"

namespace warplab {
namespace {

TEST(Benchmark, SettlesOnEnoughSamplesThatAgree) {
  const BenchmarkOptions options;
  EXPECT_FALSE(has_settled(std::vector<double>(9, 1.0), options));  // they agree, but are too few
  EXPECT_TRUE(has_settled(std::vector<double>(10, 1.0), options));
  std::vector<double> noisy;
  for (int i = 0; i < 20; ++i) noisy.push_back(1 + 0.02 * i);
  EXPECT_FALSE(has_settled(noisy, options));
}

TEST(Benchmark, TakesAsManySamplesAsAsked) {
  BenchmarkOptions options;
  options.repeat = 7;
  options.warm_up = 2;
  int launches = 0;
  const std::vector<double> samples = benchmark([&] { ++launches; }, nullptr, options);
  EXPECT_EQ(samples.size(), 7u);
  EXPECT_EQ(launches, 9);
}

TEST(Benchmark, LaunchesThatAreComparedTakeTurnsInAlternatingOrder) {
  BenchmarkOptions options;
  options.repeat = 3;
  options.warm_up = 1;
  std::string order;
  const auto samples = benchmark_paired({[&] { order += 'a'; }, [&] { order += 'b'; }}, nullptr, options);
  EXPECT_EQ(order,
            "ab"
            "ab"
            "ba"
            "ab");
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].size(), 3u);
  EXPECT_EQ(samples[1].size(), 3u);
}

TEST(Benchmark, MultiplyAddsAreCountedAndRun) {
  if (backend == Backend::emulator) GTEST_SKIP() << "the emulator does not measure time";
  const Ceiling single = measure_arithmetic_ceiling(DType::f32, {}),
                half = measure_arithmetic_ceiling(DType::f64, {});
  EXPECT_GT(single.rate(), 1000);
  EXPECT_GT(single.rate(), half.rate());
  EXPECT_THROW(measure_arithmetic_ceiling(DType::i32, {}), std::invalid_argument);
}

TEST(Benchmark, StopsAtTheTimeLimit) {
  BenchmarkOptions options;
  options.time_limit_s = 0;
  EXPECT_EQ(benchmark([] {}, nullptr, options).size(), 1u);
}

TEST(Benchmark, TimesTheWorkAndNotTheFlush) {
  if (backend == Backend::emulator) GTEST_SKIP() << "the emulator does not measure time";
  DeviceBuffer buffer(std::size_t{64} << 20);
  BenchmarkOptions options;
  options.repeat = 11;
  const auto small =
      benchmark([&] { CUDA_CHECK(cudaMemsetAsync(buffer.data(), 0, 1024, nullptr)); }, nullptr, options);
  const auto large = benchmark(
      [&] { CUDA_CHECK(cudaMemsetAsync(buffer.data(), 0, buffer.size_bytes(), nullptr)); }, nullptr, options);
  EXPECT_LT(small[5], 0.02);
  EXPECT_GT(large[5], small[5]);
}

}  // namespace
}  // namespace warplab
