#include "lens/bounds/bounds.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lens/json.hpp"
#include "lens/text/table.hpp"

namespace warplab::lens {
namespace {

/// A device whose numbers make sums easy: one multiprocessor of 1 GHz.
const DeviceRates& round_device() {
  static const DeviceRates rates{.key = "round",
                                 .name = "Round",
                                 .multiprocessors = 1,
                                 .clock = 1,
                                 .dram = 32,
                                 .l2_bytes = 3200,
                                 .l2_load = 64,
                                 .l2_store = 4,
                                 .partial_store = 1,
                                 .one_address = 0.5,
                                 .one_sum = 0.25,
                                 .event_us = 2,
                                 .further_launch_us = 1,
                                 .fill_us = 0.5,
                                 .copy_us = 3,
                                 .dram_latency = 500,
                                 .l2_latency = 200,
                                 .barrier = 10,
                                 .barrier_of_warp = 2,
                                 .barrier_warps = 0.5,
                                 .block_starts = 0.1,
                                 .mma = 1,
                                 .wgmma = 2,
                                 .instructions = 4,
                                 .doubles = 2,
                                 .specials = 0.5};
  return rates;
}

Launch launch_with(const Work& work) {
  Launch launch;
  launch.kernel = "kernel";
  launch.block = {64, 1, 1};
  launch.blocks = launch.blocks_recorded = 1;
  launch.occupancy.blocks_per_multiprocessor = 4;
  launch.work = work;
  return launch;
}

double us_of(const Bounds& bounds, Resource resource) {
  for (const Bound& bound : bounds.each)
    if (bound.resource == resource) return bound.us;
  return 0;
}

TEST(Bounds, DividesWhatPassesEachUnitByItsRate) {
  Work work;
  work.fetched_sectors = 4000;
  work.stored_sectors = 8000;
  work.partial_sectors = 3000;
  work.load_quarters = 8000;
  work.shared_passes = 5000;
  work.busiest_address = 700;
  work.mma_flops = 1'000'000;
  work.wgmma_flops = 4'000'000;
  work.instructions = 20'000;
  work.double_instructions = 3000;
  work.special_instructions = 1000;
  work.table_loads = 500;
  const Bounds bounds = bounds_of(launch_with(work), round_device());
  EXPECT_DOUBLE_EQ(us_of(bounds, Resource::l2_loads), 0.5);  // four blocks share an L1
  EXPECT_DOUBLE_EQ(us_of(bounds, Resource::l2_stores), 5);
  EXPECT_DOUBLE_EQ(us_of(bounds, Resource::l1), 7 + 11000 / 4e3 + 0.5);  // stores pass L1 as well
  EXPECT_DOUBLE_EQ(us_of(bounds, Resource::one_address), 1.4);
  EXPECT_DOUBLE_EQ(us_of(bounds, Resource::tensor_cores), 3);
  EXPECT_DOUBLE_EQ(us_of(bounds, Resource::instructions), 5);
  EXPECT_DOUBLE_EQ(us_of(bounds, Resource::doubles), 1.5);
  EXPECT_DOUBLE_EQ(us_of(bounds, Resource::specials), 2);
  EXPECT_DOUBLE_EQ(us_of(bounds, Resource::block_starts), 0.01);
}

TEST(Bounds, IsWhatIsFixedAndTheLargestOfAll) {
  Work work;
  work.load_quarters = 40'000;
  work.fetched_sectors = 1;
  const Bounds bounds = bounds_of(launch_with(work), round_device(), 3);
  EXPECT_DOUBLE_EQ(bounds.fixed_us, 2 + 2 * 1 + 0.5);  // the events, two further launches, the first load
  EXPECT_DOUBLE_EQ(bounds.us(), bounds.fixed_us + 10);
  EXPECT_STREQ(bounds.limit(), "L1 and shared memory");
}

TEST(Bounds, ALaunchThatDoesNextToNothingIsLimitedByTheLaunch) {
  const Bounds bounds = bounds_of(launch_with({}), round_device());
  EXPECT_STREQ(bounds.limit(), "launch");
  EXPECT_DOUBLE_EQ(bounds.fixed_us, 2);  // nothing is loaded
}

TEST(Bounds, OthersDataLeaveL2ForWhatFitsIn) {
  Work work;
  work.read_sectors = 10;
  work.written_sectors = 20;  // 960 bytes, within 0.6 of L2: 0.75 of them make room, and the new ones stay
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch_with(work), round_device()), Resource::dram),
                   (10 + 0.75 * 30) / 1e3);
}

TEST(Bounds, WhatL2CannotKeepIsWrittenToDram) {
  Work work;
  work.read_sectors = 100;
  work.written_sectors = 400;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch_with(work), round_device()), Resource::dram), 500 / 1e3);
  work.written_sectors = 0;  // others' 1,920 bytes are written back
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch_with(work), round_device()), Resource::dram), (100 + 60) / 1e3);
}

TEST(Bounds, BlocksWaitByTurns) {
  Launch launch = launch_with({});
  launch.blocks = 10;  // four at most side by side
  launch.max_barriers = 5;
  launch.counts.barriers = 10 * 5 * 2;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::waits), 2.5 * 5 * 14 / 1e3);
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::barriers), 100 / 0.5 / 1e3);
  launch.work->fetched_sectors = 1;
  launch.work->load_phases = 1;  // the first is fixed
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::waits),
                   (2.5 * (5 * 14 + 200) - 200) / 1e3);
  launch.counts.barriers = 0;
  launch.max_barriers = 0;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::waits), (3 * 200 - 200) / 1e3);
}

TEST(Bounds, OneBlockThatWaitsMuchDoesNotMakeAllWait) {
  Launch launch = launch_with({});
  launch.blocks = 400;
  launch.max_barriers = 50;
  launch.counts.barriers = 50 * 2;  // of one block
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::waits), 50 * 14 / 1e3);
}

TEST(Bounds, ABlockWaitsForEachTileItLoads) {
  Launch launch = launch_with({});
  launch.work->fetched_sectors = 100;
  launch.work->read_sectors = 50;
  launch.work->load_phases = 10;
  launch.work->longest_warp = 70;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::waits), (9 * 200 + 70) / 1e3);
  launch.work->read_sectors = 100;  // no block finds in L2 what another has read
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::waits), (9 * 500 + 70) / 1e3);
}

TEST(Bounds, ABlockEndsWhenItsLastStoreHasComeToL2) {
  Launch launch = launch_with({});
  launch.work->longest_warp = 70;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::waits), 70 / 1e3);
  launch.work->written_sectors = 1;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::waits), (70 + 200) / 1e3);
}

TEST(Bounds, AWarpBeginsNothingWhileItWaitsAtABarrier) {
  Launch launch = launch_with({});
  launch.max_barriers = 5;
  launch.work->longest_warp = 70;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::waits), (5 * 14 + 70) / 1e3);
  launch.blocks = 40;  // ten turns, each with 5 barriers and 30 instructions of two warps
  launch.counts.barriers = 40 * 5 * 2;
  launch.work->instructions = 40 * 30 * 2;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, round_device()), Resource::waits), 10 * (5 * 14 + 30) / 1e3);
}

TEST(Bounds, BlocksThatAreFewLeaveMultiprocessorsIdle) {
  DeviceRates rates = round_device();
  rates.multiprocessors = 4;
  Work work;
  work.instructions = 16'000;
  work.mma_flops = 1'000'000;
  Launch launch = launch_with(work);
  launch.blocks = 2;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, rates), Resource::instructions), 16'000 / (4 * 2e3));
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, rates), Resource::tensor_cores), 2);  // half of them work
  launch.blocks = 5;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, rates), Resource::instructions), 16'000 / (4 * 4e3));
  launch.blocks = 2;
  launch.from_kernel = true;  // others run beside it
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch, rates), Resource::instructions), 16'000 / (4 * 4e3));
}

TEST(Bounds, AdditionsToOneFloatTakeTurns) {
  Work work;
  work.busiest_address = 100;
  work.busiest_sum = 1000;
  EXPECT_DOUBLE_EQ(us_of(bounds_of(launch_with(work), round_device()), Resource::one_address), 4);
}

TEST(Bounds, FillsAndCopiesTakeTheirTimeBeforeALaunch) {
  Launch launch = launch_with({});
  launch.fills = 2;
  launch.copies = 1;
  EXPECT_DOUBLE_EQ(bounds_of(launch, round_device()).fixed_us, 2 + 2 * 0.5 + 3);
  const auto bounds = bounds_of_call({launch, launch_with({})}, round_device());
  ASSERT_TRUE(bounds);
  EXPECT_DOUBLE_EQ(bounds->fixed_us, 2 + 1 + 2 * 0.5 + 3);
}

TEST(Bounds, ATableOfTheLibraryIsLoadedFromMemory) {
  Work work;
  work.table_loads = 3;
  EXPECT_DOUBLE_EQ(bounds_of(launch_with(work), round_device()).fixed_us, 2 + 0.5);
}

TEST(Bounds, ACallAddsUpTheLargestBoundsOfItsLaunches) {
  Work loads, products;
  loads.load_quarters = 4000;
  products.mma_flops = 3'000'000;
  const auto bounds = bounds_of_call({launch_with(loads), launch_with(products)}, round_device());
  ASSERT_TRUE(bounds);
  EXPECT_DOUBLE_EQ(bounds->us(), 3 + 1 + 3);
}

TEST(Bounds, LaunchesFromKernelsRunBesideThoseByTheHost) {
  Work loads;
  loads.load_quarters = 4000;
  Launch child = launch_with(loads);
  child.from_kernel = true;
  const auto bounds = bounds_of_call({launch_with(loads), child}, round_device());
  ASSERT_TRUE(bounds);
  EXPECT_DOUBLE_EQ(bounds->us(), 2 + 1);
}

TEST(Bounds, NothingIsSaidOfACallWithoutCounts) {
  Launch unknown = launch_with({});
  unknown.work.reset();
  EXPECT_FALSE(bounds_of_call({unknown}, round_device()));
}

TEST(Bounds, TheTableNamesTheDeviceAndWhatLimits) {
  Work work;
  work.load_quarters = 40'000;
  TableOptions options;
  options.rates = &round_device();
  const std::string text = table({launch_with(work)}, options);
  EXPECT_NE(
      text.find("bound of time   not below 12 us on a Round, by L1 and shared memory (launch 2, L1 and"),
      std::string::npos)
      << text;
  options.rates = nullptr;
  EXPECT_EQ(table({launch_with(work)}, options).find("bound"), std::string::npos);
}

TEST(DeviceRates, AreFoundByKeyAndByTheNameOfTheEmulatedDevice) {
  EXPECT_STREQ(find_rates("h100")->name, "NVIDIA H100 80GB HBM3");
  EXPECT_STREQ(find_rates("NVIDIA H200 (emulated)")->key, "h200");
  EXPECT_EQ(find_rates("t4"), nullptr);
}

TEST(Work, OfLaunchesIsAddedUpButForTheLongest) {
  Work sum{.instructions = 5, .longest_warp = 7, .load_phases = 2};
  sum += Work{.instructions = 6, .longest_warp = 3, .load_phases = 4};
  EXPECT_EQ(sum.instructions, 11u);
  EXPECT_EQ(sum.longest_warp, 7u);
  EXPECT_EQ(sum.load_phases, 2u);
}

TEST(Work, TravelsInTheJson) {
  Work work;
  std::uint64_t next = 1;
  each_field(&work, [&](const char*, auto member) { work.*member = next++; });
  Launch launch = launch_with(work);
  launch.fills = 3;
  launch.copies = 4;
  const std::vector<Launch> back = launches_from_json(measurement_json({launch}));
  ASSERT_TRUE(back.at(0).work);
  EXPECT_EQ(back[0].fills, 3u);
  EXPECT_EQ(back[0].copies, 4u);
  each_field(&work, [&](const char* name, auto member) {
    EXPECT_EQ((*back[0].work).*member, work.*member) << name;
  });
}

}  // namespace
}  // namespace warplab::lens
