// Which blocks of a launch the lens records, and what becomes of the others.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "emulator/src/recorder/launch_recorder.hpp"
#include "tests/emulator/device_array.hpp"
#include "warplab_emulator/launch/launch_totals.hpp"
#include "warplab_emulator/lens/lens_session.hpp"

using warplab::test::DeviceArray;
namespace emulator = warplab::emulator;
namespace lens = warplab::emulator::lens;

__global__ void count_blocks(unsigned* ran) {
  if (threadIdx.x == 0) atomicAdd(ran, 1u);
}

namespace {

std::vector<std::uint64_t> chosen(dim3 grid, unsigned long long blocks) {
  emulator::Launch launch("count_blocks", __FILE__, __LINE__);
  launch.configure(grid, 32, 0, nullptr);
  return lens::LaunchRecorder(launch, {}, {.blocks = blocks, .details = false}).blocks();
}

/// Launches it as a library's kernel, whose blocks begin in the order of their numbers.
void count_in_order(unsigned* ran, unsigned blocks) {
  emulator::kernel(count_blocks, "count_blocks", __FILE__, __LINE__).in_order().configured(blocks, 32)(ran);
}

}  // namespace

TEST(LensBlocks, CornersAndAsManyBlocksAsWereAskedFor) {
  for (const unsigned long long wanted : {4ull, 5ull, 64ull, 2047ull}) {
    const std::vector<std::uint64_t> blocks = chosen(dim3(64, 32), wanted);
    ASSERT_EQ(blocks.size(), wanted);
    EXPECT_TRUE(std::is_sorted(blocks.begin(), blocks.end()));
    EXPECT_EQ(std::adjacent_find(blocks.begin(), blocks.end()), blocks.end());
    for (const std::uint64_t corner : {0, 63, 31 * 64, 32 * 64 - 1})
      EXPECT_TRUE(std::binary_search(blocks.begin(), blocks.end(), corner)) << wanted << ", " << corner;
    EXPECT_LT(blocks.back(), 64u * 32);
  }
}

TEST(LensBlocks, AllBlocksButOneAreChosenInTime) { EXPECT_EQ(chosen(1'000'000, 999'999).size(), 999'999u); }

TEST(LensBlocks, ASampleHasALimitThatIsSaid) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(chosen(dim3(1 << 22), (1 << 20) + 5).size(), std::size_t{1} << 20);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("records 1048576 of the 1048581 blocks"), std::string::npos) << said;
}

TEST(LensBlocks, BlocksThatBeginInOrderAreAllCounted) {
  const DeviceArray<unsigned> ran({0u});
  const unsigned long long before = emulator::launch_totals().blocks;
  lens::start({.blocks = 4});
  count_in_order(ran.data(), 100);
  const std::vector<warplab::lens::Launch> launches = lens::take();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_TRUE(launches[0].note.empty()) << launches[0].note;
  EXPECT_EQ(emulator::launch_totals().blocks - before, 100u);
  EXPECT_EQ(ran.host()[0], 100u);
}

TEST(LensBlocks, BlocksThatBeginInOrderAllRunAndAreSaidTo) {
  for (const bool in_order : {true, false}) {
    const DeviceArray<unsigned> ran({0u});
    lens::start({.blocks = 4, .only = true});
    if (in_order)
      count_in_order(ran.data(), 100);
    else
      count_blocks<<<100, 32>>>(ran.data());
    const std::vector<warplab::lens::Launch> launches = lens::take();
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_EQ(ran.host()[0], in_order ? 100u : 4u);
    EXPECT_EQ(launches[0].not_measured.contains("findings"), !in_order);
  }
}
