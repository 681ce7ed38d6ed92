#include "acta/queue_simulator.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "../common/scratch_folder.hpp"
#include "acta/block_share.hpp"
#include "round_gpu.hpp"

namespace warplab::acta {
namespace {

Simulation simulated(const GpuSpecification& gpu, const Workload& workload, std::size_t tile, int slots) {
  return simulate(gpu, workload, {sized(workload.queues[0], tile, slots)});
}

// A tile of 256 floats: 10 cycles to issue, 64 to transfer, 300 until it arrives, and 4 + 6 + 8 to consume.
TEST(QueueSimulator, OneSlotAddsAllTimesUp) {
  const Simulation result = simulated(round_gpu(), one_queue(), 256, 1);
  EXPECT_DOUBLE_EQ(result.cycles, 4 * (10 + 64 + 300 + 18));
  EXPECT_EQ(result.tiles, 4u);
  EXPECT_DOUBLE_EQ(result.bytes, 4096);
  EXPECT_DOUBLE_EQ(result.producer_wait, 3 * (64 + 300 + 18));
  EXPECT_DOUBLE_EQ(result.consumer_wait, 4 * (10 + 64 + 300));
}

TEST(QueueSimulator, ManySlotsAreAsFastAsTransfers) {
  const Simulation result = simulated(round_gpu(), one_queue(), 256, 8);
  EXPECT_DOUBLE_EQ(result.cycles, 10 + 4 * 64 + 300 + 18);
  EXPECT_DOUBLE_EQ(result.producer_wait, 0);
}

TEST(QueueSimulator, ManySlotsAreAsFastAsTheProducer) {
  GpuSpecification gpu = round_gpu();
  gpu.tma_cycles = {100};  // a tile of 64 floats takes 16 to transfer, 4 + 6 + 2 to consume
  EXPECT_DOUBLE_EQ(simulated(gpu, one_queue(), 64, 8).cycles, 16 * 100 + 16 + 300 + 12);
}

TEST(QueueSimulator, ManySlotsAreAsFastAsTheConsumers) {
  GpuSpecification gpu = round_gpu();
  gpu.barrier_cycles = {200};
  EXPECT_DOUBLE_EQ(simulated(gpu, one_queue(), 64, 8).cycles, 10 + 16 + 300 + 16 * 208);
}

TEST(QueueSimulator, ObeysLittlesLaw) {
  Workload workload = one_queue();
  workload.queues[0].length = 2'560'000;  // 1000 tiles of 256 per block
  const Simulation result = simulated(round_gpu(), workload, 256, 2);
  // Two slots turn over every 10 + 64 + 300 + 18 cycles, and are always in use.
  EXPECT_NEAR(result.bytes_per_cycle(), 2 * 1024 / 392.0, 0.02);
  EXPECT_NEAR(result.slot_cycles / result.cycles, 2, 0.01);
  const double arrivals_per_cycle = static_cast<double>(result.tiles) / result.cycles;
  EXPECT_NEAR(arrivals_per_cycle * 392, 2, 0.02);
}

TEST(QueueSimulator, TheLastTileMayBePartlyFilled) {
  Workload workload = one_queue();
  workload.queues[0].length = 10 * (256 + 64);
  // The 64 floats are there before the consumers have done the 256; they take 4 + 6 + 2 to consume.
  EXPECT_DOUBLE_EQ(simulated(round_gpu(), workload, 256, 8).cycles, 10 + 64 + 300 + 18 + 12);
}

TEST(QueueSimulator, QueuesOfDifferentTilesAreReleasedOnTheirOwn) {
  Workload workload = one_queue();
  workload.queues.push_back(workload.queues[0]);
  const Simulation result =
      simulate(round_gpu(), workload, {sized(workload.queues[0], 512, 2), sized(workload.queues[1], 128, 4)});
  EXPECT_EQ(result.tiles, 2u + 8u);
  EXPECT_DOUBLE_EQ(result.bytes, 2 * 4096);
}

TEST(QueueSimulator, TilesNeedNotDivideEachOther) {
  Workload workload = one_queue();
  workload.queues.push_back(workload.queues[0]);
  const Simulation result =
      simulate(round_gpu(), workload, {sized(workload.queues[0], 400, 2), sized(workload.queues[1], 256, 2)});
  EXPECT_EQ(result.tiles, 3u + 4u);
  EXPECT_DOUBLE_EQ(result.bytes, 2 * 4096);
}

TEST(QueueSimulator, AStationaryQueueIsFilledOnceIfItHoldsItsVector) {
  Workload workload = one_queue();
  workload.queues = {{256, 4, QueueKind::streaming}, {256, 4, QueueKind::stationary}};
  workload.passes = 30;  // 3 per block
  const auto bytes = [&](std::size_t tile, int slots) {
    return simulate(round_gpu(), workload,
                    {sized(workload.queues[0], 256, 2), sized(workload.queues[1], tile, slots)})
        .bytes;
  };
  EXPECT_DOUBLE_EQ(bytes(256, 1), 3 * 1024 + 1024);
  EXPECT_DOUBLE_EQ(bytes(64, 4), 3 * 1024 + 1024);
  EXPECT_DOUBLE_EQ(bytes(64, 3), 3 * 1024 + 3 * 1024);
}

TEST(QueueSimulator, StoresTakeTheirShareOfTheBandwidth) {
  Workload workload = one_queue();
  workload.stored_bytes_per_position = 4;
  EXPECT_DOUBLE_EQ(simulated(round_gpu(), workload, 256, 8).cycles, 10 + 4 * 128 + 300 + 18);
}

TEST(QueueSimulator, DataThatStayInL2ComeFromThere) {
  Workload workload = one_queue();
  workload.distinct_bytes = 1 << 20;
  EXPECT_DOUBLE_EQ(simulated(round_gpu(), workload, 256, 8).cycles, 10 + 4 * 32 + 100 + 18);
  workload.distinct_bytes += 1;
  EXPECT_DOUBLE_EQ(simulated(round_gpu(), workload, 256, 8).cycles, 10 + 4 * 64 + 300 + 18);
}

TEST(QueueSimulator, VaryingLatenciesAreTheSameInEveryRunAndKeepTheirMean) {
  Workload workload = one_queue();
  workload.queues[0].length = 10'240'000;
  const std::vector<QueueSize> sizes = {sized(workload.queues[0], 256, 1)};
  const double even = simulate(round_gpu(), workload, sizes).cycles;
  const double uneven = simulate(round_gpu(), workload, sizes, 0.5).cycles;
  EXPECT_DOUBLE_EQ(uneven, simulate(round_gpu(), workload, sizes, 0.5).cycles);
  EXPECT_NE(uneven, even);
  EXPECT_NEAR(uneven / even, 1, 0.01);
}

TEST(QueueSimulator, TheIdealWaitsForTheMemoryOrTheArithmetic) {
  EXPECT_DOUBLE_EQ(ideal_cycles(round_gpu(), one_queue()), 310 + 4096 / 16);
  Workload workload = one_queue();
  workload.flops_per_position = 64;  // 64 multiplications per cycle
  EXPECT_DOUBLE_EQ(ideal_cycles(round_gpu(), workload), 310 + 1024);
}

TEST(QueueSimulator, RefusesQueuesThatDoNotFit) {
  const Workload workload = one_queue();
  EXPECT_EQ(message_of<std::invalid_argument>([&] { simulated(round_gpu(), workload, 8192, 3); }),
            "the queues take 98304 bytes of shared memory; a block has 65536");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { simulated(round_gpu(), workload, 8192, 0); }),
            "the simulator got a queue of 0 slots of 8192 elements; both must be at least 1");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { simulate(round_gpu(), workload, {}); }),
            "the simulator got sizes of 0 queues for a workload of 1");
}

}  // namespace
}  // namespace warplab::acta
