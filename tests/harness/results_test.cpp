#include "harness/results/results.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace warplab {
namespace {

using Json = nlohmann::json;

Measurement timed() {
  Measurement m;
  m.lab = "transpose";
  m.rung = "tiled";
  m.backend = "cuda";
  m.device = "NVIDIA H100, 80 GB";
  m.problem_case.size = {{"rows", 4096}, {"cols", 64}};
  m.problem_case.block = Extent3{32, 8, 1};
  m.problem_case.params = {{"launches", 5}};
  m.verified = true;
  m.max_abs_error = 0;
  m.max_rel_error = 0;
  m.tolerance = {1e-6, 1e-5};
  m.time_ms = summarize(std::vector<double>{2, 2, 2, 2, 2, 2});
  m.bytes = 4e9;
  m.speed_of_light = SpeedOfLight{"copy", "GB/s", 4000, 0.5};
  m.cpu = CpuBaseline{summarize(std::vector{160.0}), summarize(std::vector{19.0, 20.0, 29.0}), 8, 16};
  m.gpu = GpuState{summarize(std::vector{1965.0, 1980.0, 1980.0}), 412.5, std::nullopt};
  m.published = Published{"table 2", "5", "", {{"titan_x_ms", 0.06}}};
  m.not_measured["lens"] = "not asked for";
  return m;
}

TEST(Results, AMeasurementHasEveryFieldOfTheSchema) {
  const Json json = Json::parse(to_json(timed()).dump());
  for (const char* field : {"lab",     "rung",     "role",          "backend",        "device",
                            "size",    "params",   "dtype",         "seed",           "status",
                            "why",     "verified", "max_abs_error", "max_rel_error",  "tolerance",
                            "time_ms", "h2d_ms",   "d2h_ms",        "published",      "bytes",
                            "flops",   "gb_per_s", "gflop_per_s",   "speed_of_light", "paired_with",
                            "cpu",     "gpu",      "lens",          "mean_abs_error", "mean_error"})
    EXPECT_TRUE(json.contains(field)) << field;
  EXPECT_EQ(json["size"], Json({{"rows", 4096}, {"cols", 64}}));
  EXPECT_EQ(json["params"]["block"], "32x8");
  EXPECT_EQ(json["params"]["launches"], 5);
  EXPECT_EQ(json["role"], "rung");
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["time_ms"]["median"], 2.0);
  EXPECT_EQ(json["time_ms"]["samples"], 6);
  EXPECT_DOUBLE_EQ(json["gb_per_s"], 2000.0);  // 4e9 bytes in 2 ms
  EXPECT_EQ(json["speed_of_light"]["fraction"], 0.5);
  EXPECT_EQ(json["cpu"]["one_core_ms"]["median"], 160.0);
  EXPECT_EQ(json["cpu"]["fastest_ms"]["median"], 20.0);
  EXPECT_EQ(json["cpu"]["fastest_ms"]["samples"], 3);
  EXPECT_EQ(json["cpu"]["threads"], 8);
  EXPECT_EQ(json["cpu"]["cores"], 16);
  EXPECT_EQ(json["gpu"]["sm_clock_mhz"]["median"], 1980.0);
  EXPECT_EQ(json["gpu"]["sm_clock_mhz"]["min"], 1965.0);
  EXPECT_EQ(json["gpu"]["power_w"], 412.5);
  EXPECT_TRUE(json["gpu"]["temperature_c"].is_null());
  EXPECT_EQ(json["published"]["titan_x_ms"], 0.06);
}

TEST(Results, WhatWasNotMeasuredIsNullWithAReasonAndNever0) {
  Measurement m = timed();
  m.time_ms.reset();
  m.cpu.reset();
  m.gpu.reset();
  m.max_abs_error.reset();
  m.not_measured["time_ms"] = "the emulator does not measure time";
  const Json json = Json::parse(to_json(m).dump());
  for (const char* field :
       {"time_ms", "h2d_ms", "gb_per_s", "gflop_per_s", "cpu", "gpu", "max_abs_error", "lens"})
    EXPECT_TRUE(json[field].is_null()) << field;
  EXPECT_EQ(json["not_measured"]["time_ms"], "the emulator does not measure time");
}

TEST(Results, TooFewSamplesHaveANullSpread) {
  Measurement m = timed();
  m.time_ms = summarize(std::vector<double>{2, 3});
  const Json json = Json::parse(to_json(m).dump());
  EXPECT_TRUE(json["time_ms"]["mad"].is_null());
  EXPECT_TRUE(json["time_ms"]["stddev"].is_null());
}

TEST(Results, TheFileHasSchema1AndItsRun) {
  RunInfo run;
  run.command = "transpose --repeat 5";
  run.commit = "abc";
  const Json json = Json::parse(results_json(run, {timed(), timed()}));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["run"]["command"], "transpose --repeat 5");
  for (const char* field :
       {"command", "device", "driver", "toolkit", "flags", "cpu_flags", "commit", "date", "host"})
    EXPECT_TRUE(json["run"].contains(field)) << field;
  EXPECT_EQ(json["measurements"].size(), 2u);
}

TEST(Results, DescribesThisRun) {
  const char* const arguments[] = {"transpose", "--seed", "3"};
  DeviceInfo device;
  device.name = "a device";
  const RunInfo run = describe_run(3, arguments, device);
  EXPECT_EQ(run.command, "transpose --seed 3");
  EXPECT_EQ(run.device, "a device");
  EXPECT_FALSE(run.commit.empty());
  ASSERT_EQ(run.date.size(), 20u) << run.date;
  EXPECT_EQ(run.date[10], 'T');
  EXPECT_EQ(run.date.back(), 'Z');
}

TEST(Results, CsvHasAHeaderAndAsManyFieldsInEveryRow) {
  Measurement failed = timed();
  failed.status = RungStatus::failed;
  failed.why = "3 of 4 differ, \"badly\"\n  worst: [0]";
  failed.time_ms.reset();
  std::istringstream lines(results_csv({timed(), failed}));
  std::string header, first, second, none;
  std::getline(lines, header);
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_FALSE(std::getline(lines, none));
  const auto fields = [](const std::string& line) {
    std::size_t count = 1;
    bool quoted = false;
    for (char c : line) {
      if (c == '"') quoted = !quoted;
      count += c == ',' && !quoted;
    }
    return count;
  };
  EXPECT_EQ(fields(first), fields(header));
  EXPECT_EQ(fields(second), fields(header));
  EXPECT_NE(
      first.find(
          "transpose,tiled,rung,cuda,\"NVIDIA H100, 80 GB\",4096x64,32x8,,float,1,ok,true,0,0,,,2,0,2,0,2,6"),
      std::string::npos)
      << first;
  EXPECT_NE(second.find("\"3 of 4 differ, \"\"badly\"\"   worst: [0]\""), std::string::npos) << second;
}

}  // namespace
}  // namespace warplab
