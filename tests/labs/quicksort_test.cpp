// Lab 11: what its rungs promise beyond matching the reference: launches, depth, refused launches, the order
// of floating-point keys, refusals, and its replay of what the source claims.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>

#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "common/host/bad_input.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/rung_module.hpp"
#include "harness/testing/test_support.hpp"
#include "labs/11_quicksort/quicksort_shape.hpp"
#include "lens/merge.hpp"
#include "reference/quicksort.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

enum Pattern {
  random_keys,
  sorted,
  reversed,
  equal,
  organ_pipe,
  few,
  special,
  killer_first,
  killer_ninther = 10,
  killer_own
};

constexpr unsigned quicksort_base_keys = QuicksortLevels::base;

const Problem& problem() { return problem_of("quicksort"); }

Case case_of(std::int64_t n, Pattern pattern = random_keys, DType dtype = DType::i32) {
  Case c = problem().default_case(Backend::emulator);
  c.size = {{"n", n}};
  c.dtype = dtype;
  c.set_param("pattern", pattern);
  return c;
}

/// The rungs that are ours, and the peers where they were built.
std::vector<Rung> built_rungs() {
  std::vector<Rung> rungs = problem().rungs();
  std::erase_if(rungs, [](const Rung& rung) {
    return !rung.peer_of.empty() && !std::filesystem::exists(module_path("quicksort", rung.name));
  });
  return rungs;
}

/// Calls a rung in this process.
template <class T>
std::vector<T> sort(const std::string& rung, const std::vector<T>& in, std::size_t pending_limit = 0,
                    std::size_t workspace_bytes = std::size_t{66} << 20) {
  const std::size_t bytes = sizeof(T) * in.size();
  const auto n = static_cast<std::int64_t>(in.size());
  const DeviceBuffer from(bytes), to(bytes), workspace(workspace_bytes);
  CUDA_CHECK(cudaMemcpy(from.data(), in.data(), bytes, cudaMemcpyHostToDevice));
  Call call;
  call.problem_case = case_of(n, random_keys, dtype_of<T>());
  call.inputs = {{dtype_of<T>(), n, from.data()}};
  call.outputs = {{dtype_of<T>(), n, to.data()}};
  call.workspace = workspace.data();
  call.workspace_bytes = workspace_bytes;
  const RungModule module(module_path("quicksort", rung));
  module.call(call);
  // The emulator begins when somebody waits: until then a lower limit takes effect.
  if (pending_limit != 0)
    CUDA_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, pending_limit));
  CUDA_CHECK(cudaDeviceSynchronize());
  std::vector<T> out(in.size());
  CUDA_CHECK(cudaMemcpy(out.data(), to.data(), bytes, cudaMemcpyDeviceToHost));
  for (const DeviceBuffer* b : {&from, &to, &workspace}) EXPECT_EQ(b->check_guards(), std::nullopt);
  return out;
}

std::vector<int> shuffled(int n) {
  std::vector<int> keys(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) keys[static_cast<std::size_t>(i)] = static_cast<int>(i * 7919ll % 100'003);
  return keys;
}

/// What the lens counted in one call, which must be right. Empty on a GPU.
std::vector<lens::Launch> recorded(const std::string& rung, const Case& c) {
  return record_rung(problem(), rung_of(problem(), rung), c);
}

unsigned depth_of(const std::vector<lens::Launch>& launches) {
  unsigned depth = 0;
  for (const lens::Launch& launch : launches)
    for (const lens::Descendant& d : launch.descendants) depth = std::max(depth, d.depth);
  return depth;
}

#define NEEDS_LENS(launches) \
  if (launches.empty()) GTEST_SKIP() << "the lens needs the emulator"

TEST(Quicksort, EveryRungSortsALiteral) {
  for (const Rung& rung : built_rungs()) {
    EXPECT_EQ(sort<int>(rung.name, {3, 5, 1}), (std::vector<int>{1, 3, 5})) << rung.name;
    EXPECT_EQ(sort<int>(rung.name, {5, 3, 1, 3, 5, 3}), (std::vector<int>{1, 3, 3, 3, 5, 5})) << rung.name;
    EXPECT_EQ(sort<double>(rung.name, {0.5, -2, 1e300}), (std::vector<double>{-2, 0.5, 1e300})) << rung.name;
    EXPECT_EQ(sort<int>(rung.name, {}), std::vector<int>{}) << rung.name;
  }
}

TEST(Quicksort, MinusZeroComesFirstAndNansComeLast) {
  const auto check = []<class T>(T) {
    using limits = std::numeric_limits<T>;
    const T nan = limits::quiet_NaN(), infinity = limits::infinity();
    const std::vector<T> in = {
        -nan, 0, nan, infinity, -T(0), 1, -infinity, limits::denorm_min(), limits::lowest()};
    const std::vector<T> want = {-infinity, limits::lowest(), -T(0), 0,   limits::denorm_min(),
                                 1,         infinity,         nan,   -nan};
    for (const Rung& rung : built_rungs()) {
      const std::vector<T> out = sort<T>(rung.name, in);
      EXPECT_EQ(std::memcmp(out.data(), want.data(), sizeof(T) * want.size()), 0) << rung.name << sizeof(T);
    }
  };
  check(float());
  check(double());
}

// ---- launches

TEST(QuicksortRecursive, LaunchesTwiceForEachKeyAndOnceMore) {
  for (const Pattern pattern : {random_keys, sorted, equal}) {
    const auto launches = recorded("recursive", case_of(100, pattern));
    NEEDS_LENS(launches);
    EXPECT_EQ(lens::count_of(launches), 201u) << pattern;
  }
  // Each level of a sorted input ends one key; the last one launches for what is empty.
  EXPECT_EQ(depth_of(recorded("recursive", case_of(100, sorted))), 100u);
  EXPECT_LT(depth_of(recorded("recursive", case_of(100))), 40u);
}

TEST(QuicksortRecursive, LosesNoKeyWhenLaunchesAreRefused) {
  if (backend == Backend::cuda) GTEST_SKIP() << "a GPU begins before the limit can be lowered";
  std::vector<int> keys = shuffled(700);
  for (const std::size_t limit : {1u, 2u, 3u, 20u}) {
    const std::vector<int> out = sort("recursive", keys, limit);
    std::vector<int> expected = keys;
    std::ranges::sort(expected);
    EXPECT_EQ(out, expected) << limit;
  }
}

TEST(QuicksortSmallRanges, LaunchesFourTimesPerThousandKeys) {
  const auto launches = recorded("small_ranges", case_of(16384));
  NEEDS_LENS(launches);
  // 4 (n + 1) / (1024 + 2) - 1 = 62.9 on average; this seed's tree is one of many.
  EXPECT_GT(lens::count_of(launches), 35u);
  EXPECT_LT(lens::count_of(launches), 100u);
  EXPECT_EQ(lens::count_of(recorded("small_ranges", case_of(1024))), 1u);
}

TEST(QuicksortSmallRanges, WaitsForTheBlockBeforeLongStepsOnly) {
  const auto launches = recorded("small_ranges", case_of(1024));
  NEEDS_LENS(launches);
  std::uint64_t barriers = 0;
  for (const lens::Launch& launch : launches) barriers += launch.counts.barriers;
  EXPECT_LE(barriers, 16u * 20u) << "16 warps at about 17 barriers each";
}

TEST(QuicksortBlockPartition, LoadsEachKeyOncePerLevel) {
  const auto launches = recorded("block_partition", case_of(16384));
  NEEDS_LENS(launches);
  // The first level has one launch, by the host: 2048 sectors, one more per warp where tiles begin one key
  // later, and one per warp for the pivot.
  const lens::Launch& first = launches.front();
  EXPECT_EQ(first.kernel.find("base"), std::string::npos);
  EXPECT_LE(first.counts.global_load.sectors, 16384u / 8 + 16384u / 32 + 32);
  EXPECT_LE(first.counts.global_store.sectors, 16384u / 8 + 2 * 16384u / 32 + 1);
}

TEST(QuicksortBlockPartition, LosesNoKeyWhenLaunchesAreRefused) {
  if (backend == Backend::cuda) GTEST_SKIP() << "a GPU begins before the limit can be lowered";
  std::vector<int> keys = shuffled(20'000), expected = keys;
  std::ranges::sort(expected);
  for (const std::size_t limit : {1u, 2u, 5u})
    for (const char* rung : {"small_ranges", "block_partition", "three_way"})
      EXPECT_EQ(sort(rung, keys, limit), expected) << rung << " " << limit;
}

TEST(QuicksortThreeWay, EqualKeysNeedOneLaunch) {
  const auto launches = recorded("three_way", case_of(16384, equal));
  NEEDS_LENS(launches);
  EXPECT_EQ(lens::count_of(launches), 1u);
}

TEST(QuicksortThreeWay, GoesNoDeeperThanItsLimit) {
  const std::int64_t n = 8192;
  const auto launches = recorded("three_way", case_of(n, killer_ninther));
  NEEDS_LENS(launches);
  // 2 log2(n / 1024) levels, the first of which the host launches, and a range that they leave.
  EXPECT_LE(depth_of(launches), 2u * static_cast<unsigned>(quicksort_log2(n / 1024 + 1)) + 1);
  EXPECT_LE(depth_of(recorded("three_way", case_of(16384, sorted))), 5u)
      << "a median of sorted keys halves them";
}

TEST(QuicksortKillerOwn, MakesEveryPivotTheWorstOne) {
  const std::int64_t n = 1400;
  const auto launches = recorded("block_partition", case_of(n, killer_own));
  NEEDS_LENS(launches);
  // One key per level is cut off, down to 1024 of them.
  EXPECT_GE(depth_of(launches), n - quicksort_base_keys - 5);
  EXPECT_LT(depth_of(recorded("block_partition", case_of(n))), 10u);
  EXPECT_GE(depth_of(recorded("recursive", case_of(300, killer_own))), 295u);
}

TEST(QuicksortKillerOwn, MeetsTheLimitOfDepth) {
  const std::int64_t n = 2100;
  const auto launches = recorded("three_way", case_of(n, killer_own));
  NEEDS_LENS(launches);
  EXPECT_EQ(depth_of(launches), 2u * static_cast<unsigned>(quicksort_log2(n / 1024 + 1)) + 1);
}

TEST(QuicksortKillerOwn, IsAShuffleOfIntsThatEveryRungSorts) {
  const HostArray in = problem().inputs(case_of(500, killer_own)).at(0);
  std::vector<int> keys(in.as<int>().begin(), in.as<int>().end());
  EXPECT_FALSE(std::ranges::is_sorted(keys));
  std::ranges::sort(keys);
  for (int i = 0; i < 500; ++i) ASSERT_EQ(keys[static_cast<std::size_t>(i)], i);
  EXPECT_THROW(problem().inputs(case_of(500, killer_own, DType::f32)), std::invalid_argument);
  EXPECT_THROW(problem().inputs(case_of(20'001, killer_own)), std::invalid_argument);
  for (const char* rung : {"recursive", "level_synchronous", "radix"})
    recorded(rung, case_of(500, killer_own));  // which checks the result
}

TEST(QuicksortLevelSynchronous, LaunchesFromTheHostAlone) {
  const std::int64_t n = 16384;
  const auto launches = recorded("level_synchronous", case_of(n));
  NEEDS_LENS(launches);
  EXPECT_EQ(depth_of(launches), 0u);
  EXPECT_EQ(lens::count_of(launches), static_cast<std::uint64_t>(QuicksortLevels(n, 4).levels) + 2);
}

TEST(QuicksortLevelSynchronous, ReservesPlacesOncePerTile) {
  const std::int64_t n = 16384;
  const auto launches = recorded("level_synchronous", case_of(n));
  NEEDS_LENS(launches);
  std::uint64_t atomics = 0;
  for (const lens::Launch& launch : launches) atomics += launch.counts.global_atomics.lanes;
  // Three per tile, and a few per range: 8 tiles and more at each of at most 8 levels.
  EXPECT_LT(atomics, 600u);
}

TEST(QuicksortRadix, LaunchesAsOftenForAnyInput) {
  for (const Pattern pattern : {random_keys, sorted, equal}) {
    const auto launches = recorded("radix", case_of(20'000, pattern));
    NEEDS_LENS(launches);
    EXPECT_EQ(lens::count_of(launches), 6u);
  }
}

TEST(QuicksortLens, FindsNothingWrongWithAnyRung) {
  for (const Rung& rung : problem().rungs()) {
    if (!rung.peer_of.empty()) continue;
    const std::int64_t n = rung.name == "recursive" ? 301 : 5003;
    for (const Case& c : {case_of(n), case_of(n, few, DType::f32), case_of(n / 2, special, DType::f64)})
      for (const lens::Launch& launch : recorded(rung.name, c))
        for (const lens::Finding& finding : launch.findings)
          ADD_FAILURE() << rung.name << ": " << name_of(finding.kind) << " at " << finding.file << ":"
                        << finding.line << ": " << finding.text;
  }
}

// ---- what is refused

/// What the rung says to this launch; "" if it takes it.
std::string refusal(const std::string& rung, std::int64_t n, std::size_t workspace_bytes) {
  Call call;
  int key = 0;
  call.problem_case = case_of(n);
  call.inputs = {{DType::i32, n, &key}};
  call.outputs = {{DType::i32, n, &key}};
  call.workspace_bytes = workspace_bytes;
  try {
    RungModule(module_path("quicksort", rung)).call(call);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(Quicksort, EveryRungRefusesSizesOutsideOfItsBounds) {
  for (const Rung& rung : built_rungs()) {
    EXPECT_EQ(refusal(rung.name, -1, 0), "n is -1; it must be 0 or more") << rung.name;
    EXPECT_EQ(refusal(rung.name, 1'000'000'001, 0), "n is 1000000001; this lab sorts at most 1000000000 keys")
        << rung.name;
    if (rung.name != "recursive" && rung.name != "small_ranges" && rung.peer_of.empty()) {
      EXPECT_TRUE(refusal(rung.name, 5000, 8).starts_with("a workspace of 8 bytes is too small: "))
          << rung.name;
    }
  }
  EXPECT_THROW(problem().inputs(case_of(-1)), std::invalid_argument);
  EXPECT_THROW(problem().inputs(case_of(1'000'000'001)), std::invalid_argument);
  EXPECT_THROW(problem().inputs(case_of(20'001, killer_ninther)), std::invalid_argument);
}

TEST(Quicksort, TheProgramRefusesBadInputInASentence) {
  const auto refused = [](const std::string& arguments, const std::string& sentence) {
    const auto outcome = house::run("'" WARPLAB_BINARY_DIR "/bin/quicksort' " + arguments + " 2>&1");
    EXPECT_EQ(outcome.exit_code, 2) << arguments << "\n" << outcome.output;
    EXPECT_NE(outcome.output.find(sentence), std::string::npos) << arguments << "\n" << outcome.output;
  };
  refused("--size -5", "--size");
  refused("--size 2000000000", "this lab sorts at most 1000000000 keys");
  refused("--pattern zigzag", "zigzag");
  refused("--size 30000 --pattern killer_median", "made for at most 20000 keys");
}

// ---- the problem

TEST(QuicksortProblem, PatternsAreWhatTheyAreCalled) {
  const auto keys = [](Pattern pattern) {
    const HostArray in = problem().inputs(case_of(1000, pattern)).at(0);
    return std::vector<int>(in.as<int>().begin(), in.as<int>().end());
  };
  EXPECT_TRUE(std::ranges::is_sorted(keys(sorted)));
  EXPECT_TRUE(std::ranges::is_sorted(keys(reversed), std::greater()));
  const std::vector<int> same = keys(equal);
  EXPECT_EQ(std::set<int>(same.begin(), same.end()).size(), 1u);
  const std::vector<int> some = keys(few), pipe = keys(organ_pipe);
  EXPECT_EQ(std::set<int>(some.begin(), some.end()).size(), 7u);
  EXPECT_TRUE(std::is_sorted(pipe.begin(), pipe.begin() + 500));
  EXPECT_TRUE(std::is_sorted(pipe.rbegin(), pipe.rbegin() + 500));
  std::vector<int> killer = keys(killer_ninther);
  EXPECT_GT(reference::quicksort_work(reference::PivotRule::ninther, killer, 64).levels, 60);
  std::ranges::sort(killer);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(killer[static_cast<std::size_t>(i)], i);
}

TEST(QuicksortProblem, SpecialKeysHoldNansZerosAndInfinities) {
  const HostArray in = problem().inputs(case_of(1000, special, DType::f32)).at(0);
  int nans = 0, negative_nans = 0, minus_zeros = 0, infinities = 0;
  for (const float x : in.as<float>()) {
    nans += std::isnan(x);
    negative_nans += std::isnan(x) && std::signbit(x);
    minus_zeros += x == 0 && std::signbit(x);
    infinities += std::isinf(x);
  }
  EXPECT_GT(negative_nans, 10);
  EXPECT_GT(nans, negative_nans + 10);
  EXPECT_GT(minus_zeros, 10);
  EXPECT_GT(infinities, 10);
}

// The grader takes one type of those that share a size, and among ints `<` is right.
TEST(QuicksortProblem, SpecialFloatsShareNoSizeWithInts) {
  for (const Rung& rung : problem().rungs()) {
    std::set<std::int64_t> of_ints, of_floats;
    for (const Case& c : problem().public_cases(rung))
      if (static_cast<int>(c.param("pattern", random_keys)) == special)
        (c.dtype == DType::i32 ? of_ints : of_floats).insert(c.extent("n"));
    EXPECT_FALSE(of_floats.empty()) << rung.name;
    for (const std::int64_t n : of_floats)
      EXPECT_FALSE(of_ints.contains(n)) << rung.name << ", " << n << " keys";
  }
}

TEST(QuicksortProblem, AWrongOutputIsToldWhatIsAmiss) {
  const Case c = case_of(3);
  HostArray expected(DType::i32, {3}), actual(DType::i32, {3});
  std::ranges::copy(std::vector{1, 3, 5}, expected.as<int>().begin());
  std::ranges::copy(std::vector{1, 3, 3}, actual.as<int>().begin());
  const Comparison lost = compare(actual, expected, problem().tolerance(c, 0));
  EXPECT_FALSE(lost.accepted);
  EXPECT_NE(lost.report.find("3 is there 2 times, expected 1"), std::string::npos) << lost.report;
  std::ranges::copy(std::vector{3, 1, 5}, actual.as<int>().begin());
  const Comparison mixed = compare(actual, expected, problem().tolerance(c, 0));
  EXPECT_NE(mixed.report.find("the expected elements in another order"), std::string::npos) << mixed.report;
}

TEST(QuicksortProblem, ZerosOfEitherSignAreNotTheSame) {
  HostArray expected(DType::f32, {2}), actual(DType::f32, {2});
  std::ranges::copy(std::vector{-0.0f, 0.0f}, expected.as<float>().begin());
  std::ranges::copy(std::vector{0.0f, -0.0f}, actual.as<float>().begin());
  EXPECT_FALSE(compare(actual, expected, problem().tolerance(case_of(2), 0)).accepted);
  EXPECT_TRUE(compare(actual, expected, {}).accepted);
  expected.as<float>()[0] = actual.as<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  expected.as<float>()[1] = actual.as<float>()[1];
  EXPECT_TRUE(compare(actual, expected, problem().tolerance(case_of(2), 0)).accepted);
}

TEST(QuicksortProblem, ReplaysTheSizeThatTheSourceNames) {
  ASSERT_FALSE(problem().experiments().empty());
  for (const Experiment& row : problem().experiments()) {
    EXPECT_NE(problem().find_rung(row.rung), nullptr) << row.rung;
    EXPECT_EQ(row.problem_case.extent("n"), 10'000);
    EXPECT_NE(row.note, "");
  }
}

// ---- the handout's mistakes

/// Builds a program of mistakes/ with warplab-cc and runs it, as in the handout.
std::string output_of_mistake(const std::string& name) {
  const ScratchFolder folder;
  const std::string program = folder / name,
                    source = WARPLAB_SOURCE_DIR "/labs/11_quicksort/mistakes/" + name + ".cu";
  const auto outcome = house::run("'" WARPLAB_BINARY_DIR "/bin/warplab-cc' '" + source + "' -o '" + program +
                                  "' && '" + program + "'");
  return outcome.output;
}

TEST(QuicksortMistakes, ShowWhatTheHandoutSays) {
#if defined(WARPLAB_BACKEND_CUDA) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "warplab-cc belongs to the emulator, without sanitizers";
#endif
  const std::string lost = output_of_mistake("lost_keys");
  EXPECT_NE(lost.find("3 5 1 becomes 1 3 3"), std::string::npos) << lost;
  const std::string refused = output_of_mistake("forgotten_refusals");
  EXPECT_NE(refused.find("no error: 5000 launches have counted 2048"), std::string::npos) << refused;
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(quicksort);
