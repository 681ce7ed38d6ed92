#include "acta/published_algorithm.hpp"

#include <gtest/gtest.h>

#include "round_gpu.hpp"

namespace warplab::acta {
namespace {

/// A vector long enough that no number of tiles is a limit.
Workload long_queues(int queues) {
  Workload workload = one_queue();
  workload.queues.assign(static_cast<std::size_t>(queues), {1 << 24, 4, QueueKind::streaming});
  return workload;
}

TEST(PublishedAlgorithm, ComputesTheTimesOfATile) {
  const TileTimes times = tile_times(round_gpu(), one_queue(), 4, 256);
  EXPECT_DOUBLE_EQ(times.processing, 4 + 3 * 4);  // 256 / (16 x 4) cycles; 7 other warps, but 4 pools
  EXPECT_DOUBLE_EQ(times.latency, 10 + 200 + 100);
  EXPECT_DOUBLE_EQ(times.memory, 64);
  EXPECT_DOUBLE_EQ(times.cache, 2 * 1024 / 64.0);
  EXPECT_DOUBLE_EQ(times.merit(), 16 / 406.0);
}

TEST(PublishedAlgorithm, FewWarpsProcessSlowerAndScheduleLess) {
  Workload workload = one_queue();
  workload.consumer_warps = 2;
  EXPECT_DOUBLE_EQ(tile_times(round_gpu(), workload, 4, 256).processing, 8 + 7 * 1);
}

TEST(PublishedAlgorithm, NoTileIsProcessedInLessThanACycle) {
  EXPECT_DOUBLE_EQ(best_scheduling(64, 128), 1);
  EXPECT_DOUBLE_EQ(best_scheduling(256, 128), 2);
}

TEST(PublishedAlgorithm, WeighsMeritByTheMemoryThatStaysFree) {
  EXPECT_DOUBLE_EQ(memory_cost(round_gpu(), long_queues(2), 256), 2 * 2 * 1024 / 65536.0);
  EXPECT_DOUBLE_EQ(weighted_merit(0.5, 0.25), 0.375);
}

// The weighted merits of 512, 1024, 2048 and 4096 are 0.067, 0.096, 0.109 and 0.086.
TEST(PublishedAlgorithm, ScalesTheBestTileByTheIntensity) {
  Workload workload = long_queues(1);
  EXPECT_EQ(optimal_tile(round_gpu(), workload, workload.queues[0]), 2048u);
  workload.intensity = Intensity::low;
  EXPECT_EQ(optimal_tile(round_gpu(), workload, workload.queues[0]), 4096u);
  workload.intensity = Intensity::high;
  EXPECT_EQ(optimal_tile(round_gpu(), workload, workload.queues[0]), 1024u);
  EXPECT_EQ(scaled_tile(greatest_tile, Intensity::low), greatest_tile);
  EXPECT_EQ(scaled_tile(min_tile, Intensity::high), min_tile);
}

TEST(PublishedAlgorithm, ATileIsNoLongerThanABlocksShareOfTheVector) {
  Workload workload = one_queue();
  workload.queues[0].length = 10 * 300;
  EXPECT_EQ(optimal_tile(round_gpu(), workload, workload.queues[0]), 512u);
}

TEST(PublishedAlgorithm, TakesSlotsFromLittlesLaw) {
  EXPECT_DOUBLE_EQ(littles_law_slots(round_gpu(), one_queue(), 4, 256), (64 + 310 + 32 + 16) / 64.0);
  EXPECT_EQ(optimal_slots(round_gpu(), long_queues(1), {256}), std::vector<int>{8});  // 6.6, nearest 8
  // 1 + (310 + 256 + 156) / 512 = 2.4, nearest 2
  EXPECT_EQ(optimal_slots(round_gpu(), long_queues(1), {2048}), std::vector<int>{2});
}

TEST(PublishedAlgorithm, RoundsSlotsByTheMultiprocessors) {
  const Workload workload = one_queue();
  EXPECT_EQ(rounded_by_multiprocessors(1, workload, workload.queues[0], 256), 2);
  EXPECT_EQ(rounded_by_multiprocessors(8, workload, workload.queues[0], 256), 4);  // 4 tiles per block
  EXPECT_EQ(rounded_by_multiprocessors(8, workload, workload.queues[0], 1024), 1);
  EXPECT_EQ(rounded_by_multiprocessors(16, long_queues(1), long_queues(1).queues[0], 64), 8);
}

TEST(PublishedAlgorithm, TakesSlotsFromTheIntensityWhereLittlesLawAsksForTooMany) {
  GpuSpecification gpu = round_gpu();
  gpu.dram_latency_cycles = {20'000};  // 8 slots of 2 x 8192 bytes take twice the shared memory
  Workload workload = long_queues(2);
  for (const auto& [intensity, slots] :
       {std::pair(Intensity::low, 4), {Intensity::medium, 4}, {Intensity::high, 2}}) {
    workload.intensity = intensity;
    EXPECT_EQ(optimal_slots(gpu, workload, {2048, 2048}), (std::vector<int>{slots, slots}));
  }
  EXPECT_EQ(slots_of_intensity(Intensity::low), 8);
}

TEST(PublishedAlgorithm, DividesWhatStreamingQueuesLeaveAmongTheStationary) {
  Workload workload = long_queues(3);
  workload.queues[1].kind = workload.queues[2].kind = QueueKind::stationary;
  // Streaming: 2 slots of 8192 bytes. Stationary: half of 49152 bytes each, 3 slots, nearest 4, reduced to 2.
  EXPECT_EQ(optimal_slots(round_gpu(), workload, {2048, 2048, 2048}), (std::vector<int>{2, 2, 2}));
  workload.queues.pop_back();
  EXPECT_EQ(optimal_slots(round_gpu(), workload, {2048, 2048}),
            (std::vector<int>{2, 4}));  // 6 fit, nearest 8
}

TEST(PublishedAlgorithm, KeepsASlotForEveryStationaryQueue) {
  GpuSpecification gpu = round_gpu();
  gpu.dram_latency_cycles = {20'000};
  Workload workload = long_queues(2);
  workload.queues[1].kind = QueueKind::stationary;
  EXPECT_EQ(optimal_slots(gpu, workload, {2048, 2048}), (std::vector<int>{4, 4}));  // 8 would leave nothing
}

TEST(PublishedAlgorithm, FitsInSharedMemoryWithManyWideQueues) {
  Workload workload = long_queues(30);
  for (Queue& queue : workload.queues) queue.element_bytes = 8;
  workload.queues.back() = {1 << 24, 16, QueueKind::stationary};
  const std::vector<QueueSize> sizes = published_sizes(round_gpu(), workload);
  ASSERT_EQ(sizes.size(), 30u);
  EXPECT_LE(shared_bytes(sizes), 65536u);
}

}  // namespace
}  // namespace warplab::acta
