// What a comparison of two runs calls slower, and what its page marks.
#include <gtest/gtest.h>

#include "report/comparison/comparison.hpp"
#include "report/comparison/comparison_page.hpp"
#include "tests/common/markup.hpp"
#include "tests/common/unnamed_parts.hpp"
#include "tests/report/made_run.hpp"

namespace warplab::report {
namespace {

using Loaded = Run;  // within a test, Run is GoogleTest's

/// How a time changed, from medians and the intervals' half widths.
Change change(double before, double before_width, double after, double after_width) {
  Row first, later;
  first.status = later.status = RungStatus::ok;
  first.verified = later.verified = true;
  const auto summary = [](double median, double width) {
    Summary s;
    s.median = median;
    s.interval_low = median * (1 - width);
    s.interval_high = median * (1 + width);
    return s;
  };
  first.time_ms = summary(before, before_width);
  later.time_ms = summary(after, after_width);
  return change_of(&first, &later);
}

TEST(Comparison, SaysSlowerOnlyBeyondTheNoise) {
  EXPECT_EQ(change(1, 0.01, 1.2, 0.01), Change::slower);
  EXPECT_EQ(change(1, 0.01, 0.8, 0.01), Change::faster);
  EXPECT_EQ(change(1, 0.0001, 1.015, 0.0001), Change::same)
      << "apart, but nearer than runs are to each other";
  EXPECT_EQ(change(1, 0.0001, 1.021, 0.0001), Change::slower);
  EXPECT_EQ(change(1, 0.15, 1.2, 0.1), Change::cannot_tell) << "the intervals overlap";
  EXPECT_EQ(change(1, 0.001, 1.001, 0.001), Change::same);
}

TEST(Comparison, CannotTellWithoutASpread) {
  Row first, later;
  first.status = later.status = RungStatus::ok;
  first.verified = later.verified = true;
  first.time_ms = later.time_ms = Summary{};
  first.time_ms->median = 1;
  later.time_ms->median = 5;
  EXPECT_EQ(change_of(&first, &later), Change::cannot_tell);
}

TEST(Comparison, SeesWhatBrokeWhatMovesMoreAndWhatIsGone) {
  Row right, wrong, counted;
  right.status = RungStatus::ok;
  right.verified = true;
  wrong.status = RungStatus::failed;
  EXPECT_EQ(change_of(&right, &wrong), Change::broken);
  EXPECT_EQ(change_of(&wrong, &right), Change::mended);
  EXPECT_EQ(change_of(&right, nullptr), Change::absent);
  EXPECT_EQ(change_of(&right, &right), Change::same);
  Row less = right, more = right;
  less.lens = {{"global_load", {{"requests", 10}, {"sectors", 40}}}};
  more.lens = {{"global_load", {{"requests", 10}, {"sectors", 41}}}};
  EXPECT_EQ(change_of(&less, &more), Change::more);
  EXPECT_EQ(change_of(&more, &less), Change::fewer);
  EXPECT_EQ(change_of(&less, &less), Change::same);
}

TEST(Comparison, MarksTheSlowerRungAndNoOther) {
  const ScratchFolder folder;
  Json slower = ladder();
  slower["measurements"][1]["time_ms"] =
      time_json(slower["measurements"][1]["time_ms"]["median"].get<double>() * 1.5);
  const std::vector<Loaded> runs = {run_of(folder, ladder(), "before"), run_of(folder, slower, "after")};
  const Comparison comparison = compare(runs);
  EXPECT_EQ(summary_of(comparison), "1 slower, 5 the same");
  const std::string page = comparison_page(runs, comparison);
  EXPECT_EQ(malformed(page), "");
  EXPECT_EQ(unnamed_parts(page), "");
  EXPECT_EQ(times(page, "<tr class=\"worse\">"), 2u) << "once among what became worse, once in its lab";
  EXPECT_TRUE(says(page, "slower, 1.50×"));
  EXPECT_EQ(summary_of(compare({runs[0], runs[0]})), "6 the same");
}

}  // namespace
}  // namespace warplab::report
