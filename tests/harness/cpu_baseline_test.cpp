// On how many threads a CPU baseline counts, with made times.
#include "harness/program/cpu_baseline.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace warplab {
namespace {

Summary of(double ms) { return summarize(std::vector{ms}); }

TEST(CpuBaseline, TakesOneThreadWhereStartingOthersCostsMoreThanTheWork) {
  const auto baseline = time_on_cpu(16, [](unsigned threads) { return of(threads == 1 ? 0.0001 : 3.0); });
  ASSERT_TRUE(baseline && baseline->fastest_ms);
  EXPECT_EQ(baseline->threads, 1u);
  EXPECT_EQ(baseline->fastest_ms->median, 0.0001);
  EXPECT_EQ(baseline->one_core_ms.median, 0.0001);
  EXPECT_EQ(baseline->cores, 16u);
}

TEST(CpuBaseline, TakesFewerThreadsWhereOneCoreIsBusyWithSomethingElse) {
  const std::map<unsigned, double> ms = {{1, 0.9}, {2, 0.46}, {4, 0.24}, {8, 0.13}, {16, 6.0}};
  const auto baseline = time_on_cpu(16, [&](unsigned threads) { return of(ms.at(threads)); });
  ASSERT_TRUE(baseline && baseline->fastest_ms);
  EXPECT_EQ(baseline->threads, 8u);
  EXPECT_EQ(baseline->fastest_ms->median, 0.13);
}

TEST(CpuBaseline, TakesNoTimeForThreadsThatCannotBeFaster) {
  std::vector<unsigned> tried;
  const auto baseline = time_on_cpu(16, [&](unsigned threads) {
    tried.push_back(threads);
    return of(threads == 1 ? 1000.0 : 100.0);  // 8 threads would need 125 at least
  });
  EXPECT_EQ(tried, (std::vector<unsigned>{1, 16}));
  EXPECT_EQ(baseline->threads, 16u);
}

TEST(CpuBaseline, TriesAllCoresOfAnyNumber) {
  std::vector<unsigned> tried;
  const auto slow_together = [&](unsigned threads) {
    tried.push_back(threads);
    return of(threads);
  };
  EXPECT_EQ(time_on_cpu(12, slow_together)->threads, 1u);
  EXPECT_EQ(tried, (std::vector<unsigned>{1, 12, 6, 3}));
  tried.clear();
  EXPECT_EQ(time_on_cpu(1, slow_together)->threads, 1u);
  EXPECT_EQ(tried, (std::vector<unsigned>{1}));
}

TEST(CpuBaseline, HasOnlyOneCoreWithoutOpenMpAndNothingWithoutABaseline) {
  const auto serial =
      time_on_cpu(4, [](unsigned threads) { return threads == 1 ? std::optional(of(5)) : std::nullopt; });
  ASSERT_TRUE(serial);
  EXPECT_FALSE(serial->fastest_ms);
  EXPECT_EQ(serial->one_core_ms.median, 5);
  EXPECT_FALSE(time_on_cpu(4, [](unsigned) { return std::optional<Summary>(); }));
}

}  // namespace
}  // namespace warplab
