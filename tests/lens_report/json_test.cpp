#include "lens/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/lens_report/sample_launches.hpp"

namespace {

using namespace warplab::lens;

/// A launch in which no number is like another.
Launch full_launch() {
  Launch l = test::tiled_transpose();
  l.grid = {3, 5, 7}, l.block = {8, 4, 2};
  l.dynamic_shared_bytes = 123;
  l.occupancy = {0.28125, 9, "shared memory"};
  l.rates = {{"l2_hit_percent", 42.5}};
  l.note = "a note";
  Counts& c = l.lines[0].counts;
  c.global_load = {1, 2, 3, 4, 5}, c.global_store = {6, 7, 8, 9, 10};
  c.local_load = {11, 12, 13, 14, 15}, c.local_store = {16, 17, 18, 19, 20};
  c.shared_load = {21, 29, 23, 24, 25}, c.shared_store = {26, 37, 28, 30, 31},
  c.shared_copy = {48, 51, 49, 52, 53};
  c.constant = {32, 33};
  c.global_atomics = {34, 35, 36, 38, 39}, c.shared_atomics = {40, 41, 42, 43, 44};
  c.branches = {45, 46};
  c.barriers = 47, c.active_lanes = 1'000'003, c.warp_events = 48'611;
  l.counts = c;
  l.max_barriers = 3, l.max_waits = 5, l.busiest_warp = 7;
  l.lines[0].samples[0].mask = 0x80000001u;
  l.lines[0].samples[0].block = {1, 2, 3};
  l.lines[0].samples[0].warp = 7;
  for (unsigned lane = 1; lane < 31; ++lane) l.lines[0].samples[0].address[lane] = 0;
  l.findings = {{FindingKind::race,
                 l.kernel,
                 {1, 2, 3},
                 {4, 5, 6},
                 "transpose_tiled.cu",
                 35,
                 true,
                 "Two threads.",
                 Hint::fence_missing,
                 12}};
  return l;
}

TEST(LensJson, HasTheShapeOfResults) {
  const Json json = measurement_json({test::naive_transpose(), test::tiled_transpose()});
  EXPECT_EQ(json["global_load"]["requests"], 65536);
  EXPECT_EQ(json["global_load"]["sectors"], 262144);
  EXPECT_EQ(json["global_load"]["ideal_sectors"], 262144);
  EXPECT_EQ(json["global_load"]["sectors_per_request"], 4.0);
  EXPECT_EQ(json["global_store"]["sectors_per_request"], 18.0);  // 32 and 4
  EXPECT_EQ(json["shared_load"]["wavefronts"], 1048576);
  EXPECT_EQ(json["shared_load"]["bank_conflicts"], 1048576 - 32768);
  EXPECT_EQ(json["shared_store"]["ideal_wavefronts"], 32768);
  for (const char* name : {"constant", "local", "atomics", "branches"})
    EXPECT_TRUE(json[name].is_object()) << name;
  EXPECT_EQ(json["active_lanes"], 32.0);
  EXPECT_EQ(json["barriers"], 32768);
  EXPECT_EQ(json["occupancy"], 1.0);
  EXPECT_EQ(json["blocks_recorded"], 128);
  EXPECT_EQ(json["blocks"], 2048);
  EXPECT_EQ(json["scaled"], true);
  ASSERT_EQ(json["launches"].size(), 2u);
  const Json& second = json["launches"][1];
  EXPECT_EQ(second["kernel"], "transpose_tiled_kernel<int>");
  EXPECT_EQ(second["grid"], Json({32, 32, 1}));
  ASSERT_EQ(second["lines"].size(), 2u);
  EXPECT_EQ(second["lines"][1]["line"], 35);
  EXPECT_EQ(second["lines"][1]["shared_load"]["bank_conflicts"], 1048576 - 32768);
  EXPECT_EQ(json["findings"], Json::array());
}

TEST(LensJson, AddsUpLoadsAndStoresOfLocalMemoryAndBothKindsOfAtomics) {
  const Json json = measurement_json({full_launch()});
  EXPECT_EQ(json["local"]["requests"], 11 + 16);
  EXPECT_EQ(json["local"]["sectors"], 12 + 17);
  EXPECT_EQ(json["local"]["load"]["sectors"], 12);
  EXPECT_EQ(json["local"]["store"]["sectors"], 17);
  EXPECT_EQ(json["atomics"]["serial"], 39 + 44);
  EXPECT_EQ(json["atomics"]["global"]["serial"], 39);
  EXPECT_EQ(json["atomics"]["shared"]["serial"], 44);
}

TEST(LensJson, ALaunchHasItsLinesInItsLens) {
  const Json json = launch_json(full_launch());
  EXPECT_EQ(json["kernel"], "transpose_tiled_kernel<int>");
  EXPECT_EQ(json["grid"], Json({3, 5, 7}));
  EXPECT_EQ(json["block"], Json({8, 4, 2}));
  EXPECT_EQ(json["lens"]["lines"].size(), 2u);
  EXPECT_EQ(json["lens"]["lines"][0]["global_load"]["sectors"], 2);
  EXPECT_EQ(json["lens"]["launches"][0]["lines"][0]["global_load"]["sectors"], 2);
  EXPECT_EQ(json["lens"]["findings"][0]["kind"], "race");
  EXPECT_EQ(json["lens"]["findings"][0]["hint"], "fence_missing");
}

TEST(LensJson, ComesBackAsItWas) {
  const std::vector<Launch> launches = {test::naive_transpose(), full_launch()};
  const Json json = measurement_json(launches);
  const std::vector<Launch> back = launches_from_json(Json::parse(json.dump()));
  EXPECT_EQ(measurement_json(back), json);
  ASSERT_EQ(back.size(), 2u);
  const Launch& l = back[1];
  EXPECT_EQ(l.counts.active_lanes, 1'000'003u);  // of an average
  EXPECT_EQ(l.counts.global_atomics.serial, 39u);
  EXPECT_EQ(l.max_barriers, 3u);
  EXPECT_EQ(l.max_waits, 5u);
  EXPECT_EQ(l.busiest_warp, 7u);
  EXPECT_EQ(l.static_shared_bytes, 4096u);
  EXPECT_EQ(l.dynamic_shared_bytes, 123u);
  EXPECT_EQ(l.occupancy.limited_by, "shared memory");
  EXPECT_EQ(l.occupancy.blocks_per_multiprocessor, 9);
  EXPECT_EQ(l.rates.at("l2_hit_percent"), 42.5);
  ASSERT_EQ(l.lines.size(), 2u);
  EXPECT_EQ(l.lines[0].samples[0].mask, 0x80000001u);
  EXPECT_EQ(l.lines[0].samples[0].address, full_launch().lines[0].samples[0].address);
  EXPECT_TRUE(back[0].findings.empty());
  ASSERT_EQ(l.findings.size(), 1u);
  EXPECT_EQ(l.findings[0].thread, (std::array<unsigned, 3>{4, 5, 6}));
  EXPECT_EQ(l.findings[0].times, 12u);
  EXPECT_EQ(launches_from_json(launch_json(launches[0])["lens"]).at(0).lines.size(), 1u);
}

TEST(LensJson, ALineKeepsWhatNvccMakesOfIt) {
  Launch launch = test::tiled_transpose();
  launch.lines.at(0).compiled = std::vector<CompiledAccess>{{"global load", 4, 2}, {"ldmatrix", 0, 1}};
  launch.lines.at(1).compiled.emplace();  // nothing
  const auto back = launches_from_json(Json::parse(measurement_json({launch}).dump()));
  EXPECT_EQ(back.at(0).lines.at(0).compiled, launch.lines[0].compiled);
  EXPECT_EQ(back.at(0).lines.at(1).compiled, launch.lines[1].compiled);
  EXPECT_FALSE(launches_from_json(measurement_json({test::naive_transpose()})).at(0).lines.at(0).compiled);
}

TEST(LensJson, WhatWasNotMeasuredIsNullWithAReason) {
  Launch launch = test::tiled_transpose();
  launch.source = Source::nsight_compute;
  launch.not_measured = {{"branches", "no such counter"}, {"shared_load.ideal_wavefronts", "an old version"}};
  const Json json = measurement_json({test::naive_transpose(), launch});
  EXPECT_TRUE(json["branches"].is_null());
  EXPECT_EQ(json["shared_load"]["wavefronts"], 1048576);
  EXPECT_TRUE(json["shared_load"]["ideal_wavefronts"].is_null());
  EXPECT_TRUE(json["shared_load"]["bank_conflicts"].is_null());
  EXPECT_EQ(json["not_measured"]["branches"], "transpose_tiled_kernel<int>: no such counter");
  EXPECT_TRUE(json["launches"][1]["lines"][0]["branches"].is_null());
  EXPECT_TRUE(json["launches"][0]["branches"].is_object());
  const auto back = launches_from_json(json);
  EXPECT_EQ(back.at(1).not_measured, launch.not_measured);
  EXPECT_EQ(back.at(1).source, Source::nsight_compute);
  EXPECT_EQ(measurement_json(back), json);
}

TEST(LensJson, ALaunchThatWasNotRecordedHasNoZeros) {
  Launch launch;
  launch.kernel = "k";
  launch.blocks = 10;
  launch.note = "its module has no instrumented build";
  const Json json = measurement_json({launch});
  for (const char* name : {"global_load", "global_store", "shared_load", "shared_store", "shared_copy",
                           "constant", "local", "atomics", "branches", "active_lanes", "barriers"}) {
    EXPECT_TRUE(json.contains(name) && json[name].is_null()) << name;
    EXPECT_EQ(json["not_measured"][name], "its module has no instrumented build") << name;
  }
  EXPECT_FALSE(launches_from_json(json).at(0).recorded());
}

TEST(LensJson, AnAverageOfNothingIsNull) {
  const Json json = measurement_json({});
  EXPECT_EQ(json["global_load"]["requests"], 0);
  EXPECT_TRUE(json["global_load"]["sectors_per_request"].is_null());
  EXPECT_TRUE(json["active_lanes"].is_null());
  EXPECT_TRUE(json["occupancy"].is_null());
  EXPECT_EQ(json["not_measured"]["occupancy"], "nothing was launched");
}

TEST(LensJson, OccupanciesThatDifferAreNotAveraged) {
  Launch other = test::tiled_transpose();
  other.occupancy = {0.5, 32, "blocks"};
  const Json json = measurement_json({test::naive_transpose(), other});
  EXPECT_TRUE(json["occupancy"].is_null());
  EXPECT_EQ(json["launches"][1]["occupancy"], 0.5);
}

TEST(LensJson, TakesNoMoreOfANameThanPeopleRead) {
  Launch launch = full_launch();
  const std::string endless(300'000, 'k');
  launch.kernel = launch.lines[0].file = launch.lines[0].function = endless;
  launch.findings[0].kernel = launch.findings[0].file = launch.findings[0].text = endless;
  const Launch read = launches_from_json(measurement_json({launch})).at(0);
  for (const std::string& words :
       {read.kernel, read.lines.at(0).file, read.lines.at(0).function, read.findings.at(0).kernel,
        read.findings.at(0).file, read.findings.at(0).text})
    EXPECT_EQ(words, endless.substr(0, 2000) + "...");
}

TEST(LensJson, RefusesWhatIsNoLensObject) {
  EXPECT_THROW(launches_from_json(Json::parse("{}")), std::invalid_argument);
  EXPECT_THROW(launches_from_json(Json::parse("[]")), std::invalid_argument);
  Json json = measurement_json({full_launch()});
  json["launches"][0]["blocks"] = "many";
  EXPECT_THROW(launches_from_json(json), std::invalid_argument);
  json = measurement_json({full_launch()});
  json["findings"][0]["launch"] = 9;
  EXPECT_THROW(launches_from_json(json), std::invalid_argument);
  json = measurement_json({full_launch()});
  json["launches"][0]["lines"][0]["samples"][0]["addresses"].erase(0);
  EXPECT_THROW(launches_from_json(json), std::invalid_argument);
}

}  // namespace
