#include "harness/program/table.hpp"

#include <gtest/gtest.h>

namespace warplab {
namespace {

Measurement counted() {
  Measurement m;
  m.lab = "vector_add";
  m.rung = "grid_stride";
  m.problem_case.size = {{"n", 1000}};
  m.verified = true;
  m.counts = LaunchCounts{1, 4, 1024, 0};
  return m;
}

TEST(Table, ShowsCountsOnTheEmulator) {
  const Table table(true, 12, 6);
  EXPECT_EQ(table.header(),
            "rung          size    type    verified     launches     blocks       threads      barriers\n");
  EXPECT_EQ(table.row(counted()),
            "grid_stride   1000    float   yes                 1          4          1024             0\n");
}

TEST(Table, ShowsTimesWithTheirSpreadOnAGpu) {
  Measurement m = counted();
  m.counts.reset();
  m.bytes = 3e9;
  m.time_ms = summarize(std::vector<double>(6, 1.5));
  m.speed_of_light = SpeedOfLight{"copy", "GB/s", 2500, 0.8};
  const std::string row = Table(false, 12, 6).row(m);
  EXPECT_NE(row.find("1.5000 ± 0.0000 (6)"), std::string::npos) << row;
  EXPECT_NE(row.find("2000"), std::string::npos) << row;
  EXPECT_NE(row.find("80.0 %"), std::string::npos) << row;
  m.time_ms = summarize(std::vector<double>(2, 1.5));
  EXPECT_NE(Table(false, 12, 6).row(m).find("1.5000 ± unavailable (2)"), std::string::npos);
}

TEST(Table, PutsTheReasonBelowTheRow) {
  Measurement m = counted();
  m.verified = false;
  m.status = RungStatus::todo;
  m.why = "write the loop";
  m.counts.reset();
  m.printed = "a line\nanother";
  const std::string row = Table(true, 12, 6).row(m);
  EXPECT_NE(row.find("to do"), std::string::npos) << row;
  EXPECT_NE(row.find("\n    write the loop\n    | a line\n    | another\n"), std::string::npos) << row;
}

TEST(Table, ShowsThePublishedFigureBesideTheMeasuredOne) {
  Measurement m = counted();
  m.published = Published{"table 2", "5", "rows corrected", {{"titan_x_ms", 0.06}}};
  EXPECT_NE(
      Table(true, 12, 6).row(m).find("published in table 2, row 5: titan_x_ms 0.06\n    rows corrected\n"),
      std::string::npos);
}

TEST(Table, ShowsMeanAndDeviationInTheTermsOfAReportThatGivesThem) {
  Measurement m = counted();
  m.published = Published{"table 3", "large", "", {{"mean_ns", 1076112.2}, {"stddev_ns", 1148.9}}};
  const std::string untimed = Table(true, 12, 6).row(m);
  EXPECT_NE(untimed.find("row large: mean_ns 1076112.2, stddev_ns 1148.9\n"), std::string::npos) << untimed;
  m.counts.reset();
  m.time_ms = summarize(std::vector<double>{0.001, 0.002, 0.003, 0.004, 0.005});
  const std::string timed = Table(false, 12, 6).row(m);
  EXPECT_NE(timed.find("stddev_ns 1148.9; here mean_ns 3000.0, stddev_ns 1581.1\n"), std::string::npos)
      << timed;
}

}  // namespace
}  // namespace warplab
