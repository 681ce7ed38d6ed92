#include "report/handouts/rung_table.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab::report {
namespace {

using json = nlohmann::ordered_json;

json row(const char* rung, const char* role, double ms, int n = 64) {
  return {{"lab", "turn"},
          {"rung", rung},
          {"role", role},
          {"device", "NVIDIA H100"},
          {"size", {{"n", n}}},
          {"dtype", "float"},
          {"params", {{"rule", "left"}}},
          {"bytes", 1024},
          {"flops", 256},
          {"counts", {{"launches", 2}, {"threads", 64}}},
          {"lens",
           {{"global_load", {{"sectors", 40}, {"requests", 3}}},
            {"global_store", {{"sectors", 8}, {"requests", 1}}},
            {"shared_load", {{"wavefronts", 6}, {"ideal_wavefronts", 2}}},
            {"shared_store", {{"wavefronts", 2}, {"ideal_wavefronts", 2}}},
            {"branches", {{"executed", 8}, {"divergent", 2}}}}},
          {"time_ms", {{"median", ms}}},
          {"gb_per_s", 512.4},
          {"gflop_per_s", 1.5},
          {"speed_of_light", {{"what", "copy"}, {"unit", "GB/s"}, {"value", 1000}, {"fraction", 0.5124}}}};
}

/// A tree with one run, and the handout filled in from it.
std::string filled(const std::string& handout, const json& measurements) {
  const ScratchFolder root;
  std::filesystem::create_directories(root.path() / "results/run");
  std::ofstream(root.path() / "results/run/results.json") << json{{"measurements", measurements}};
  return with_rung_tables(handout, "turn", root.path());
}

const char* const rows_asked_for =
    "| rung | look at |\n|---|---|\n| `slow` | the first |\n| `cub` | the peer |\n";

TEST(RungTable, FillsInRatiosCountsAndTimes) {
  const std::string handout =
      "before\n\n<!-- rungs of results/run | 64 float, rule left | launches, moved, requests, wavefronts, "
      "divergent, time, "
      "rate, fraction, of cub -->\n" +
      std::string(rows_asked_for) + "\nafter\n";
  const json measurements = {row("slow", "rung", 4, 32), row("slow", "rung", 8), row("cub", "peer", 2)};
  const std::string text = filled(handout, measurements);
  EXPECT_NE(text.find("| rung | launches | moved / must move | requests / fewest | wavefronts / fewest | "
                      "divergent branches "
                      "| ms | GB/s | of SOL | rate / cub's | look at |\n"),
            std::string::npos)
      << text;
  // 48 sectors of 32 bytes over 1024; 4 requests over 2; 8 wavefronts over 4.
  EXPECT_NE(text.find("| `slow` | 2 | 1.50 | 2.00 | 2.00 | 0.25 | 8 | 512 | 0.51 | 0.25 | the first |\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Measured: 64 float, rule left on an NVIDIA H100.\nSOL: copy.\n"), std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("\nafter\n")) << text;
  EXPECT_EQ(filled(text, measurements), text) << "filling in twice changes nothing";
}

TEST(RungTable, WhatWasNotMeasuredIsADash) {
  json bare = row("slow", "rung", 8), peer = row("cub", "peer", 2);
  for (const char* key : {"time_ms", "lens", "counts", "speed_of_light"}) bare[key] = peer[key] = nullptr;
  const std::string text =
      filled("<!-- rungs of results/run | 64 float | launches, moved, time, of cub -->\n" +
                 std::string(rows_asked_for),
             {bare, peer});
  EXPECT_NE(text.find("| `slow` | - | - | - | - | the first |\n"), std::string::npos) << text;
}

TEST(RungTable, ARungThatIsNewerThanTheRunHasDashes) {
  const std::string text =
      filled("<!-- rungs of results/run | 64 float | moved, time, rate -->\n" + std::string(rows_asked_for),
             json::array({row("cub", "peer", 2)}));
  EXPECT_NE(text.find("| `slow` | - | - | - | the first |\n| `cub` | 1.50 | 2 | 512 | the peer |\n"),
            std::string::npos)
      << text;
}

/// The handout with rates of the run `gpu` at n = 64 beside counts of the run `lens`, as `counted` has them.
std::string beside(const json& counted, const std::string& counted_input) {
  const ScratchFolder root;
  std::filesystem::create_directories(root.path() / "results/gpu");
  json timed = row("slow", "rung", 8);
  timed["lens"] = timed["counts"] = nullptr;
  std::ofstream(root.path() / "results/gpu/results.json") << json{{"measurements", {timed}}};
  std::ofstream(root.path() / "results/lens.json") << json{{"measurements", {counted}}};
  const std::string mark =
      "<!-- rungs of results/gpu | 64 float | moved, shared_per_multiply_add, time | counted in "
      "results/lens.json | " +
      counted_input + " -->\n";
  return with_rung_tables(mark + "| rung | look at |\n|---|---|\n| `slow` | it |\n", "turn", root.path());
}

TEST(RungTable, CountsMayComeFromASmallerInputOfTheSameKind) {
  const std::string text = beside(row("slow", "rung", 1, 16), "16 float, rule left");
  // 8 wavefronts over 4 multiply-adds of a warp.
  EXPECT_NE(text.find("| `slow` | 1.50 | 2.00 | 8 | it |\n"), std::string::npos) << text;
  EXPECT_NE(
      text.find("Measured: 64 float on an NVIDIA H100.\nCounted: 16 float, rule left on the emulator.\n"),
      std::string::npos)
      << text;
}

// A count of bytes beside a rate of floats once made the best rung of a lab look like its worst.
TEST(RungTable, RefusesCountsOfAnotherTypeSizeOrParameter) {
  json other = row("slow", "rung", 1, 16);
  other["dtype"] = "uint8";
  EXPECT_THROW(beside(other, "16 uint8"), BadInput);
  EXPECT_THROW(beside(row("slow", "rung", 1, 24), "24 float"), BadInput);
  other = row("slow", "rung", 1, 16);
  other["params"]["rule"] = "midpoint";
  EXPECT_THROW(beside(other, "16 float"), BadInput);
}

TEST(RungTable, RefusesWhatItCannotFillIn) {
  const json measurements = {row("slow", "rung", 8), row("cub", "peer", 2)};
  const auto handout = [](const std::string& mark) {
    return "<!-- rungs of " + mark + " -->\n" + rows_asked_for;
  };
  EXPECT_NO_THROW(filled(handout("results/run | 64 float | time"), measurements));
  EXPECT_THROW(filled(handout("results/run | 64 float"), measurements), BadInput);
  EXPECT_THROW(filled(handout("results/other | 64 float | time"), measurements), BadInput);
  EXPECT_THROW(filled(handout("results/run | 65 float | time"), measurements), BadInput);
  EXPECT_THROW(filled(handout("results/run | 64 float | speed"), measurements), BadInput);
  EXPECT_THROW(filled("<!-- rungs of results/run | 64 float | time -->\n\nno table\n", measurements),
               BadInput);
}

}  // namespace
}  // namespace warplab::report
