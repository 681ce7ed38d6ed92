// What was published beside what was measured: figures, claims and pictures.
#include <gtest/gtest.h>

#include <set>

#include "common/host/bad_input.hpp"
#include "report/published/published.hpp"
#include "report/published/published_claims.hpp"
#include "report/published/published_page.hpp"
#include "tests/common/markup.hpp"
#include "tests/common/unnamed_parts.hpp"
#include "tests/report/made_run.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;
using Loaded = Run;  // within a test, Run is GoogleTest's

const fs::path tree = WARPLAB_SOURCE_DIR;

TEST(Published, ReadsFiguresByTheirUnitsAndPutsOursBeside) {
  Row row;
  row.published = {{"a_ms", 2}, {"b_ns", 38413.7}, {"c_s", 0.5},
                   {"d_us", 7}, {"e_parsec", 1},   {"f_ms", "fast"}};
  EXPECT_EQ(published_ms(row, "a_ms"), 2);
  EXPECT_DOUBLE_EQ(published_ms(row, "b_ns").value(), 0.0384137);
  EXPECT_EQ(published_ms(row, "c_s"), 500);
  EXPECT_DOUBLE_EQ(published_ms(row, "d_us").value(), 0.007);
  for (const char* none : {"e_parsec", "f_ms", "absent_ms"}) EXPECT_FALSE(published_ms(row, none)) << none;
  row.h2d_ms = 3;
  EXPECT_FALSE(measured_ms(row, "transfers"));
  row.d2h_ms = 4;
  EXPECT_EQ(measured_ms(row, "transfers"), 7);
  EXPECT_FALSE(measured_ms(row, "total"));
  row.time_ms = Summary{};
  row.time_ms->median = 2;
  EXPECT_EQ(measured_ms(row, "total"), 9);
  EXPECT_EQ(measured_ms(row, "d2h"), 4);
  EXPECT_FALSE(measured_ms(row, "cpu_fastest"));
}

/// A run of three rows of a table, in which b takes 8 ms, a 2 and c 8.1, and the CPU 5 on all cores.
Json claimed() {
  Json rows = Json::array();
  for (const auto& [label, ms] : {std::pair{"a", 2.0}, {"b", 8.0}, {"c", 8.1}}) {
    rows.push_back(measured("naive", 1000, ms));
    rows.back()["published"] = {{"table", "t 1"}, {"row", label}};
    rows.back()["cpu"] = {{"one_core_ms", {{"median", 40}}}, {"all_cores_ms", 5}, {"cores", 8}};  // both ages
  }
  return results_of(rows);
}

TEST(Published, TakesTheCpusFastestTimeOfResultsOfEitherAge) {
  const ScratchFolder folder;
  const auto fastest_ms = [&](const Json& cpu) {
    Json row = measured("naive", 1000, 2);
    row["cpu"] = cpu;
    return measured_ms(run_of(folder, results_of({row})).rows.at(0), "cpu_fastest");
  };
  const Json one_core = {{"median", 0.5}};
  EXPECT_EQ(fastest_ms({{"one_core_ms", one_core}, {"fastest_ms", {{"median", 0.25}}}, {"threads", 2}}),
            0.25);
  EXPECT_FALSE(fastest_ms({{"one_core_ms", one_core}, {"fastest_ms", nullptr}, {"threads", nullptr}}));
  EXPECT_EQ(fastest_ms({{"one_core_ms", one_core}, {"all_cores_ms", {{"median", 3}}}}), 0.5);
  EXPECT_EQ(fastest_ms({{"one_core_ms", one_core}, {"all_cores_ms", {{"median", 0.125}}}}), 0.125);
}

TEST(Published, JudgesAClaimByTheRunThatThePageShows) {
  const ScratchFolder folder;
  const std::vector<Loaded> runs{run_of(folder, claimed())};
  const auto verdict = [&](std::vector<std::string> faster, const char* faster_of,
                           std::vector<std::string> than, const char* than_of) {
    return claim_verdict({"", {"t 1", faster, faster_of}, {"t 1", than, than_of}}, runs, "turn");
  };
  EXPECT_EQ(verdict({"a"}, "kernel", {"b"}, "kernel"), "Here it holds: 2 ms against 8 ms, 4 times as fast.");
  EXPECT_EQ(verdict({"b"}, "kernel", {"a"}, "kernel"),
            "Here it is the other way round: 8 ms against 2 ms, 4 times as slow.");
  EXPECT_EQ(verdict({"b"}, "kernel", {"c"}, "kernel"),
            "Here it does not hold: 8 ms against 8.1 ms are the same within 3 %.");
  EXPECT_EQ(verdict({"a"}, "cpu_fastest", {"a"}, "total"),
            "Here it holds: 5 ms against 12 ms, 2.4 times as fast.");
  EXPECT_EQ(verdict({"a", "b"}, "kernel", {"b", "c"}, "kernel"),
            "Here it holds in 1 of 2 rows: the times' ratio is 1.01 to 4.");
  EXPECT_EQ(verdict({"a", "a"}, "kernel", {"b", "b"}, "kernel"),
            "Here it holds in 2 of 2 rows: the times' ratio is 4.");
  EXPECT_EQ(verdict({"a"}, "kernel", {"absent"}, "kernel"), "Not measured here.");
}

TEST(Published, JudgesTheFactorOfAClaimToo) {
  const ScratchFolder folder;
  const std::vector<Loaded> runs{run_of(folder, claimed())};
  const auto verdict = [&](std::vector<std::string> than, std::optional<double> at_least,
                           std::optional<double> at_most) {
    const std::vector<std::string> faster(than.size(), "a");
    return claim_verdict({"", {"t 1", faster, "kernel"}, {"t 1", than, "kernel"}, at_least, at_most}, runs,
                         "turn");
  };
  EXPECT_EQ(verdict({"b"}, 4, {}), "Here it holds: 2 ms against 8 ms, 4 times as fast (said: at least 4).");
  EXPECT_EQ(
      verdict({"b"}, 10, {}),
      "Here the order holds, but not the factor: 2 ms against 8 ms, 4 times as fast (said: at least 10).");
  EXPECT_EQ(
      verdict({"b"}, {}, 2),
      "Here the order holds, but not the factor: 2 ms against 8 ms, 4 times as fast (said: at most 2).");
  EXPECT_EQ(verdict({"b", "c", "a"}, 4.02, {}),
            "Here it holds in 2 of 3 rows: the times' ratio is 1 to 4.05 (said: at least 4.02).");
}

TEST(Published, DrawsADocumentsChartFromTheRun) {
  const ScratchFolder folder;
  folder.write("labs/01_turn/published.json", R"({"tables": [{"table": "t 1", "title": "T", "lesson": "",
      "compare": ["cpu", "cpu_fastest", "kernel", "total"],
      "charts": [{"title": "Figure 1", "x": "experiment",
                  "curves": [{"label": "one core", "of": "cpu"}, {"label": "with transfers", "of": "total"}]}]}]})");
  const std::string page = published_page({run_of(folder, claimed())}, folder / "labs");
  EXPECT_EQ(malformed(page), "");
  EXPECT_EQ(unnamed_parts(page), "");
  for (const char* words :
       {"Figure 1", "with transfers", "ours, the CPU at its fastest", "ours, kernel with transfers"})
    EXPECT_TRUE(says(page, words)) << words;
  EXPECT_TRUE(says(page, "<b>12 ms</b>")) << "2 ms, 6 ms there and 4 ms back";
}

TEST(Published, DrawsRowsThatBelongTogetherAsBarsOfTheSpeedOfLight) {
  const ScratchFolder folder;
  folder.write("labs/01_turn/published.json", R"({"tables": [{"table": "t 1", "title": "T", "lesson": "",
      "charts": [{"title": "Figure 2", "groups": ["Sum"],
                  "curves": [{"label": "plain", "rows": ["a"]}, {"label": "tuned", "rows": ["b"]}]}]}]})");
  std::vector<Json> rows;
  for (const auto& [label, fraction] : {std::pair{"a", 0.25}, {"b", 0.96875}}) {
    Json m = measured("naive", 1000, 2);
    m["published"] = {{"table", "t 1"}, {"row", label}};
    m["speed_of_light"] = {{"what", "copy"}, {"unit", "GB/s"}, {"value", 100}, {"fraction", fraction}};
    rows.push_back(m);
  }
  const std::string page = published_page({run_of(folder, results_of(rows))}, folder / "labs");
  EXPECT_EQ(malformed(page), "");
  EXPECT_EQ(unnamed_parts(page), "");
  for (const char* words : {"Figure 2, as a share of the speed of light", "plain", "tuned"})
    EXPECT_TRUE(says(page, words)) << words;

  folder.write("labs/01_turn/published.json", R"({"tables": [{"table": "t 1", "title": "T", "lesson": "",
      "charts": [{"title": "Figure 2", "groups": ["Sum", "Dot"], "curves": [{"label": "plain", "rows": ["a"]}]}]}]})");
  EXPECT_THROW(published_page({run_of(folder, results_of(rows))}, folder / "labs"), BadInput);
}

TEST(Published, PutsWhatAProfilerSawBesideWhatItSawThen) {
  const ScratchFolder folder;
  folder.write("labs/01_turn/published.json", R"({"tables": [{"table": "t 1", "title": "T", "lesson": "",
      "every_row": {"published_size": "4000"}, "kernels": {"one": "second"}, "metrics": [{"name": "l2_hit_percent", "label": "L2 hits"}]}]})");
  Json m = measured("naive", 1000, 2);
  m["published"] = {{"table", "t 1"}, {"row", "one"}, {"l2_hit_percent", 42.5}};
  m["lens"] = {{"launches",
                {{{"kernel", "first_kernel"}, {"rates", {{"l2_hit_percent", 7}}}},
                 {{"kernel", "second_kernel"}, {"rates", {{"l2_hit_percent", 61.5}}}}}}};
  const std::string page = published_page({run_of(folder, results_of({m}))}, folder / "labs");
  EXPECT_EQ(malformed(page), "");
  EXPECT_EQ(unnamed_parts(page), "");
  for (const char* words : {"L2 hits", ">42.5<", ">61.5<", ">ours, 1000<"})
    EXPECT_TRUE(says(page, words)) << words;
}

// A sentence on our own device would be wrong on all others: verdicts are computed.
TEST(Published, LessonsNameNoDeviceOfOurs) {
  for (const std::string& lab : labs_in_order(tree / "labs", {}))
    for (const PublishedTable& table : published_tables(tree / "labs", lab))
      for (const char* device : {"H100", "H200", "A100"})
        EXPECT_FALSE(says(table.lesson, device)) << table.table;
}

const char* const published_json =
    R"({"tables": [{"table": "t 1", "title": "Turning", "lesson": "Measure.", "every_row": {"published_size": "40x100"},
        "figures": [{"name": "old_ms", "label": "old GPU", "of": "kernel"}]}]})";

TEST(Published, TakesTheRatioForEachElementWhereInputsDiffer) {
  const ScratchFolder folder;
  folder.write("labs/01_turn/published.json", published_json);
  Json m = measured("naive", 1000, 2);
  m["published"] = {{"table", "t 1"}, {"row", "1"}, {"old_ms", 80}, {"note", "here <1000>"}};
  const std::string page = published_page({run_of(folder, results_of({m}))}, folder / "labs");
  EXPECT_EQ(malformed(page), "");
  EXPECT_EQ(unnamed_parts(page), "");
  EXPECT_TRUE(says(page, "80 ms</span> <span class=\"ratio\">10×</span>"))
      << "80 ms of 4000 are 20 ms of 1000";
  for (const char* words : {"Turning", "Measure.", "here &lt;1000&gt;"})
    EXPECT_TRUE(says(page, words)) << words;
}

TEST(Published, NamesABrokenFile) {
  const ScratchFolder folder;
  folder.write("labs/01_turn/published.json", R"({"tables": [{"title": "no name"}]})");
  EXPECT_TRUE(says(message_of<BadInput>([&] { published_tables(folder / "labs", "turn"); }),
                   "published.json: table 1: key 'table' not found"));
  folder.write("labs/01_turn/published.json",
               R"({"tables": [{"table": "t", "title": "T", "lesson": "", "figures": 3}]})");
  EXPECT_TRUE(says(message_of<BadInput>([&] { published_tables(folder / "labs", "turn"); }),
                   "published.json: table 1: a value is of the wrong kind"));
  folder.write("labs/01_turn/published.json", R"({"tables": [{"table": "t", "title": "T", "lesson": "",
      "claims": [{"says": "A beats B.", "faster": ["a"], "than": ["b", "c"]}]}]})");
  EXPECT_TRUE(says(message_of<BadInput>([&] { published_tables(folder / "labs", "turn"); }),
                   "table 1: the claim 'A beats B.' compares lists of different lengths"));
}

TEST(Published, EveryTableThatALabReplaysHasItsWordsAndFigures) {
  int rows = 0;
  for (const char* name : {"h200-published", "h100-80gb-hbm3-published"}) {
    if (!fs::exists(tree / "results" / name)) continue;
    for (const Row& row : read_run(tree / "results" / name).rows) {
      if (row.published.is_null()) continue;
      ++rows;
      const auto tables = published_tables(tree / "labs", row.lab);
      const auto table =
          std::ranges::find(tables, row.published["table"].get<std::string>(), &PublishedTable::table);
      ASSERT_NE(table, tables.end()) << row.published["table"];
      EXPECT_FALSE(table->lesson.empty() || table->title.empty()) << table->table;
      for (const PublishedFigure& figure : table->figures) {
        EXPECT_TRUE(
            std::set<std::string>({"kernel", "h2d", "d2h", "transfers", "total", "cpu", "cpu_fastest"})
                .contains(figure.of))
            << figure.of;
        // A row of the table may lack a figure; none has one that the table does not know of.
        EXPECT_TRUE(!row.published.contains(figure.name) || published_ms(row, figure.name)) << figure.name;
      }
    }
  }
  if (rows == 0) GTEST_SKIP() << "this tree has no committed runs";
}

}  // namespace
}  // namespace warplab::report
