// The way to Nsight Compute and back, with a stand-in for ncu: what it is asked for,
// and what becomes of its answers.
#include "harness/program/nsight_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "common/host/bad_input.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/harness/stand_in.hpp"

namespace warplab {
namespace {

Case a_case() {
  Case c;
  c.size = {{"rows", 1024}, {"cols", 64}};
  c.dtype = DType::f64;
  c.block = Extent3{2, 32, 1};
  c.params = {{"launches", 5}};
  return c;
}

std::vector<ProfiledCall> one_call() { return {{"tiled", a_case()}}; }

/// Two calls that were right, the first of one launch and the second of two. What a start was asked for is in
/// the file "calls", one start below the other.
const char* const two_calls =
    "data=" WARPLAB_SOURCE_DIR
    "/tests/lens_report/data\n"
    "column='thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg'\n"
    R"sh(
in_call() { printf '/^"[%s]"/s/"127.0.0.1",/&"1  ""<default domain>:warplab call %s:none"" ",/' $1 $2; }
echo "$*" >>"$folder/asked"
[ "$1" = --import ] || { cat "$WARPLAB_NSIGHT_CALLS_FILE"; echo; } >>"$folder/calls"
[ "$1" = --import ] || printf .. >>"$WARPLAB_NSIGHT_CALLS_FILE.right"
while [ $# -gt 0 ]; do
  case $1 in
    --export) echo report >"$2" ;;
    raw) sed -e "s|\"Host Name\",|&\"$column\",|; s/^\"\",/&\"\",/" -e "$(in_call 0 0)" -e "$(in_call 12 1)" \
      "$data/nsight_raw.csv" ;;
    source) cat "$data/nsight_source.csv" ;;
  esac
  shift
done)sh";

TEST(NsightRun, ReadsTheReportOfOneCallOfEachRung) {
  const StandIn ncu("ncu", two_calls);
  require_nsight();
  const std::vector<NsightOutcome> outcomes =
      profile_with_nsight({{"naive", Case()}, {"tiled", a_case()}}, Options());
  ASSERT_EQ(outcomes.size(), 2u);
  ASSERT_TRUE(outcomes[0].launches && outcomes[1].launches) << outcomes[0].why << outcomes[1].why;
  ASSERT_EQ(outcomes[0].launches->size(), 1u);
  EXPECT_EQ(outcomes[0].launches->at(0).kernel, "transpose_naive<int>");
  ASSERT_EQ(outcomes[1].launches->size(), 2u);
  EXPECT_EQ(outcomes[1].launches->at(0).counts.shared_load.wavefronts, 1048576u);
  const std::string asked = ncu.wrote("asked");
  for (const char* words :
       {"--profile-from-start off", "--clock-control none", "--in-process", "thread_inst_executed_true"})
    EXPECT_NE(asked.find(words), std::string::npos) << asked;

  const std::string started = ncu.wrote("calls");
  EXPECT_EQ(started.find("\n\n"), started.size() - 2) << "one start:\n" << started;
}

TEST(NsightRun, RunsWhatItWasStartedFor) {
  const StandIn ncu("ncu", two_calls);
  profile_with_nsight({{"naive", Case()}, {"tiled", a_case()}, {"padded", Case()}}, Options());
  const ScratchFolder folder;
  const std::string path =
      folder.write("calls", ncu.wrote("calls").substr(0, ncu.wrote("calls").find("\n\n") + 1));
  setenv("WARPLAB_NSIGHT_CALLS_FILE", path.c_str(), 1);
  std::vector<ProfiledCall> ran;
  EXPECT_TRUE(has_calls_to_profile());
  EXPECT_FALSE(run_calls_to_profile([&](const ProfiledCall& call) {
    ran.push_back(call);
    return ran.size() < 2;
  }));
  unsetenv("WARPLAB_NSIGHT_CALLS_FILE");
  ASSERT_EQ(ran.size(), 2u) << "none behind one that was not right";
  EXPECT_EQ(content_of(path + ".right"), ".");
  EXPECT_EQ(ran[0].rung, "naive");
  EXPECT_EQ(ran[1].rung, "tiled");
  const Case& c = ran[1].problem_case;
  EXPECT_EQ(c.size, a_case().size);
  EXPECT_EQ(c.dtype, DType::f64);
  EXPECT_EQ(c.block, a_case().block);
  EXPECT_EQ(c.params, a_case().params);
}

TEST(NsightRun, CallsThatOneStartDoesNotComeToGetTheirOwn) {
  const StandIn ncu("ncu", two_calls);
  const std::vector<NsightOutcome> outcomes =
      profile_with_nsight({{"a", Case()}, {"b", Case()}, {"c", Case()}}, Options());
  ASSERT_EQ(outcomes.size(), 3u);
  for (const NsightOutcome& outcome : outcomes) EXPECT_TRUE(outcome.launches.has_value()) << outcome.why;
  const std::string calls = ncu.wrote("calls");
  EXPECT_EQ(std::count(calls.begin(), calls.end(), '\t'), 3 + 1) << calls;
  EXPECT_EQ(calls.rfind("c\t"), calls.rfind('\t') - 1) << calls;
}

TEST(NsightRun, ACallThatIsNotRightHasNoCountsButAReason) {
  const StandIn ncu("ncu", R"sh(
[ "$1" = --import ] || { echo report >"$5"; echo 'tiled: element 5 is 0' >&2; exit 1; }
printf '"ID","Kernel Name"\n"",""\n"0","tiled(int)"\n')sh");
  const std::vector<NsightOutcome> outcomes = profile_with_nsight(one_call(), Options());
  EXPECT_FALSE(outcomes.at(0).launches.has_value());
  EXPECT_EQ(outcomes.at(0).why, "Nsight Compute failed: tiled: element 5 is 0");
}

TEST(NsightRun, ACallWithoutAKernelHasNoLaunches) {
  const StandIn ncu("ncu", R"sh(
printf . >"$WARPLAB_NSIGHT_CALLS_FILE.right"
echo '==WARNING== No kernels were profiled.')sh");
  const std::vector<NsightOutcome> outcomes = profile_with_nsight(one_call(), Options());
  ASSERT_TRUE(outcomes.at(0).launches.has_value()) << outcomes[0].why;
  EXPECT_TRUE(outcomes[0].launches->empty());
}

TEST(NsightRun, PublishedRowsAreCountedAsAWholeAndEachByItself) {
  const StandIn ncu("ncu", two_calls);
  Options options;
  options.published_suite = true;
  const std::vector<NsightOutcome> outcomes =
      profile_with_nsight({{"naive", Case()}, {"tiled", a_case()}}, options);
  ASSERT_TRUE(outcomes.at(1).launches.has_value()) << outcomes[1].why;
  EXPECT_TRUE(outcomes[1].launches->at(0).lines.empty());
  EXPECT_FALSE(outcomes[1].launches->at(0).rates.empty());
  const std::string asked = ncu.wrote("asked");
  EXPECT_EQ(asked.find("thread_inst_executed"), std::string::npos) << asked;
  EXPECT_EQ(asked.find("--page source"), std::string::npos) << asked;
  const std::string calls = ncu.wrote("calls");
  EXPECT_NE(calls.find("\n\ntiled\t"), std::string::npos) << calls;
}

TEST(NsightRun, SaysOnceWhatAnAdministratorDoes) {
  const StandIn ncu("ncu", R"(echo start >>"$folder/starts"
echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission'; exit 1
)");
  const std::vector<NsightOutcome> outcomes =
      profile_with_nsight({{"naive", Case()}, {"tiled", a_case()}}, Options());
  ASSERT_EQ(outcomes.size(), 2u);
  for (const NsightOutcome& outcome : outcomes) {
    EXPECT_FALSE(outcome.launches.has_value());
    EXPECT_NE(outcome.why.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos) << outcome.why;
  }
  EXPECT_EQ(ncu.wrote("starts"), "start\n");
}

TEST(NsightRun, PassesOnWhatWentWrong) {
  const auto why = [] { return profile_with_nsight(one_call(), Options()).at(0).why; };
  const StandIn fails("ncu", "echo '==ERROR== The driver is too old.' >&2; exit 1\n");
  EXPECT_EQ(why(), "Nsight Compute failed: The driver is too old.");
  const StandIn prints_nothing(
      "ncu", "[ $1 = --import ] || { echo report >\"$5\"; echo >$WARPLAB_NSIGHT_CALLS_FILE.right; }\n");
  EXPECT_EQ(why(), "this is not the raw page of a Nsight Compute report");
}

TEST(NsightRun, WithoutAStarterThereIsNoCall) { EXPECT_FALSE(has_calls_to_profile()); }

}  // namespace
}  // namespace warplab
