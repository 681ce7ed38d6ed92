// Keys whose order is decided while they are compared: the answers fit one order, and hurt a quicksort.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "warplab_emulator/undecided_keys.hpp"

namespace {

using warplab::emulator::begin_undecided_keys;
using warplab::emulator::compare_undecided_keys;
using warplab::emulator::places_of_undecided_keys;

bool comes_before(int a, int b) { return compare_undecided_keys(a, b) < 0; }

std::vector<int> keys_to(int count) {
  std::vector<int> keys(static_cast<std::size_t>(count));
  std::iota(keys.begin(), keys.end(), 0);
  return keys;
}

/// How deep a quicksort goes that takes keys[count / 3] as its pivot.
int depth_of_quicksort(std::vector<int> keys) {
  int depth = 0;
  for (; keys.size() > 1; ++depth) {
    const int pivot = keys[keys.size() / 3];
    std::vector<int> left, right;
    for (const int key : keys)
      if (key != pivot) (comes_before(key, pivot) ? left : right).push_back(key);
    keys = left.size() > right.size() ? left : right;
  }
  return depth;
}

TEST(UndecidedKeys, AnswersFitTheOrderInWhichTheyEnd) {
  begin_undecided_keys(100);
  std::vector<int> keys = keys_to(100);
  std::ranges::sort(keys, comes_before);
  const std::vector<int> places = places_of_undecided_keys();
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(places[static_cast<std::size_t>(keys[static_cast<std::size_t>(i)])], i);
}

TEST(UndecidedKeys, APivotIsNearlyTheSmallestKeyOfItsRange) {
  constexpr int count = 1000;
  begin_undecided_keys(count);
  EXPECT_GT(depth_of_quicksort(keys_to(count)), count / 3);
}

TEST(UndecidedKeys, AnswerTheSameWhenTheyAreAskedAgain) {
  begin_undecided_keys(3);
  const int first = compare_undecided_keys(0, 1);
  EXPECT_NE(first, 0);
  EXPECT_EQ(compare_undecided_keys(1, 0), -first);
  compare_undecided_keys(1, 2);
  EXPECT_EQ(compare_undecided_keys(0, 1), first);
  EXPECT_EQ(compare_undecided_keys(2, 2), 0);
}

TEST(UndecidedKeys, NumbersThatAreNoKeyHaveAFixedPlace) {
  begin_undecided_keys(2);
  EXPECT_TRUE(comes_before(-1, 0));
  EXPECT_TRUE(comes_before(1, 2));
  EXPECT_TRUE(comes_before(2, 3));
  EXPECT_EQ(places_of_undecided_keys(), (std::vector{0, 1}));  // none of these decided a key
}

TEST(UndecidedKeys, AreForgottenByTheNextGame) {
  begin_undecided_keys(2);
  compare_undecided_keys(1, 0);
  const std::vector<int> first = places_of_undecided_keys();
  begin_undecided_keys(2);
  compare_undecided_keys(0, 1);
  EXPECT_NE(places_of_undecided_keys(), first);
}

TEST(UndecidedKeys, ThreadsThatCompareAtOnceGetOneOrder) {
  constexpr int count = 2000;
  begin_undecided_keys(count);
  std::vector<std::vector<int>> sorted(4, keys_to(count));
  {
    std::vector<std::jthread> threads;
    for (std::vector<int>& keys : sorted)
      threads.emplace_back([&keys] { std::ranges::sort(keys, comes_before); });
  }
  for (const std::vector<int>& keys : sorted) EXPECT_EQ(keys, sorted.front());
}

}  // namespace
