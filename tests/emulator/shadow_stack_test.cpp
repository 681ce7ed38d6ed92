// The shadow stack of guarded code: what is entered and left in place, and what is left to the slower way.
#include "emulator/src/isolation/shadow_stack.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using warplab::emulator::isolation::FramePlace;
using warplab::emulator::isolation::ShadowStack;

/// A stack whose words are return addresses, and frames of two words below each.
class ShadowStackTest : public testing::Test {
 protected:
  ShadowStack::Frame frame(std::size_t word) {
    const std::uintptr_t slot = place(word);
    return {slot - 16, slot, slot, words_[word]};
  }
  std::uintptr_t place(std::size_t word) { return reinterpret_cast<std::uintptr_t>(&words_[word]); }

  std::array<std::uintptr_t, 64> words_{1, 2, 3, 4, 5, 6, 7, 8, 9};
  ShadowStack stack_;
};

TEST_F(ShadowStackTest, EntersInPlaceOnlyWhereThereIsRoom) {
  EXPECT_FALSE(stack_.enter_in_place(frame(8)));
  stack_.enter(frame(8));
  EXPECT_TRUE(stack_.leave_whole(place(8)));
  EXPECT_TRUE(stack_.enter_in_place(frame(8)));
  EXPECT_TRUE(stack_.hold(place(8) - 16, 16));
  EXPECT_FALSE(stack_.hold(place(8) - 16, 17));
}

TEST_F(ShadowStackTest, KeepsAFrameWhoseReturnAddressWasOverwritten) {
  stack_.enter(frame(8));
  const std::uintptr_t right = words_[8];
  words_[8] = 77;
  EXPECT_FALSE(stack_.leave_whole(place(8)));
  words_[8] = right;
  EXPECT_TRUE(stack_.leave_whole(place(8)));
}

TEST_F(ShadowStackTest, LeavesOnlyTheInnermostFrame) {
  stack_.enter(frame(8));
  stack_.enter(frame(4));
  EXPECT_FALSE(stack_.leave_whole(place(6)));
  EXPECT_TRUE(stack_.leave_whole(place(8)));  // an exception has left the other one
}

TEST_F(ShadowStackTest, AFrameMustFitAboveTheRoomThatCallsNeed) {
  const FramePlace small(place(8), {0, 0, 64, 16, 0});
  EXPECT_TRUE(small.fits(place(8) - 13 * 1024));
  EXPECT_FALSE(small.fits(place(8) - 12 * 1024));
  EXPECT_EQ(small.frame().low, place(8) + 8 - 64);
  EXPECT_EQ(small.frame().high, place(8) + 8 - 16);
  EXPECT_EQ(small.frame().value, words_[8]);
}

}  // namespace
