#include "lens/occupancy.hpp"

#include <gtest/gtest.h>

namespace {

using warplab::lens::Occupancy;
using warplab::lens::theoretical_occupancy;

TEST(Occupancy, IsLimitedByThreads) {
  const Occupancy full = theoretical_occupancy({32, 32, 1}, 0);  // 32 warps per block, 64 fit
  EXPECT_EQ(full.blocks_per_multiprocessor, 2);
  EXPECT_DOUBLE_EQ(full.theoretical, 1.0);
  EXPECT_EQ(full.limited_by, "threads");
  const Occupancy three_quarters =
      theoretical_occupancy({768, 1, 1}, 0);  // 24 warps: two blocks are 48, three are 72
  EXPECT_EQ(three_quarters.blocks_per_multiprocessor, 2);
  EXPECT_DOUBLE_EQ(three_quarters.theoretical, 0.75);
  EXPECT_EQ(three_quarters.limited_by, "threads");
}

TEST(Occupancy, IsLimitedByTheNumberOfBlocks) {
  const Occupancy small = theoretical_occupancy({32, 1, 1}, 0);  // 32 blocks of one warp
  EXPECT_EQ(small.blocks_per_multiprocessor, 32);
  EXPECT_DOUBLE_EQ(small.theoretical, 0.5);
  EXPECT_EQ(small.limited_by, "blocks");
  EXPECT_EQ(theoretical_occupancy({1, 1, 1}, 0).theoretical, 0.5);  // a warp with one thread is a warp
  EXPECT_EQ(theoretical_occupancy({64, 1, 1}, 0).theoretical, 1.0);
}

TEST(Occupancy, IsLimitedBySharedMemoryWithTheSystemsKiBOfEachBlock) {
  // 228 KiB = 233,472 bytes: 48 KiB and 1 KiB four times, 100 KiB and 1 KiB twice, the
  // most that a block can have once.
  const Occupancy four = theoretical_occupancy({256, 1, 1}, 48 * 1024);
  EXPECT_EQ(four.blocks_per_multiprocessor, 4);
  EXPECT_DOUBLE_EQ(four.theoretical, 0.5);
  EXPECT_EQ(four.limited_by, "shared memory");
  EXPECT_EQ(theoretical_occupancy({256, 1, 1}, 100 * 1024).blocks_per_multiprocessor, 2);
  EXPECT_EQ(theoretical_occupancy({1024, 1, 1}, 227 * 1024).blocks_per_multiprocessor, 1);
  EXPECT_EQ(theoretical_occupancy({1024, 1, 1}, 227 * 1024).limited_by, "shared memory");
}

TEST(Occupancy, RoundsSharedMemoryUpTo128Bytes) {
  // 233,472 / 32 blocks = 7,296 = 57 * 128 bytes each, of which 1,024 are the system's: 6,272 fit, one more
  // byte does not.
  EXPECT_EQ(theoretical_occupancy({32, 1, 1}, 6272).blocks_per_multiprocessor, 32);
  const Occupancy one_more = theoretical_occupancy({32, 1, 1}, 6273);
  EXPECT_EQ(one_more.blocks_per_multiprocessor, 31);
  EXPECT_EQ(one_more.limited_by, "shared memory");
}

TEST(Occupancy, IsLimitedByRegistersWhereTheyAreKnown) {
  // 65,536 registers: with 64 per thread 2,048 per warp, so 32 warps.
  const Occupancy half = theoretical_occupancy({256, 1, 1}, 0, 64);
  EXPECT_EQ(half.blocks_per_multiprocessor, 4);
  EXPECT_DOUBLE_EQ(half.theoretical, 0.5);
  EXPECT_EQ(half.limited_by, "registers");
  EXPECT_EQ(theoretical_occupancy({256, 1, 1}, 0, 32).limited_by, "threads");
  EXPECT_EQ(theoretical_occupancy({1024, 1, 1}, 0, 65).blocks_per_multiprocessor, 0);
}

TEST(Occupancy, IsNothingWhereNoBlockFits) {
  EXPECT_EQ(theoretical_occupancy({1025, 1, 1}, 0).blocks_per_multiprocessor, 0);
  EXPECT_EQ(theoretical_occupancy({0, 1, 1}, 0).theoretical, 0);
  const Occupancy none = theoretical_occupancy({32, 1, 1}, 227 * 1024 + 1);
  EXPECT_EQ(none.blocks_per_multiprocessor, 0);
  EXPECT_EQ(none.limited_by, "shared memory");
}

}  // namespace
