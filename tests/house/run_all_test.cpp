// What ./run_all.sh promises: bad input gets one sentence before any work, one failing lab does not stop the
// others, and an interrupt leaves nothing behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/house/scratch_tree.hpp"

namespace {

namespace fs = std::filesystem;
using warplab::house::Outcome;
using warplab::house::ScratchTree;
using warplab::house::verified_program;

bool says(const Outcome& outcome, const std::string& text) {
  return outcome.output.find(text) != std::string::npos;
}

struct BadInput {
  const char* name;
  const char* arguments;
  const char* says;
};

class RunAllBadInput : public testing::TestWithParam<BadInput> {};

TEST_P(RunAllBadInput, IsRefusedInOneSentenceBeforeAnyLabIsBuilt) {
  const ScratchTree tree;
  const Outcome outcome = tree.run_all(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
  EXPECT_TRUE(says(outcome, GetParam().says)) << outcome.output;
  EXPECT_FALSE(says(outcome, "[1/")) << outcome.output;
  EXPECT_EQ(tree.count_results(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    House, RunAllBadInput,
    testing::Values(BadInput{"UnknownLab", "--labs alpha,gamma", "unknown lab 'gamma'"},
                    BadInput{"MisspeltLab", "--labs alhpa", "did you mean alpha?"},
                    BadInput{"UnknownLabListsWhatThereIs", "--labs gamma", "there are: alpha, beta"},
                    BadInput{"EmptyLabs", "--labs ,", "unknown lab"},
                    BadInput{"LabsOfNothing", "--labs=", "--labs needs a value"},
                    BadInput{"LabsWithoutAny", "--labs --out x", "--labs needs a value"},
                    BadInput{"OutOfNothing", "--out=", "--out needs a value"},
                    BadInput{"GroupTwice", "--group a --group b", "--group is given twice"},
                    BadInput{"UnknownOption", "--frobnicate", "unknown option '--frobnicate'"},
                    BadInput{"MisspeltOption", "--backand emulator", "did you mean --backend?"},
                    BadInput{"StrayWord", "transpose", "'transpose' is one word too many"},
                    BadInput{"UnknownBackend", "--backend hip",
                             "--backend is 'hip'; it takes one of: auto, cuda, emulator"},
                    BadInput{"UnknownProfile", "--profile nvprof", "none, lens, ncu"},
                    BadInput{"UnknownSuite", "--suite all", "default, published"},
                    BadInput{"RepeatZero", "--repeat 0",
                             "--repeat 0 is out of range; accepted are whole numbers from 1 to 2000"},
                    BadInput{"RepeatNegative", "--repeat -3", "--repeat -3 is out of range"},
                    BadInput{"RepeatWord", "--repeat often", "--repeat often is not a whole number"},
                    BadInput{"GroupWithSlash", "--group ../x", "--group is '../x'"},
                    BadInput{"MissingValue", "--labs", "--labs needs a value"},
                    BadInput{"TestsOfWhat", "--tests some", "--tests takes 'all' or nothing"},
                    BadInput{"UnwritableOut", "--backend emulator --out /proc/warplab/run",
                             "cannot write to /proc/warplab"},
                    BadInput{"OutIsAFile", "--backend emulator --out run_all.sh", "is a file"},
                    BadInput{"OutHoldsSomethingElse", "--backend emulator --out labs",
                             "not a run of warplab"}),
    [](const testing::TestParamInfo<BadInput>& input) { return input.param.name; });

TEST(RunAll, WritesOneRunWithTheFilesThatItsNamesPromise) {
  ScratchTree tree;
  tree.program("alpha", verified_program + "; echo warned >&2");
  const Outcome outcome = tree.run_all("--backend emulator --group G --repeat 7");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  const fs::path run = fs::path("results") / fs::read_symlink(tree.root() / "results/latest");
  EXPECT_EQ(tree.read(run / "alpha-G-none-1.err"), "warned\n");
  EXPECT_FALSE(fs::exists(tree.root() / run / "beta-G-none-1.err")) << "an empty file";
  EXPECT_NE(tree.read(run / "beta-G-none-1.out").find("--repeat 7"), std::string::npos);
  const auto results = nlohmann::json::parse(tree.read(run / "results.json"));
  EXPECT_EQ(results["measurements"].size(), 2u);
  EXPECT_EQ(results["run"]["command"], "./run_all.sh --backend emulator --group G --repeat 7");
  for (const char* key : {"device", "driver", "toolkit", "flags", "cpu_flags", "commit", "date", "host"})
    EXPECT_TRUE(results["run"].contains(key)) << key;
  EXPECT_FALSE(fs::exists(tree.root() / run / "parts"));
  EXPECT_NE(tree.read(run / "report.html").find("alpha"), std::string::npos);
  EXPECT_TRUE(says(outcome, "report: " + (run / "report.html").string())) << outcome.output;
  EXPECT_EQ(tree.count_results(), 2) << "the run and the link to it";
  const std::string last = outcome.output.substr(outcome.output.rfind('\n', outcome.output.size() - 2) + 1);
  EXPECT_EQ(last.rfind("next: ", 0), 0u) << last;
}

TEST(RunAll, NamesTheFirstExerciseThatIsToDoWithoutFailing) {
  ScratchTree tree;
  tree.program(
      "beta",
      R"(echo '{"measurements": [{"lab": "beta", "rung": "tiled", "status": "todo", "why": "load the tile"}]}' >"$json")");
  std::ofstream(tree.root() / "labs/02_beta/tasks.json")
      << R"({"lab": "beta", "tasks": [{"id": "second", "rung": "tiled", "file": "beta_tiled.cu"}]})";
  const Outcome outcome = tree.run_all("--backend emulator");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(says(outcome, "beta tiled: load the tile")) << outcome.output;
  EXPECT_TRUE(says(
      outcome,
      "next: ./run_all.sh --labs beta  # once you have written labs/02_beta/beta_tiled.cu (task second of"))
      << outcome.output;
}

TEST(RunAll, NamesWhatTheLensFoundInARightRung) {
  ScratchTree tree;
  tree.program("beta", R"(cat >"$json" <<'END'
{"measurements": [{"lab": "beta", "rung": "tiled", "status": "ok", "verified": true, "lens": {"findings": [
  {"kind": "race", "file": "beta_tiled.cu", "line": 7, "text": "two threads write"}]}}]}
END
exit 1)");
  const Outcome outcome = tree.run_all("--backend emulator --profile lens");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_TRUE(says(outcome, "yes, 1 finding")) << outcome.output;
  EXPECT_TRUE(says(outcome, "beta tiled: beta_tiled.cu:7: race: two threads write")) << outcome.output;
  EXPECT_TRUE(says(outcome, "beta --rung tiled --lens")) << outcome.output;
}

TEST(RunAll, NumbersTheRunsOfADay) {
  const ScratchTree tree;
  ASSERT_EQ(tree.run_all("--backend emulator").exit_code, 0);
  ASSERT_EQ(tree.run_all("--backend emulator").exit_code, 0);
  EXPECT_EQ(tree.count_results(), 3) << "two runs and the link";
  EXPECT_EQ(fs::read_symlink(tree.root() / "results/latest").string().back(), '2');
}

TEST(RunAll, KeepsTheResultsOfARunThatBeginsAndEndsDuringAnother) {
  ScratchTree tree;
  tree.program("alpha", "[[ -e inner ]] || { touch inner; ./run_all.sh --backend emulator --labs beta; }\n" +
                            verified_program);
  const Outcome outcome = tree.run_all("--backend emulator --labs alpha");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(tree.count_results(), 3) << "two runs and the link";
  EXPECT_TRUE(says(outcome, "-1/results.json")) << outcome.output;
  std::string runs;
  for (const auto& entry : fs::recursive_directory_iterator(tree.root() / "results"))
    if (entry.path().extension() == ".out")
      runs += entry.path().parent_path().string().back() + (" " + entry.path().filename().string() + "\n");
  EXPECT_NE(runs.find("1 alpha-emulator-none-1.out\n"), std::string::npos) << runs;
  EXPECT_NE(runs.find("2 beta-emulator-none-2.out\n"), std::string::npos) << runs;
}

TEST(RunAll, ReplacesAnEarlierRunAtOut) {
  const ScratchTree tree;
  ASSERT_EQ(tree.run_all("--backend emulator --out results/mine").exit_code, 0);
  ASSERT_EQ(tree.run_all("--backend emulator --labs beta --out results/mine").exit_code, 0);
  EXPECT_FALSE(fs::exists(tree.root() / "results/mine/alpha-emulator-none-1.out"));
  EXPECT_TRUE(fs::exists(tree.root() / "results/mine/beta-emulator-none-1.out"));
  EXPECT_EQ(tree.count_results(), 1);
}

TEST(RunAll, GoesOnAfterALabThatFails) {
  ScratchTree tree;
  tree.program("alpha", "echo 'naive: 3 of 64 elements differ' >&2; exit 1");
  const Outcome outcome = tree.run_all("--backend emulator --out results/mine");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_TRUE(says(outcome, "3 of 64 elements differ"));
  const auto results = nlohmann::json::parse(tree.read("results/mine/results.json"));
  ASSERT_EQ(results["measurements"].size(), 2u);
  EXPECT_EQ(results["measurements"][0]["status"], "failed");
  EXPECT_EQ(results["measurements"][0].value("why", ""),
            "the program ended with exit code 1: naive: 3 of 64 elements differ");
  EXPECT_NE(tree.read("results/mine/results.csv").find("alpha"), std::string::npos);
  EXPECT_EQ(results["measurements"][1]["status"], "ok");
}

TEST(RunAll, ReportsTheSignalOfALabThatCrashes) {
  ScratchTree tree;
  tree.program("alpha", "kill -SEGV $$");
  const Outcome outcome = tree.run_all("--backend emulator --out results/mine");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  const auto results = nlohmann::json::parse(tree.read("results/mine/results.json"));
  EXPECT_EQ(results["measurements"][0].value("why", ""), "the program was ended by signal 11");
}

TEST(RunAll, PassesOnThatALabIsNotAvailableOrIsWarplabsOwnFault) {
  ScratchTree tree;
  tree.program("beta", "echo 'needs sm_90' >&2; exit 3");
  EXPECT_EQ(tree.run_all("--backend emulator").exit_code, 3);
  tree.program("alpha", "exit 4");
  EXPECT_EQ(tree.run_all("--backend emulator").exit_code, 4);
}

/// Of alpha a rung does not build, of beta the program.
constexpr const char* ninja_file = R"(rule link
  command = false
build always: phony
build lib/warplab/alpha/naive.so: link always
build bin/beta: link always
build alpha__naive: phony lib/warplab/alpha/naive.so
build alpha__tiled: phony
build alpha__naive__lens: phony
build alpha__tiled__lens: phony
build alpha_program: phony
build beta_program: phony bin/beta
build alpha: phony alpha__naive alpha__tiled alpha_program
build beta_without_lens: phony beta_program
build warplab_worker: phony
build warplab_run: phony
build warplab_results: phony
)";

TEST(RunAll, RunsNothingOldInsteadOfWhatDidNotBuild) {
  ScratchTree tree;
  const fs::path modules = tree.root() / "build/emulator/lib/warplab/alpha";
  fs::create_directories(modules);
  for (const char* module : {"naive.so", "naive.lens.so", "tiled.so"})
    std::ofstream(modules / module) << "old";
  std::ofstream(tree.root() / "build/emulator/build.ninja") << ninja_file;
  std::ofstream(tree.root() / "build/emulator/CMakeCache.txt")
      << "CMAKE_HOME_DIRECTORY:INTERNAL=" << tree.root().string() << "\n";
  // This machine's ninja, wherever it is installed.
  std::string ninja = warplab::house::run("command -v ninja").output;
  ninja = ninja.substr(0, ninja.find('\n'));
  ASSERT_TRUE(fs::exists(ninja)) << "there is no ninja";
  tree.tool("cmake", R"sh([[ $1 == --version ]] && echo cmake version 3.25.1 && exit
[[ $1 == --build && $4 == --target ]] && PATH=/usr/local/bin:/usr/bin:/bin exec ')sh" +
                         ninja + R"sh(' -C build/emulator -k 0 "$5")sh");
  const Outcome outcome = tree.run_all("--backend emulator --out results/mine");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_FALSE(fs::exists(modules / "naive.so"));
  EXPECT_FALSE(fs::exists(modules / "naive.lens.so"));
  EXPECT_TRUE(fs::exists(modules / "tiled.so"));
  EXPECT_TRUE(says(outcome, "next: cmake --build --preset emulator --target alpha\n")) << outcome.output;
  const auto results = nlohmann::json::parse(tree.read("results/mine/results.json"));
  EXPECT_EQ(results["measurements"][0]["status"], "ok");
  EXPECT_EQ(results["measurements"][1]["status"], "not_built");
  EXPECT_EQ(results["measurements"][1].value("why", ""), "the program did not build");
}

/// Has cmake write the targets that are built to the file `order`.
void log_builds(ScratchTree& tree) {
  tree.tool("cmake", R"sh([[ $1 == --version ]] && echo cmake version 3.25.1
[[ $1 == --preset ]] && touch build/emulator/build.ninja
[[ $1 != --build ]] || echo "build $5" >>)sh" +
                         (tree.root() / "order").string());
}

TEST(RunAll, BuildsWhatTheLensWatchesOnlyWhereItIsAskedForOrWouldBeOld) {
  ScratchTree tree;
  log_builds(tree);
  const auto builds = [&](const std::string& arguments) {
    fs::remove(tree.root() / "order");
    EXPECT_EQ(tree.run_all("--backend emulator " + arguments).exit_code, 0);
    return tree.read("order");
  };
  const std::string start = "build warplab_run\n", end = "build warplab_results\n";
  EXPECT_EQ(builds(""), start + "build alpha_without_lens\nbuild beta_without_lens\n" + end);
  EXPECT_EQ(builds("--profile lens"), start + "build alpha\nbuild beta\n" + end);
  EXPECT_EQ(builds("--labs beta"), start + "build beta\n" + end);
  const fs::path modules = tree.root() / "build/emulator/lib/warplab/alpha";
  fs::create_directories(modules);
  std::ofstream(modules / "naive.lens.so") << "old";
  EXPECT_EQ(builds(""), start + "build alpha\nbuild beta_without_lens\n" + end);
}

TEST(RunAll, RunsALabBeforeTheNextIsBuilt) {
  ScratchTree tree;
  log_builds(tree);
  const std::string log = (tree.root() / "order").string();
  for (const char* lab : {"alpha", "beta"}) tree.program(lab, verified_program + "; echo run $lab >>" + log);
  EXPECT_EQ(tree.run_all("--backend emulator").exit_code, 0);
  EXPECT_EQ(tree.read("order"),
            "build warplab_run\nbuild alpha_without_lens\nrun alpha\nbuild beta_without_lens\nrun beta\n"
            "build warplab_results\n");
}

TEST(RunAll, TakesTheLabsOfEveryOption) {
  const ScratchTree tree;
  const Outcome outcome =
      tree.run_all("--backend emulator --labs 02_beta --labs alpha,beta --out results/mine");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  const auto results = nlohmann::json::parse(tree.read("results/mine/results.json"));
  ASSERT_EQ(results["measurements"].size(), 2u);
  EXPECT_EQ(results["measurements"][0]["lab"], "beta");
}

TEST(RunAll, CallsAFailureByTheSameWordAsTheLabsProgram) {
  ScratchTree tree;
  tree.program("beta", R"(cat >"$json" <<'END'
{"measurements": [{"lab": "beta", "rung": "tiled", "status": "failed", "why": "3 differ"},
  {"lab": "beta", "rung": "naive", "status": "ok", "verified": true, "time_ms": {"median": 1}, "gb_per_s": 1234.5,
   "speed_of_light": {"what": "copy", "unit": "GB/s", "value": 2469, "fraction": 0.5}}]}
END
exit 1)");
  const Outcome outcome = tree.run_all("--backend emulator");
  EXPECT_TRUE(says(outcome, "FAILED")) << outcome.output;
  EXPECT_TRUE(says(outcome, "1234 GB/s  50.0 %\n")) << outcome.output;
  EXPECT_TRUE(says(outcome, "beta tiled: 3 differ")) << outcome.output;
}

TEST(RunAll, FindsOutFromTheFolderThatItIsCalledIn) {
  const ScratchTree tree;
  fs::create_directories(tree.root() / "elsewhere");
  const Outcome outcome =
      warplab::house::run("cd '" + (tree.root() / "elsewhere").string() + "' && env -i PATH='" +
                          (tree.root() / "tools").string() + "' ../run_all.sh --backend emulator --out mine");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(fs::exists(tree.root() / "elsewhere/mine/results.json"));
}

/// Starts a run whose program writes its process's number into "started", and sends SIGINT to it and its
/// script.
/// @return the script's exit code
int interrupted(const ScratchTree& tree, const std::string& options) {
  const std::string command = tree.command_line(options + " >" + (tree.root() / "log").string() + " 2>&1");
  const pid_t script = fork();
  if (script == 0) {
    execl("/bin/bash", "bash", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  const auto wait_until = [](auto condition) {
    for (int i = 0; i < 500 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return condition();
  };
  EXPECT_TRUE(wait_until([&] { return !tree.read("started").empty(); })) << tree.read("log");
  const pid_t program = std::stoi("0" + tree.read("started"));
  kill(script, SIGINT);
  int status = 0;
  waitpid(script, &status, 0);
  EXPECT_TRUE(wait_until([&] { return kill(program, 0) != 0; })) << "the lab's program still runs";
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(RunAll, InterruptLeavesNoResultAndNoProcess) {
  ScratchTree tree;
  tree.program("alpha", "echo $$ >" + (tree.root() / "started").string() + "; sleep 60");
  EXPECT_EQ(interrupted(tree, "--backend emulator"), 130) << tree.read("log");
  EXPECT_EQ(tree.count_results(), 0);
}

TEST(RunAll, InterruptKeepsWhatRanBefore) {
  ScratchTree tree;
  tree.program("beta", "echo half; echo $$ >" + (tree.root() / "started").string() + "; sleep 60");
  EXPECT_EQ(interrupted(tree, "--backend emulator --out results/mine"), 130) << tree.read("log");
  EXPECT_NE(tree.read("log").find("interrupted in beta; what ran before was written"), std::string::npos)
      << tree.read("log");
  const auto results = nlohmann::json::parse(tree.read("results/mine/results.json"));
  ASSERT_EQ(results["measurements"].size(), 1u);
  EXPECT_EQ(results["measurements"][0]["lab"], "alpha");
  for (const auto& entry : fs::directory_iterator(tree.root() / "results/mine"))
    EXPECT_FALSE(entry.path().filename().string().starts_with("beta")) << entry.path();
}

TEST(RunAll, TakesTheEmulatorWithoutAGpuAndSaysWhy) {
  ScratchTree tree;
  const Outcome no_gpu = tree.run_all("");
  EXPECT_EQ(no_gpu.exit_code, 0) << no_gpu.output;
  EXPECT_TRUE(says(no_gpu, "backend: emulator, CUDA on this CPU (nvcc 13.0 is here, but no working GPU"))
      << no_gpu.output;
  tree.tool("nvcc", "echo 'Cuda compilation tools, release 11.8, V11.8.89'");
  EXPECT_TRUE(says(tree.run_all(""), "nvcc is 11.8 and CUDA Toolkit 12.4 or later is needed"));
}

TEST(RunAll, TakesTheGpuWhereThereIsOne) {
  ScratchTree tree;
  tree.tool("nvidia-smi", "echo NVIDIA H100 80GB HBM3");
  const Outcome outcome = tree.run_all("");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(says(outcome, "backend: cuda (nvcc 13.0 and NVIDIA H100 80GB HBM3)")) << outcome.output;
}

TEST(RunAll, SaysThatCudaIsNotAvailable) {
  const ScratchTree tree;
  const Outcome outcome = tree.run_all("--backend cuda");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.output;
  EXPECT_TRUE(says(outcome, "--backend emulator runs on any machine"));
  EXPECT_EQ(tree.run_all("--backend emulator --profile ncu").exit_code, 3);
}

TEST(RunAll, AsksTheProgramsForTheLens) {
  const ScratchTree tree;
  ASSERT_EQ(tree.run_all("--backend emulator --profile lens --out results/mine").exit_code, 0);
  EXPECT_NE(tree.read("results/mine/alpha-emulator-lens-1.out").find("--lens"), std::string::npos);
}

TEST(RunAll, PutsTheProfilersTextBesideTheResults) {
  ScratchTree tree;
  tree.tool("nvidia-smi", "echo NVIDIA H100 80GB HBM3");
  EXPECT_EQ(tree.run_all("--backend cuda --profile ncu").exit_code, 3) << "there is no ncu";
  EXPECT_EQ(tree.run_all("--backend cuda --profile lens").exit_code, 3) << "there is no ncu";
  tree.tool("ncu", R"(arguments=("$@")
for ((i = 0; i < $#; i++)); do
  [[ ${arguments[i]} == --log-file ]] && log=${arguments[i + 1]}
  [[ ${arguments[i]} == */bin/* ]] && break
done
echo "profiled $WARPLAB_PROFILE_CALLS" >"$log"
exec "${arguments[@]:i}")");
  const Outcome outcome = tree.run_all("--backend cuda --profile ncu --group G --out results/mine");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(tree.read("results/mine/alpha-G-ncu-1.err"), "profiled 1\n");
  EXPECT_NE(tree.read("results/mine/alpha-G-ncu-1.out").find("called with"), std::string::npos);
  EXPECT_EQ(tree.run_all("--backend cuda --profile lens --out results/other").exit_code, 0);
  EXPECT_NE(tree.read("results/other/alpha-cuda-lens-1.out").find("--lens"), std::string::npos);
}

TEST(RunAll, GivesTheCommandThatInstallsAMissingTool) {
  ScratchTree tree;
  tree.remove_tool("ninja");
  const Outcome outcome = tree.run_all("--backend emulator");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.output;
  EXPECT_TRUE(says(outcome, "apt-get install --no-install-recommends ninja-build")) << outcome.output;
  EXPECT_EQ(tree.count_results(), 0);
}

TEST(RunAll, LetsCMakeFetchAMissingLibrary) {
  ScratchTree tree;
  tree.tool("dpkg-query", "[[ ${*: -1} == libfmt-dev ]] || echo installed");
  const Outcome outcome = tree.run_all("--backend emulator");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(says(outcome, "not installed: libfmt-dev; CMake will try to fetch them")) << outcome.output;
}

TEST(RunAll, IsUnavailableWhereCMakeLacksPackagesWhateverItsMessageSays) {
  ScratchTree tree;
  const auto failing = [](const std::string& more) {
    return "[[ $1 == --version ]] && echo cmake version 3.25.1 && exit 0\n" + more + "echo No.; exit 1";
  };
  tree.tool("cmake", failing("echo libfmt-dev >build/emulator/missing_packages.txt\n"));
  EXPECT_EQ(tree.run_all("--backend emulator").exit_code, 3);
  tree.tool("cmake", failing(""));
  EXPECT_EQ(tree.run_all("--backend emulator").exit_code, 4) << "the file was of an earlier run";
}

TEST(RunAll, SaysThatCMakeIsTooOld) {
  ScratchTree tree;
  tree.tool("cmake", "echo cmake version 3.22.1");
  const Outcome outcome = tree.run_all("--backend emulator");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.output;
  EXPECT_TRUE(says(outcome, "CMake 3.24 or later is needed and this is 3.22.1")) << outcome.output;
}

TEST(RunAllTests, RunsTheStandardTierUnlessAskedForAll) {
  ScratchTree tree;
  tree.tool("ctest", "echo ctest \"$*\"");
  EXPECT_TRUE(says(tree.run_all("--backend emulator --tests"), "-LE [.]long$"));
  const Outcome all = tree.run_all("--backend emulator --tests all");
  EXPECT_EQ(all.exit_code, 0) << all.output;
  EXPECT_FALSE(says(all, "-LE")) << all.output;
  EXPECT_TRUE(says(tree.run_all("--backend emulator --tests --labs beta"), "-L ^(beta)[.]"));
}

TEST(RunAllTests, FailsWhenATestFails) {
  ScratchTree tree;
  tree.tool("ctest", "exit 8");
  EXPECT_EQ(tree.run_all("--backend emulator --tests").exit_code, 1);
}

}  // namespace
