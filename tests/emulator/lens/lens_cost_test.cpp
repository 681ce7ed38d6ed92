#include "emulator/src/recorder/cost.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace warplab::emulator::lens {
namespace {

/// A request whose lanes 0, 1, ... access these addresses; -1: the lane takes no part.
WarpRequest request(std::uint32_t bytes, const std::vector<long>& addresses) {
  WarpRequest r;
  r.bytes = bytes;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    if (addresses[lane] < 0) continue;
    r.mask |= std::uint32_t{1} << lane;
    r.address[lane] = static_cast<std::uint64_t>(addresses[lane]);
  }
  return r;
}

template <class Address>
WarpRequest full_warp(std::uint32_t bytes, Address address) {
  std::vector<long> addresses;
  for (long lane = 0; lane < 32; ++lane) addresses.push_back(address(lane));
  return request(bytes, addresses);
}

// --- Against the hardware, instruction by instruction

struct Measured {
  std::string text, memory, load, store;
  WarpRequest request;
};

std::vector<Measured> measured_requests() {
  std::ifstream file(WARPLAB_SOURCE_DIR "/tests/emulator/lens/lens_cost_h100.txt");
  std::vector<Measured> all;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    Measured m;
    m.text = line;
    std::istringstream fields(line);
    std::uint32_t bytes = 0;
    fields >> m.memory >> bytes >> m.load >> m.store;
    std::vector<long> addresses;
    for (std::string unit; fields >> unit;) addresses.push_back(unit == "." ? -1 : std::stol(unit) * bytes);
    EXPECT_EQ(addresses.size(), 32u) << line;
    m.request = request(bytes, addresses);
    all.push_back(m);
  }
  return all;
}

std::string text_of(unsigned cost, unsigned ideal) {
  return std::to_string(cost) + "/" + std::to_string(ideal);
}

TEST(LensCost, IsWhatNsightComputeCountedForEveryMeasuredInstruction) {
  const std::vector<Measured> all = measured_requests();
  ASSERT_GT(all.size(), 500u);
  for (const Measured& m : all) {
    std::string load, store;
    if (m.memory == "global") {
      const GlobalCost cost = global_cost(m.request);
      load = store = text_of(cost.sectors, cost.ideal_sectors);
    } else {
      const SharedCost read = shared_load_cost(m.request), written = shared_store_cost(m.request);
      load = text_of(read.wavefronts, read.ideal_wavefronts);
      store = text_of(written.wavefronts, written.ideal_wavefronts);
    }
    if (m.load != "-") {
      EXPECT_EQ(load, m.load) << m.text;
    }
    if (m.store != "-") {
      EXPECT_EQ(store, m.store) << m.text;
    }
  }
}

// --- Global memory

TEST(LensCost, SectorsThatStraddleAreBothCounted) {
  const GlobalCost cost = global_cost(request(16, {24}));
  EXPECT_EQ(cost.sectors, 2u);
  EXPECT_EQ(cost.ideal_sectors, 1u);
}

TEST(LensCost, DescendingAndScatteredAddressesCountAsAscendingOnes) {
  EXPECT_EQ(global_cost(full_warp(4, [](long lane) { return 4 * (31 - lane); })).sectors, 4u);
  EXPECT_EQ(global_cost(full_warp(4, [](long lane) { return 4 * (lane * 7 % 32); })).sectors, 4u);
  EXPECT_EQ(global_cost(full_warp(4, [](long lane) { return 1000000 * (lane % 3); })).sectors, 3u);
}

TEST(LensCost, NoLaneCostsNothing) {
  const WarpRequest nothing = request(4, {});
  EXPECT_EQ(global_cost(nothing).sectors, 0u);
  EXPECT_EQ(shared_load_cost(nothing).wavefronts, 0u);
  EXPECT_EQ(shared_store_cost(nothing).ideal_wavefronts, 0u);
  EXPECT_EQ(constant_addresses(nothing), 0u);
  EXPECT_EQ(local_sectors(nothing), 0u);
  EXPECT_EQ(atomic_cost(nothing).addresses, 0u);
}

// --- Shared memory

TEST(LensCost, ColumnOfATileConflictsAndPaddingCuresIt) {
  EXPECT_EQ(shared_load_cost(full_warp(4, [](long lane) { return 128 * lane; })).wavefronts, 32u);
  EXPECT_EQ(shared_load_cost(full_warp(4, [](long lane) { return 132 * lane; })).wavefronts, 1u);
}

TEST(LensCost, WideLoadsOfOneValueGoTogetherAndStoresDoNot) {
  const WarpRequest same = full_warp(8, [](long) { return 64; });
  EXPECT_EQ(shared_load_cost(same).wavefronts, 1u);
  EXPECT_EQ(shared_store_cost(same).wavefronts, 2u);
}

// --- Constant, local, atomics

TEST(LensCost, ConstantMemoryTakesAStepForEachAddress) {
  EXPECT_EQ(constant_addresses(full_warp(4, [](long) { return 12; })), 1u);
  EXPECT_EQ(constant_addresses(full_warp(4, [](long lane) { return lane % 5 * 28; })), 5u);
  EXPECT_EQ(constant_addresses(full_warp(1, [](long lane) { return lane; })), 32u);
  EXPECT_EQ(constant_addresses(full_warp(1, [](long lane) { return lane / 4; })), 8u);
}

TEST(LensCost, LocalMemoryLaysAWarpsWordsSideBySide) {
  EXPECT_EQ(local_sectors(full_warp(4, [](long) { return 40; })), 4u);
  EXPECT_EQ(local_sectors(full_warp(4, [](long lane) { return 4 * lane; })), 32u);
  EXPECT_EQ(local_sectors(full_warp(8, [](long) { return 8; })), 8u);
  EXPECT_EQ(local_sectors(full_warp(16, [](long) { return 0; })), 16u);
  EXPECT_EQ(local_sectors(full_warp(1, [](long) { return 3; })), 4u);
}

TEST(LensCost, AtomicsCountAddressesAndTurns) {
  const AtomicCost same = atomic_cost(full_warp(4, [](long) { return 64; }));
  EXPECT_EQ(same.sectors, 1u);
  EXPECT_EQ(same.addresses, 1u);
  EXPECT_EQ(same.max_on_one_address, 32u);
  const AtomicCost spread = atomic_cost(full_warp(4, [](long lane) { return lane % 8 * 128; }));
  EXPECT_EQ(spread.sectors, 8u);
  EXPECT_EQ(spread.addresses, 8u);
  EXPECT_EQ(spread.max_on_one_address, 4u);
}

}  // namespace
}  // namespace warplab::emulator::lens
