// --lens on a lab's program, from outside: counts, findings, exit codes and files.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using house::Outcome;
using nlohmann::json;

/// A program of the build with arguments and --json; its measurements are in `measurements`.
class LensProgram : public testing::Test {
 protected:
  Outcome run(const std::string& program, const std::string& arguments) {
    const Outcome outcome = house::run("'" WARPLAB_BINARY_DIR "/" + program + "' " + arguments + " --json '" +
                                       (folder_ / "r.json").string() + "'");
    const std::string text = content_of(folder_ / "r.json");
    measurements = text.empty() ? json::array() : json::parse(text)["measurements"];
    return outcome;
  }
  Outcome mischief(const std::string& arguments) { return run("tests/bin/mischief", arguments); }
  Outcome transpose(const std::string& arguments) {
    return run("bin/transpose", "--size 1024x1024 " + arguments);
  }

  const ScratchFolder folder_;
  json measurements;
};

bool says(const Outcome& outcome, const std::string& text) {
  return outcome.output.find(text) != std::string::npos;
}

json pairs(const json& lens) {
  return {lens["global_load"]["sectors_per_request"], lens["global_store"]["sectors_per_request"]};
}

TEST_F(LensProgram, CountsTheNaiveTransposeInTwoShapesOfBlock) {
  const Outcome wide = transpose("--rung naive --lens");
  ASSERT_EQ(wide.exit_code, 0) << wide.output;
  EXPECT_EQ(pairs(measurements[0]["lens"]), (json{4.0, 32.0}));
  EXPECT_EQ(measurements[0]["lens"]["blocks_recorded"], 64);
  EXPECT_EQ(measurements[0]["lens"]["blocks"], 1024);
  EXPECT_TRUE(says(wide, "sectors/request 32.0 (ideal 4.0)")) << wide.output;
  EXPECT_TRUE(says(wide, "transpose_naive.cu")) << wide.output;
  std::string counted;  // lines are kept with the counts: the file may change later
  for (const json& line : measurements[0]["lens"]["launches"][0]["lines"])
    counted += line.at("text").get<std::string>() + "\n";
  EXPECT_NE(counted.find("out[col * rows + row] = in[row * cols + col];"), std::string::npos) << counted;
  ASSERT_EQ(transpose("--rung naive --block 2x32 --lens-blocks all").exit_code, 0);
  EXPECT_EQ(pairs(measurements[0]["lens"]), (json{16.0, 4.0}));
  EXPECT_EQ(measurements[0]["lens"]["blocks_recorded"], 16384);
  EXPECT_FALSE(measurements[0]["not_measured"].contains("lens"));
}

TEST_F(LensProgram, CountsWithoutRunningAllBlocks) {
  const Outcome outcome = run("bin/transpose", "--rung tiled --size 4096x4096 --lens-only --lens-blocks 8");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(says(outcome, "not checked")) << outcome.output;
  const json& lens = measurements[0]["lens"];
  EXPECT_FALSE(measurements[0]["verified"].get<bool>());
  EXPECT_EQ(lens["blocks_recorded"], 8);
  EXPECT_EQ(lens["global_load"]["sectors"], 4096 * 4096 / 8);
  EXPECT_EQ(lens["shared_load"]["wavefronts"], 4096 * 4096);
  EXPECT_EQ(lens["launches"][0]["work"]["read_sectors"], 4096 * 4096 / 8);
  EXPECT_TRUE(says(outcome, "not measured: findings (the other blocks did not run)")) << outcome.output;
  EXPECT_FALSE(says(outcome, "findings: none")) << outcome.output;
}

TEST_F(LensProgram, NamesTheCommandWhereALabWasBuiltWithoutInstrumentedBuilds) {
  const fs::path build = WARPLAB_BINARY_DIR;
  for (const char* file : {"bin/transpose", "libexec/warplab-worker", "lib/warplab/transpose/naive.so"}) {
    fs::create_directories((folder_ / file).parent_path());
    fs::copy_file(build / file, folder_ / file);
  }
  const std::string command = "'" + (folder_ / "bin/transpose").string() + "' --rung naive --size 64x64";
  EXPECT_EQ(house::run(command).exit_code, 0);
  const Outcome outcome = house::run(command + " --lens");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(says(outcome, "cmake --build --preset emulator --target transpose\n")) << outcome.output;
}

TEST_F(LensProgram, BoundsTheTimeOnlyOfAGpuThatIsNamed) {
  EXPECT_FALSE(says(transpose("--rung naive --lens"), "bound of time"));
  const Outcome outcome = house::run("WARPLAB_DEVICE=h100 '" WARPLAB_BINARY_DIR
                                     "/bin/transpose' --rung naive --size 1024x1024 --lens");
  EXPECT_TRUE(says(outcome, "bound of time   not below 19.8 us on an NVIDIA H100 80GB HBM3, by stores to L2"))
      << outcome.output;
}

TEST_F(LensProgram, CountsBankConflictsAndThatPaddingEndsThem) {
  const Outcome outcome = transpose("--rung tiled,tiled_padded --lens");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  ASSERT_EQ(measurements.size(), 2u);
  const auto both = [&](int rung, const char* field) {
    const json& lens = measurements[static_cast<std::size_t>(rung)]["lens"];
    return lens["shared_load"][field].get<int>() + lens["shared_store"][field].get<int>();
  };
  EXPECT_EQ(both(0, "wavefronts"), 1081344);
  EXPECT_EQ(both(0, "ideal_wavefronts"), 65536);
  EXPECT_EQ(both(1, "wavefronts"), 65536);
  EXPECT_EQ(measurements[0]["lens"]["findings"], json::array());
}

TEST_F(LensProgram, TheSameInItsOwnProcess) {
  ASSERT_EQ(transpose("--rung tiled --lens").exit_code, 0);
  json worker = measurements[0]["lens"];
  ASSERT_EQ(transpose("--rung tiled --lens --in-process").exit_code, 0);
  EXPECT_EQ(measurements[0]["lens"], worker);
}

TEST_F(LensProgram, AFindingFailsTheRunAndTheResultsAreWritten) {
  for (const char* where : {"", " --in-process"}) {
    const Outcome outcome = mischief(std::string("--rung races --lens") + where);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
    EXPECT_TRUE(says(outcome, "mischief/races: 1 finding\n")) << outcome.output;
    ASSERT_EQ(measurements.size(), 1u);
    EXPECT_EQ(measurements[0]["verified"], true);
    const json& findings = measurements[0]["lens"]["findings"];
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0]["kind"], "race");
    EXPECT_NE(findings[0]["file"].get<std::string>().find("mischief_kernels.cu"), std::string::npos);
  }
}

TEST_F(LensProgram, SeesWhatGuardsAndPoisonWouldHide) {
  EXPECT_EQ(mischief("--rung looks_past_end,reads_its_output").exit_code, 0) << "their outputs are right";
  const Outcome outcome = mischief("--rung looks_past_end,reads_its_output --lens");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  ASSERT_EQ(measurements.size(), 2u);
  ASSERT_EQ(measurements[0]["lens"]["findings"].size(), 1u) << outcome.output;
  EXPECT_EQ(measurements[0]["lens"]["findings"][0]["kind"], "out of bounds");
  ASSERT_EQ(measurements[1]["lens"]["findings"].size(), 1u) << outcome.output;
  EXPECT_EQ(measurements[1]["lens"]["findings"][0]["kind"], "uninitialised read");
}

TEST_F(LensProgram, WhatDidNotRunHasNoCountsAndSaysWhy) {
  const Outcome outcome = mischief("--rung todo,refuses,wrong,crashes,elsewhere,copies --lens");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  ASSERT_EQ(measurements.size(), 6u);
  const std::map<std::string, std::string> reasons = {{"todo", "the rung is to do"},
                                                      {"refuses", "the rung did not run"},
                                                      {"wrong", "the rung failed"},
                                                      {"crashes", "the rung failed"},
                                                      {"elsewhere", "the rung did not run"}};
  for (const json& measurement : measurements) {
    const auto reason = reasons.find(measurement["rung"]);
    if (reason == reasons.end()) {
      EXPECT_EQ(measurement["lens"]["launches"], json::array()) << "copies launches no kernel";
      continue;
    }
    EXPECT_TRUE(measurement["lens"].is_null()) << reason->first;
    EXPECT_EQ(measurement["not_measured"]["lens"], reason->second) << reason->first;
  }
  EXPECT_TRUE(says(outcome, "no counts: the rung is to do")) << outcome.output;
}

TEST_F(LensProgram, WithoutTheFlagNothingIsRecorded) {
  const Outcome outcome = transpose("--rung naive");
  EXPECT_TRUE(measurements[0]["lens"].is_null());
  EXPECT_EQ(measurements[0]["not_measured"]["lens"], "the lens was not asked for");
  EXPECT_FALSE(says(outcome, "sectors")) << outcome.output;
}

TEST_F(LensProgram, DrawsOneMapARung) {
  const std::string map = (folder_ / "map.svg").string();
  ASSERT_EQ(transpose("--rung naive --lens-map " + map).exit_code, 0);
  EXPECT_NE(content_of(folder_ / "map.svg").find("<svg"), std::string::npos);
  const Outcome two = transpose("--rung naive,tiled --lens-map " + map);
  ASSERT_EQ(two.exit_code, 0) << two.output;
  for (const char* name : {"map-naive.svg", "map-tiled.svg"}) {
    EXPECT_NE(content_of(folder_ / name).find("<svg"), std::string::npos) << name;
    EXPECT_TRUE(says(two, name)) << two.output;
  }
}

}  // namespace
}  // namespace warplab
