#include "acta/own_algorithm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "acta/block_share.hpp"
#include "acta/kernels.hpp"
#include "acta/measured_times.hpp"
#include "acta/published_algorithm.hpp"
#include "acta/queue_simulator.hpp"
#include "acta/regret.hpp"
#include "round_gpu.hpp"

namespace warplab::acta {
namespace {

GpuSpecification device(const std::string& name) {
  return read_specification(WARPLAB_SOURCE_DIR "/labs/13_tma_queues/devices/" + name + ".json");
}

// A tile of 256 floats: 10 cycles to issue, 64 to transfer, 300 until it arrives, and 4 + 6 + 8 to consume.
TEST(OwnAlgorithm, PredictsTheTimeOfASlotAndOfMany) {
  const Workload workload = one_queue();
  const auto predicted = [&](int slots) {
    return predict(round_gpu(), workload, {sized(workload.queues[0], 256, slots)});
  };
  EXPECT_DOUBLE_EQ(predicted(1).cycles(), 4 * (10 + 64 + 300 + 18));
  EXPECT_DOUBLE_EQ(predicted(2).cycles(), 374 + 3 * 196 + 18);  // Little's law: (374 + 18) / 2 per step
  EXPECT_DOUBLE_EQ(predicted(8).cycles(), 374 + 3 * 64 + 18);
  EXPECT_DOUBLE_EQ(predicted(8).first_step, 374);
  EXPECT_DOUBLE_EQ(predicted(8).later_steps, 3 * 64);
  EXPECT_DOUBLE_EQ(predicted(8).last_step, 18);
}

TEST(OwnAlgorithm, PredictsWhatTheSimulatorFindsForAllSizes) {
  for (const char* name : {"h100", "h200", "r9_nano"})
    for (const Kernel& kernel : kernels()) {
      const GpuSpecification gpu = device(name);
      const Workload workload = kernel.on(static_cast<int>(gpu.multiprocessors));
      for (const std::size_t tile : kernel.search.tiles)
        for (const int slots : kernel.search.slots) {
          SCOPED_TRACE(std::string(name) + " " + kernel.name + " " + std::to_string(tile) + " x " +
                       std::to_string(slots));
          const std::vector<QueueSize> sizes = sizes_of(workload, Choices(2, {tile, slots}));
          if (static_cast<double>(shared_bytes(sizes)) > gpu.shared_bytes) continue;
          const double simulated = simulate(gpu, workload, sizes).cycles;
          EXPECT_NEAR(predict(gpu, workload, sizes).cycles() / simulated, 1, 0.04);
        }
    }
}

TEST(OwnAlgorithm, ComputesTheBytesThatMustBeInFlight) {
  EXPECT_DOUBLE_EQ(bytes_in_flight_needed(round_gpu(), one_queue()), 16 * 310);
}

TEST(OwnAlgorithm, KeepsEnoughBytesInFlight) {
  for (const char* name : {"h100", "h200", "r9_nano"})
    for (const Kernel& kernel : kernels()) {
      SCOPED_TRACE(std::string(name) + " " + kernel.name);
      const GpuSpecification gpu = device(name);
      const Workload workload = kernel.on(static_cast<int>(gpu.multiprocessors));
      const std::vector<QueueSize> sizes = own_sizes(gpu, workload);
      EXPECT_GE(static_cast<double>(shared_bytes(sizes)), bytes_in_flight_needed(gpu, workload));
      EXPECT_LE(static_cast<double>(shared_bytes(sizes)), gpu.shared_bytes);
    }
}

TEST(OwnAlgorithm, HoldsAStationaryVectorWhereItFits) {
  Workload workload = one_queue();
  workload.queues = {{2048, 4, QueueKind::streaming}, {2048, 4, QueueKind::stationary}};
  workload.passes = 100;
  const QueueSize stationary = own_sizes(round_gpu(), workload)[1];
  EXPECT_EQ(stationary.tile * static_cast<std::size_t>(stationary.slots), 2048u);
  for (Queue& queue : workload.queues) queue.length = 10'000;  // 40 KB, more than the largest tile
  const QueueSize longer = own_sizes(round_gpu(), workload)[1];
  EXPECT_GE(longer.tile * static_cast<std::size_t>(longer.slots), 10'000u);
  for (Queue& queue : workload.queues) queue.length = 20'480;  // 80 KiB
  const QueueSize streamed = own_sizes(round_gpu(), workload)[1];
  EXPECT_LT(streamed.tile * static_cast<std::size_t>(streamed.slots), 20'480u);
}

TEST(OwnAlgorithm, PrefersSlackWhereItCostsNothing) {
  Workload workload = one_queue();
  workload.queues[0].length = 1 << 24;
  const auto least = bytes_in_flight_needed(round_gpu(), workload);
  EXPECT_GE(static_cast<double>(shared_bytes(own_sizes(round_gpu(), workload))), 2 * least);
}

/// The same GPU with its latencies and costs per tile `times` as long.
GpuSpecification slowed(GpuSpecification gpu, double times) {
  for (Figure GpuSpecification::*figure :
       {&GpuSpecification::tma_cycles, &GpuSpecification::copy_cycles, &GpuSpecification::barrier_cycles,
        &GpuSpecification::shared_latency_cycles, &GpuSpecification::l2_latency_cycles,
        &GpuSpecification::dram_latency_cycles})
    (gpu.*figure).value *= times;
  return gpu;
}

struct Regrets {
  std::vector<double> own, published;
};

/// How far both algorithms, which know the table, are from the best of all sizes on the true GPU, per kernel.
Regrets regrets_of(const GpuSpecification& table, const GpuSpecification& truth, double latency_spread) {
  Regrets result;
  for (const Kernel& kernel : kernels()) {
    const Workload workload = kernel.on(static_cast<int>(truth.multiprocessors));
    const SearchTable times = search_exhaustively(kernel.search, [&](const Choices& choices) {
      const std::vector<QueueSize> sizes = sizes_of(workload, choices);
      if (!fits(truth, workload, sizes)) return std::numeric_limits<double>::infinity();
      return simulate(truth, workload, sizes, latency_spread).cycles;
    });
    result.own.push_back(regret(times, choices_of(workload, own_sizes(table, workload))));
    result.published.push_back(regret(times, choices_of(workload, published_sizes(table, workload))));
  }
  return result;
}

/// The same against the times that a GPU measured for all sizes of the streaming queues.
Regrets measured_regrets(const std::string& name) {
  const GpuSpecification gpu = device(name);
  const MeasuredTimes times =
      MeasuredTimes::read(WARPLAB_SOURCE_DIR "/labs/13_tma_queues/devices/" + name + "_times.csv");
  Regrets result;
  for (const Kernel& kernel : kernels()) {
    const Workload workload = kernel.on(static_cast<int>(gpu.multiprocessors));
    const std::string called = kernel.name == "sumvectors" ? "sum_vectors" : kernel.name;
    const double best = times.time("ring", called, times.fastest("ring", called).value()).value();
    const auto regret_of = [&](const std::vector<QueueSize>& sizes) {
      return times.time("ring", called, choices_of(workload, sizes)[0]).value() / best - 1;
    };
    result.own.push_back(regret_of(own_sizes(gpu, workload)));
    result.published.push_back(regret_of(published_sizes(gpu, workload)));
  }
  return result;
}

TEST(OwnAlgorithm, IsCloseToTheBestThatAGpuMeasured) {
  const Regrets h100 = measured_regrets("h100");
  EXPECT_LE(mean_regret(h100.own), 0.003);
  EXPECT_LE(std::ranges::max(h100.own), 0.011);
  EXPECT_NEAR(mean_regret(h100.published), 0.064, 0.001);
  EXPECT_NEAR(std::ranges::max(h100.published), 0.296, 0.001);
}

class OwnAlgorithmOn : public ::testing::TestWithParam<const char*> {
 protected:
  const GpuSpecification gpu_ = device(GetParam());
};

TEST_P(OwnAlgorithmOn, IsCloseToTheBestOfAllSizes) {
  const Regrets regrets = regrets_of(gpu_, gpu_, 0);
  EXPECT_LE(mean_regret(regrets.own), 0.01);
  EXPECT_LE(std::ranges::max(regrets.own), 0.031);
  EXPECT_LT(mean_regret(regrets.own), mean_regret(regrets.published) / 2);
}

TEST_P(OwnAlgorithmOn, IsCloseToTheBestWhereLatenciesVary) {
  const Regrets regrets = regrets_of(gpu_, gpu_, 0.5);
  EXPECT_LE(mean_regret(regrets.own), 0.011);
  EXPECT_LE(std::ranges::max(regrets.own), 0.041);
  EXPECT_LT(mean_regret(regrets.own), mean_regret(regrets.published) / 2);
}

TEST_P(OwnAlgorithmOn, IsCloseToTheBestWhereTheTableIsWrong) {
  for (const double times : {0.5, 2.0}) {
    SCOPED_TRACE(times);
    const Regrets regrets = regrets_of(gpu_, slowed(gpu_, times), 0);
    EXPECT_LE(mean_regret(regrets.own), 0.017);
    EXPECT_LE(std::ranges::max(regrets.own), 0.045);
    EXPECT_LT(mean_regret(regrets.own), mean_regret(regrets.published));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, OwnAlgorithmOn, ::testing::Values("h100", "h200", "r9_nano"));

}  // namespace
}  // namespace warplab::acta
