// The default program of a lab, from outside: exit codes, sentences, tables and files.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/io/npy.hpp"
#include "harness/problem/problem.hpp"
#include "harness/rung/backend.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

struct Outcome {
  int code = -1;
  std::string output;  ///< stdout and stderr
  bool says(const std::string& text) const { return output.find(text) != std::string::npos; }
};

Outcome mischief(const std::string& arguments) {
  const auto [code, output] = house::run(WARPLAB_BINARY_DIR "/tests/bin/mischief " + arguments);
  return {code, output};
}

TEST(Program, VerifiesARungAndPrintsItsRow) {
  const Outcome run = mischief("--rung copies");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(run.says("Mischief: what rungs can do wrong")) << run.output;
  EXPECT_TRUE(run.says("yes")) << run.output;
}

TEST(Program, ListsItsRungs) {
  const Outcome run = mischief("--list");
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(run.says("copies            given     what a rung does that copies [float double --block]"))
      << run.output;
  EXPECT_TRUE(run.says("needs sm_1a")) << run.output;
}

TEST(Program, HelpNamesTheFlags) {
  const Outcome run = mischief("--help");
  EXPECT_EQ(run.code, 0);
  for (const char* flag :
       {"--list", "--rung", "--size", "--block", "--grid", "--dtype", "--repeat", "--seed", "--suite",
        "--input", "--json", "--csv", "--in-process", "--lens", "--lens-blocks", "--lens-map"})
    EXPECT_TRUE(run.says(flag)) << flag;
}

TEST(Program, AWrongRungFailsTheRunAndTheOthersGoOn) {
  const Outcome run = mischief("--rung wrong,crashes,todo,copies");
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(run.says("1 of 1000 elements differ")) << run.output;
  EXPECT_TRUE(run.says("crashed with SIG")) << run.output;
  EXPECT_TRUE(run.says("copies")) << run.output;
  EXPECT_TRUE(run.says("yes")) << run.output;
}

TEST(Program, AStubIsShownWithoutFailing) {
  const Outcome run = mischief("--rung todo");
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(run.says("to do")) << run.output;
  EXPECT_TRUE(run.says("mischief_todo: copy the array")) << run.output;
}

TEST(Program, ARungThatWasNotVerifiedIsNotTimed) {
  const ScratchFolder folder;
  const Outcome run = mischief("--rung wrong,silent --json " + (folder / "r.json").string());
  EXPECT_EQ(run.code, 1);
  const auto json = nlohmann::json::parse(content_of(folder / "r.json"));
  ASSERT_EQ(json["measurements"].size(), 2u);
  for (const auto& m : json["measurements"]) {
    EXPECT_EQ(m["status"], "failed");
    EXPECT_EQ(m["verified"], false);
    EXPECT_TRUE(m["time_ms"].is_null());
    EXPECT_EQ(m["not_measured"]["time_ms"], "what is not verified is not timed");
  }
  EXPECT_TRUE(run.says("never written")) << run.output;
}

TEST(Program, RefusalsByNameAreBadInput) {
  EXPECT_EQ(mischief("--rung refuses").code, 2);
  EXPECT_EQ(mischief("--rung silent --block 32").code, 2);
  EXPECT_EQ(mischief("--rung copies --dtype int").code, 2);
  const Outcome run = mischief("--rung a_library --dtype double");
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(run.says("takes float, not double")) << run.output;
}

TEST(Program, WhatTheDeviceLacksIsNotAvailable) {
  const Outcome run = mischief("--rung elsewhere");
  EXPECT_EQ(run.code, 3);
  EXPECT_TRUE(run.says("needs sm_1a")) << run.output;
}

TEST(Program, APeerIsShownWhereItsLibraryIs) {
  const Outcome all = mischief("--size 8 --timeout 1");
  EXPECT_EQ(all.says("a_library"), backend == Backend::cuda) << all.output;
  const Outcome by_name = mischief("--rung a_library");
  EXPECT_EQ(by_name.code, 3);
  EXPECT_TRUE(by_name.says(backend == Backend::cuda ? "Mischief Plus was not found when this was built"
                                                    : "Mischief Plus runs only on a GPU"))
      << by_name.output;
  EXPECT_TRUE(mischief("--list").says("a_library         peer ")) << mischief("--list").output;
}

TEST(Program, AFlagOfTheLabBecomesAParameterOfTheCase) {
  const ScratchFolder folder;
  const Outcome run = mischief("--rung keeps --keep 3 --json " + (folder / "r.json").string());
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(run.says("keep 3 elements")) << run.output;
  EXPECT_EQ(nlohmann::json::parse(content_of(folder / "r.json"))["measurements"][0]["params"]["keep"],
            "3 elements");
  const Outcome negative = mischief("--keep 1001");
  EXPECT_EQ(negative.code, 2);
  EXPECT_TRUE(negative.says("--keep 1001 is out of range; accepted are whole numbers from 0 to 1000"))
      << negative.output;
  EXPECT_TRUE(mischief("--suite published --keep 3").says("--keep does not go with --suite published"));
  EXPECT_TRUE(mischief("--help").says("left as they are"));
}

TEST(Program, WhatAnOutputHeldBeforeIsLeftAndMustBe) {
  const Outcome whole = mischief("--rung copies --keep 3");
  EXPECT_EQ(whole.code, 1);
  EXPECT_TRUE(whole.says("3 of 1000 elements differ")) << whole.output;
  const Outcome nothing = mischief("--rung silent --keep 3");
  EXPECT_TRUE(nothing.says("997 of 1000 elements differ")) << nothing.output;
  EXPECT_EQ(mischief("--rung keeps --keep 1000 --in-process").code, 0);
}

TEST(Program, PicturesGoIntoAFolder) {
  const Outcome run = mischief("--rung copies --pictures /nowhere/at/all");
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(run.says("--pictures /nowhere/at/all is not a folder")) << run.output;
}

TEST(Program, BadInputIsOneSentence) {
  for (const char* arguments : {
           "--rung copie",
           "--size 1x2",
           "--size=-1",
           "--size 99999999999999999999",
           "--block 2048",
           "--dtype quarter",
           "--sizes 4",
           "--repeat no",
           "--size 4000000000000000000",
           "--size 100000000000000",
           "--size 13",
           "--json /nowhere/x.json",
           "--csv /dev",
           "--input /nowhere.npy",
           "--output x.txt",
           "--suite published --size 4",
           "--lens-blocks 0",
           "--lens-blocks -1",
           "--lens-blocks abc",
#ifdef WARPLAB_BACKEND_EMULATOR  // a GPU reports no addresses: there the map is not available at all
           "--lens-map /nowhere/x.svg",
           "--lens-map x.txt",
#endif
       }) {
    const Outcome run = mischief(arguments);
    EXPECT_EQ(run.code, 2) << arguments << ": " << run.output;
    const auto last = run.output.find("mischief: ");
    ASSERT_NE(last, std::string::npos) << arguments << ": " << run.output;
    EXPECT_EQ(run.output.find('\n', last), run.output.size() - 1) << run.output;
  }
  EXPECT_TRUE(mischief("--size 100000000000000").says("memory")) << "too large for any machine";
  EXPECT_TRUE(mischief("--rung copie").says("did you mean copies?"));
  EXPECT_TRUE(mischief("--size 13").says("13 is unlucky"));
}

TEST(Program, SizeZeroIsASize) { EXPECT_EQ(mischief("--rung copies --size 0").code, 0); }

TEST(Program, WritesResults) {
  const ScratchFolder folder;
  const Outcome run = mischief("--rung copies --size 77 --seed 5 --block 32 --json " +
                               (folder / "r.json").string() + " --csv " + (folder / "r.csv").string());
  ASSERT_EQ(run.code, 0) << run.output;
  const auto json = nlohmann::json::parse(content_of(folder / "r.json"));
  const auto& m = json["measurements"][0];
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(m["size"]["n"], 77);
  EXPECT_EQ(m["seed"], 5);
  EXPECT_EQ(m["params"]["block"], "32");
  EXPECT_EQ(m["verified"], true);
  EXPECT_EQ(m["bytes"], 77 * 8);
  EXPECT_EQ(m["backend"], backend == Backend::emulator ? "emulator" : "cuda");
  if (backend == Backend::emulator) {
    EXPECT_TRUE(m["time_ms"].is_null());
    EXPECT_TRUE(m["cpu"].is_null());
    EXPECT_FALSE(m["counts"].is_null());
  } else {
    EXPECT_GT(m["time_ms"]["median"], 0);
    EXPECT_GT(m["speed_of_light"]["value"], 0);
  }
  EXPECT_NE(content_of(folder / "r.csv").find("mischief,copies,rung,"), std::string::npos);
}

TEST(Program, ReplaysPublishedTables) {
  const Outcome run = mischief("--suite published");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(run.says("published in table 1, row 2: titan_x_ms 0.5")) << run.output;
  EXPECT_TRUE(run.says("unavailable")) << "row 3 is larger than any machine: " << run.output;
  EXPECT_TRUE(run.says("memory")) << run.output;
}

TEST(Program, ReplaysOneTableAlone) {
  const Outcome one = mischief("--table 'table 1'");
  EXPECT_EQ(one.code, 0) << one.output;
  EXPECT_TRUE(one.says("published in table 1, row 2")) << one.output;
  EXPECT_FALSE(one.says("row 3")) << one.output;
  const Outcome none = mischief("--table 7");
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(none.says("--table 7: mischief replays no such table; it replays table 1; table 2"))
      << none.output;
  EXPECT_TRUE(mischief("--table 'table 1' --suite sweep").says("--table does not go with --suite sweep"));
  EXPECT_TRUE(mischief("--table 'table 1' --size 3").says("--size does not go with --suite published"));
}

TEST(Program, TakesAndWritesArrays) {
  const ScratchFolder folder;
  HostArray array(DType::f64, {3});
  array.as<double>()[1] = 1.5;
  write_npy(folder / "in.npy", array);
  const Outcome run = mischief("--rung copies --input " + (folder / "in.npy").string() + " --output " +
                               (folder / "out.csv").string());
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(content_of(folder / "out.csv"), "0,1.5,0\n");
  const Outcome other = mischief("--rung copies --size 4 --input " + (folder / "in.npy").string());
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(other.says("holds double of shape (3,), but the first input is double of shape (4,)"))
      << other.output;
}

TEST(Program, RunsInItsOwnProcess) {
  EXPECT_EQ(mischief("--rung copies --in-process").code, 0);
  EXPECT_EQ(mischief("--rung exits --in-process").code, 0);  // nobody is left to notice
}

TEST(Program, ARunEndedFromOutsideKeepsWhatItHadMeasured) {
  const ScratchFolder folder;
  const std::filesystem::path file = folder / "r.json";
  const pid_t program = fork();
  if (program == 0) {
    const std::string command = WARPLAB_BINARY_DIR "/tests/bin/mischief";
    (void)!std::freopen("/dev/null", "w", stdout);
    (void)!std::freopen("/dev/null", "w", stderr);
    execl(command.c_str(), command.c_str(), "--timeout", "2", "--json", file.c_str(), nullptr);
    _exit(127);
  }
  for (int waited = 0; waited < 30000 && !std::filesystem::exists(file); ++waited) usleep(1000);
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  const auto results = nlohmann::json::parse(content_of(file));
  EXPECT_EQ(results["run"]["finished"], false);
  const auto& measurements = results["measurements"];
  ASSERT_GE(measurements.size(), 1);  // how many it saves at a time, the machine's speed decides
  EXPECT_EQ(measurements[0]["rung"], "copies");
  EXPECT_EQ(measurements[0]["status"], "ok");
  EXPECT_NE(measurements.back()["rung"], "elsewhere") << "it had finished";
}

TEST(Program, AHangIsKilled) {
  const Outcome run = mischief("--rung loops --timeout 1");
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(run.says("did not finish within 1 s")) << run.output;
}

}  // namespace
}  // namespace warplab
