// The way to Nsight Compute and back, with a stand-in for ncu: what it is asked for,
// and what becomes of its answers.
#include "harness/program/nsight_run.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "common/host/bad_input.hpp"
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

TEST(NsightRun, ReadsTheReportOfOneCallOfTheRung) {
  const StandIn ncu("ncu", "data=" WARPLAB_SOURCE_DIR
                           "/tests/lens_report/data\n"
                           R"(
echo "$*" >>"$folder/asked"
printf '%s' "$WARPLAB_PROFILED_CASE" >>"$folder/case"
while [ $# -gt 0 ]; do
  case $1 in
    --export) echo report >"$2" ;;
    raw) cat "$data/nsight_raw.csv" ;;
    source) cat "$data/nsight_source.csv" ;;
  esac
  shift
done)");
  require_nsight();
  const NsightOutcome outcome = profile_with_nsight("tiled", a_case(), Options());
  ASSERT_TRUE(outcome.launches.has_value()) << outcome.why;
  ASSERT_EQ(outcome.launches->size(), 3u);
  EXPECT_EQ((*outcome.launches)[1].counts.shared_load.wavefronts, 1048576u);
  const std::string asked = ncu.wrote("asked");
  for (const char* words : {"--profile-from-start off", "--clock-control none", "--rung tiled --in-process"})
    EXPECT_NE(asked.find(words), std::string::npos) << asked;

  EXPECT_NE(asked.find("SourceCounters"), std::string::npos) << asked;

  setenv("WARPLAB_PROFILED_CASE", ncu.wrote("case").c_str(), 1);
  const std::optional<Case> c = case_to_profile();
  unsetenv("WARPLAB_PROFILED_CASE");
  ASSERT_TRUE(c.has_value());
  EXPECT_EQ(c->size, a_case().size);
  EXPECT_EQ(c->dtype, DType::f64);
  EXPECT_EQ(c->block, a_case().block);
  EXPECT_EQ(c->params, a_case().params);
}

TEST(NsightRun, APublishedRowIsCountedAsAWhole) {
  const StandIn ncu("ncu", "data=" WARPLAB_SOURCE_DIR
                           "/tests/lens_report/data\n"
                           R"(
echo "$*" >>"$folder/asked"
[ "$1" = --import ] && exec cat "$data/nsight_raw.csv"
while [ $# -gt 0 ]; do
  [ "$1" = --export ] && echo report >"$2"
  shift
done)");
  Options options;
  options.published_suite = true;
  const NsightOutcome outcome = profile_with_nsight("tiled", a_case(), options);
  ASSERT_TRUE(outcome.launches.has_value()) << outcome.why;
  EXPECT_TRUE((*outcome.launches)[1].lines.empty());
  EXPECT_FALSE((*outcome.launches)[1].rates.empty());
  const std::string asked = ncu.wrote("asked");
  EXPECT_EQ(asked.find("SourceCounters"), std::string::npos) << asked;
  EXPECT_EQ(asked.find("--page source"), std::string::npos) << asked;
}

TEST(NsightRun, SaysWhatAnAdministratorDoes) {
  const StandIn ncu("ncu", "echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission'; exit 1\n");
  const NsightOutcome outcome = profile_with_nsight("tiled", a_case(), Options());
  EXPECT_FALSE(outcome.launches.has_value());
  EXPECT_NE(outcome.why.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos) << outcome.why;
}

TEST(NsightRun, PassesOnWhatWentWrong) {
  const StandIn fails("ncu", "echo '==ERROR== The driver is too old.' >&2; exit 1\n");
  EXPECT_EQ(profile_with_nsight("tiled", a_case(), Options()).why,
            "Nsight Compute failed: The driver is too old.");
  const StandIn prints_nothing("ncu", "[ $1 = --import ] || echo report >\"$4\"\n");
  EXPECT_EQ(profile_with_nsight("tiled", a_case(), Options()).why,
            "this is not the raw page of a Nsight Compute report");
}

TEST(NsightRun, WithoutAStarterThereIsNoCase) { EXPECT_FALSE(case_to_profile().has_value()); }

}  // namespace
}  // namespace warplab
