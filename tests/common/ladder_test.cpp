#include "report/ladder.hpp"

#include <gtest/gtest.h>

#include "common/bad_input.hpp"

namespace warplab::report {
namespace {

using json = Json;

json measurement(const char* rung, double bytes) {
  return {{"lab", "turn"},           {"rung", rung},
          {"role", "rung"},          {"size", {{"rows", 64}, {"cols", 32}}},
          {"dtype", "int"},          {"bytes", bytes},
          {"device", "NVIDIA H100"}, {"gb_per_s", nullptr},
          {"lens", nullptr},         {"speed_of_light", nullptr}};
}

json counted(const char* rung, double loads, double stores, json wavefronts) {
  json m = measurement(rung, 8);
  m["lens"] = {{"global_load", {{"sectors_per_request", loads}}},
               {"global_store", {{"sectors_per_request", stores}}},
               {"shared_store", {{"wavefronts_per_request", wavefronts.is_null() ? json(nullptr) : json(1)}}},
               {"shared_load", {{"wavefronts_per_request", wavefronts}}}};
  return m;
}

json timed(const char* rung, double bytes, double rate, double fraction) {
  json m = measurement(rung, bytes);
  m["gb_per_s"] = rate;
  m["speed_of_light"] = {{"unit", "GB/s"}, {"value", 3000}, {"fraction", fraction}};
  return m;
}

report::Run results(std::initializer_list<json> measurements) {
  return run_of({{"measurements", measurements}}, "results.json");
}

const char* const handout =
    "before\n\n<!-- ladder -->\n| rung | anything | what is new |\n|---|---|---|\n| `tiled` | ? | a tile |\n"
    "| `naive` | | nothing |\n\nafter\n| a | b |\n";

TEST(Ladder, FillsInCountsAndTimesAndKeepsTheAuthorsWords) {
  const std::string text = with_ladder(
      handout, "turn", results({counted("naive", 4, 32, nullptr), counted("tiled", 4, 4.0625, 32)}),
      results(
          {timed("naive", 8, 100, 0.5), timed("naive", 80, 468.16, 0.156), timed("tiled", 80, 938.7, 0.31)}));
  EXPECT_EQ(
      text,
      "before\n\n<!-- ladder -->\n"
      "| rung | sectors per request, load + store | shared wavefronts per request, store + load | GB/s, "
      "64x32 int on an "
      "NVIDIA H100 | of SOL | what is new |\n|---|---|---|---|---|---|\n"
      "| `tiled` | 4 + 4.06 | 1 + 32 | 939 | 0.31 | a tile |\n| `naive` | 4 + 32 | - | 468 | 0.16 | "
      "nothing |\n"
      "\nafter\n| a | b |\n");
}

TEST(Ladder, LeavesOutSharedMemoryWhereNoRungUsesItAndStaysAsItIs) {
  const report::Run counts = results({counted("naive", 4, 32, nullptr), counted("tiled", 4, 4, nullptr)});
  const report::Run times = results({timed("naive", 8, 100, 0.5), timed("tiled", 8, 100, 0.5)});
  const std::string once = with_ladder(handout, "turn", counts, times);
  EXPECT_EQ(once.find("wavefronts"), std::string::npos);
  EXPECT_EQ(with_ladder(once, "turn", counts, times), once);
}

TEST(Ladder, NamesARungThatWasNotMeasured) {
  const report::Run counts = results({counted("naive", 4, 32, nullptr)});
  EXPECT_THROW(with_ladder(handout, "turn", counts, results({})), BadInput);
  EXPECT_THROW(with_ladder("no table\n", "turn", counts, counts), BadInput);
  EXPECT_THROW(with_ladder("<!-- ladder -->\n\n| a |\n", "turn", counts, counts), BadInput);
}

json of_case(const char* rung, double side, const char* kind, json median) {
  json m = measurement(rung, 8);
  m["params"] = {{"side", side}, {"kind", kind}};
  m["status"] = median.is_null() ? "unavailable" : "ok";
  m["time_ms"] = median.is_null() ? json(nullptr) : json{{"median", median}};
  return m;
}

TEST(Ladder, AMarkWithCasesHasAColumnOfTimesForEach) {
  const std::string two =
      "<!-- ladder: side 3, kind wide; side 9, kind flat -->\n| rung | ? | look at |\n|---|---|---|\n"
      "| `naive` | | n |\n| `tiled` | | t |\n\nafter\n";
  const report::Run times = results({of_case("naive", 3, "wide", 1.234567), of_case("naive", 9, "wide", 7.0),
                                     of_case("naive", 9, "flat", nullptr), of_case("tiled", 3, "wide", 0.5),
                                     of_case("tiled", 9, "flat", 12.0)});
  const report::Run counts = results({counted("naive", 4, 32, 2)});
  const std::string once = with_ladder(two, "turn", counts, times);
  EXPECT_EQ(
      once,
      "<!-- ladder: side 3, kind wide; side 9, kind flat -->\n"
      "| rung | sectors per request, load + store | shared wavefronts per request, store + load | side 3, "
      "kind wide "
      "| side 9, kind flat | look at |\n|---|---|---|---|---|---|\n"
      "| `naive` | 4 + 32 | 1 + 2 | 1.23 | - | n |\n| `tiled` | - | - | 0.5 | 12 | t |\n"
      "\nTimes in ms: 64x32 int, NVIDIA H100.\n\nafter\n");
  EXPECT_EQ(with_ladder(once, "turn", counts, times), once);
}

}  // namespace
}  // namespace warplab::report
