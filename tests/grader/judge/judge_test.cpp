// The judge's verdicts, on runners that do what students' rungs do, without a rung.
#include "grader/judge/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>

#include "common/cuda_check.hpp"
#include "common/host/bad_input.hpp"
#include "grader/course/hidden_cases.hpp"
#include "grader/judge/barriers.hpp"
#include "harness/rung/backend.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/judge/host_adder.hpp"

namespace warplab {
namespace {

const Secret secret("0123456789abcdef0123456789abcdef");

Task adding() {
  Task task;
  task.lab = "vector_add";
  task.id = task.rung = "one_per_thread";
  task.points = 30;
  task.limits = {{"moved", 1.05, "each element is moved once", {{"n", 4096}}, {}, {}}};
  return task;
}

const std::filesystem::path hidden = std::filesystem::path(WARPLAB_SOURCE_DIR) / "tests/hidden";

TaskRecord judged(RungRunner& runner, const std::filesystem::path& folder = hidden,
                  const Task& task = adding()) {
  return Judge(secret, folder).judge(task, runner);
}

const Check& first_of(const TaskRecord& record, Check::Kind kind) {
  return *std::ranges::find(record.checks, kind, &Check::kind);
}

TEST(Judge, ARightRungGetsAllPoints) {
  HostAdder adder;
  const TaskRecord record = judged(adder);
  EXPECT_EQ(record.status, TaskRecord::Status::judged);
  EXPECT_EQ(record.score, 30);
  double most = 0;
  for (const Check& check : record.checks) {
    EXPECT_EQ(check.status, Check::Status::passed) << check.name << ": " << check.happened;
    EXPECT_EQ(check.points, check.max_points);
    most += check.max_points;
  }
  EXPECT_NEAR(most, 30, 1e-9);
  EXPECT_GT(adder.calls, 25);
}

// Only the system and its administrators can kill a worker: that is not a failure of the student.
TEST(Judge, WhatWasKilledIsRunOnceMore) {
  int replies = 0;
  std::set<int> killed;
  HostAdder adder([&](const RungRequest&, RungReply& reply) {
    if (!killed.contains(++replies)) return;
    reply.status = RungStatus::failed;
    reply.killed_by_others = true;
  });
  killed = {2, 7};
  EXPECT_EQ(judged(adder).score, 30);
  replies = 0;
  killed = {2, 3};
  try {
    judged(adder);
    FAIL() << "it was judged";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("killed twice (SIGKILL)"), std::string::npos) << error.what();
  }
}

TEST(Judge, ChecksShareThePointsAsTheTaskSays) {
  const auto points_of = [](const Task& task, Check::Kind kind) {
    std::vector<double> points;
    for (const Check& check : Judge(secret, {}).unjudged(task, TaskRecord::Status::missing, "").checks)
      if (check.kind == kind) points.push_back(check.max_points);
    return points;
  };
  using enum Check::Kind;
  using Points = std::vector<double>;
  Task task = adding();
  task.points = 20;
  task.limits.assign(2, task.limits.at(0));
  EXPECT_EQ(points_of(task, public_cases), Points{6});
  EXPECT_EQ(points_of(task, hidden_cases), Points{6});
  EXPECT_EQ(points_of(task, limit), (Points{4, 4}));
  task.limits_share = 0.6;
  task.limits[0].weight = 3;
  EXPECT_EQ(points_of(task, public_cases), Points{4});
  EXPECT_EQ(points_of(task, limit), (Points{9, 3}));
  task.points = 0.05;
  EXPECT_EQ(points_of(task, public_cases), Points{0.01});
  EXPECT_EQ(points_of(task, hidden_cases), Points{0.01});
  EXPECT_EQ(points_of(task, limit), (Points{0.02, 0.01}));
  task.limits.clear();
  EXPECT_EQ(points_of(task, public_cases), Points{0.02});
  EXPECT_EQ(points_of(task, hidden_cases), Points{0.03});
}

/// Adding, judged in two steps: at multiples of 256 first.
Task adding_in_two_steps() {
  Task task = adding();
  task.fits = {{"n", 256}};
  return task;
}

/// Wrong at each size that is chosen.
HostAdder adder_wrong_at(bool (*chosen)(std::int64_t n)) {
  return HostAdder([=](const RungRequest& request, RungReply&) {
    if (request.outputs[0].count > 0 && chosen(request.problem_case.extent("n")))
      request.outputs[0].data[0] ^= std::byte{64};
  });
}

TEST(Judge, WhatIsRightWhereBlocksFitGetsHalfOfThePointsForValuesAndItsLimits) {
  HostAdder adder = adder_wrong_at([](std::int64_t n) { return n % 256 != 0; });
  const TaskRecord record = judged(adder, hidden, adding_in_two_steps());
  EXPECT_EQ(record.score, 21);  // of 30: half of 9 for public sizes and of 9 for hidden ones, 12 for limits
  EXPECT_EQ(record.checks.at(0).name, "right where blocks and tiles fit");
  EXPECT_EQ(record.checks.at(0).points, 4.5);
  EXPECT_EQ(record.checks.at(1).name, "right at every public size");
  EXPECT_EQ(record.checks.at(1).status, Check::Status::failed);
  for (const Check& check : record.checks) {
    if (check.input == "a length that blocks divide") {
      EXPECT_EQ(check.points, 4.5);
    }
  }
  EXPECT_EQ(first_of(record, Check::Kind::limit).points, 12);
}

TEST(Judge, WhatIsWrongWhereBlocksFitGetsNoPointsForPublicSizesAndNoLimits) {
  HostAdder adder = adder_wrong_at([](std::int64_t n) { return n % 256 == 0; });
  const TaskRecord record = judged(adder, hidden, adding_in_two_steps());
  EXPECT_EQ(record.checks.at(0).status, Check::Status::failed);
  EXPECT_EQ(record.checks.at(1).points, 0);
  EXPECT_EQ(record.checks.at(1).happened, "it is wrong where blocks and tiles fit, which is above");
  EXPECT_EQ(first_of(record, Check::Kind::limit).reason, "not measured, because a check above failed");
}

TEST(Judge, LimitsNeedTheHiddenSizesThatBlocksFitToo) {
  HostAdder adder = adder_wrong_at([](std::int64_t n) { return n % 256 == 0 && n > 4096 && n < 65536; });
  const TaskRecord record = judged(adder, hidden, adding_in_two_steps());
  EXPECT_EQ(record.checks.at(0).status, Check::Status::passed);
  EXPECT_EQ(first_of(record, Check::Kind::limit).reason, "not measured, because a check above failed");
}

TEST(Judge, ALimitIsNotMetWhereTheValuesAreWrongAndTellsNoNumberOfItsSize) {
  if (backend == Backend::cuda) GTEST_SKIP() << "only the emulator counts";
  HostAdder adder([](const RungRequest& request, RungReply&) {
    if (request.lens_blocks == std::uint64_t{0}) request.outputs[0].data[0] ^= std::byte{64};
  });
  const TaskRecord record = judged(adder, hidden, adding_in_two_steps());
  const Check& limit = first_of(record, Check::Kind::limit);
  EXPECT_EQ(limit.status, Check::Status::failed);
  EXPECT_EQ(record.score, 18);
  EXPECT_EQ(limit.happened.find("expected"), std::string::npos) << limit.happened;
}

TEST(Judge, InputsAreDrawnFromTheSecretAndTheSameForTheSame) {
  HostAdder one, same, other;
  judged(one);
  judged(same);
  Judge(Secret("fedcba9876543210fedcba9876543210"), hidden).judge(adding(), other);
  EXPECT_EQ(one.seeds, same.seeds);
  EXPECT_EQ(one.sizes, same.sizes);
  EXPECT_NE(one.sizes, other.sizes);
  for (const std::uint64_t seed : other.seeds) EXPECT_FALSE(one.seeds.contains(seed));
}

TEST(Judge, AWrongElementIsShownWithItsIndexAndEarnsNoPerformance) {
  HostAdder adder([](const RungRequest& request, RungReply&) {
    if (request.outputs[0].count > 5)
      request.outputs[0].data[4 * size_of(request.outputs[0].dtype)] ^= std::byte{64};
  });
  const TaskRecord record = judged(adder);
  EXPECT_EQ(record.score, 0);
  const Check& publics = first_of(record, Check::Kind::public_cases);
  EXPECT_EQ(publics.status, Check::Status::failed);
  EXPECT_NE(publics.happened.find("[4] expected "), std::string::npos) << publics.happened;
  EXPECT_NE(publics.input.find("7 float"), std::string::npos) << publics.input;
  const Check& limit = first_of(record, Check::Kind::limit);
  EXPECT_EQ(limit.status, Check::Status::not_run);
  EXPECT_EQ(limit.reason, "not measured, because a check above failed");
}

TEST(Judge, HiddenChecksTellTheKindAndNotTheInput) {
  HostAdder adder([](const RungRequest& request, RungReply&) {
    const std::int64_t n = request.outputs[0].count;
    if (n > 8 && n < 32) std::memset(request.outputs[0].data, 0x7f, size_of(request.outputs[0].dtype));
  });
  const TaskRecord record = judged(adder);
  EXPECT_EQ(first_of(record, Check::Kind::public_cases).status, Check::Status::passed);
  int failed = 0;
  for (const Check& check : record.checks) {
    if (check.kind != Check::Kind::hidden_cases || check.status == Check::Status::passed) continue;
    ++failed;
    EXPECT_EQ(check.input, "fewer elements than a warp has lanes");
    EXPECT_EQ(check.happened.find("expected"), std::string::npos) << check.happened;
    EXPECT_NE(check.happened.find("elements are wrong"), std::string::npos) << check.happened;
  }
  EXPECT_EQ(failed, 1);
  EXPECT_GT(record.score, 12);
  EXPECT_LT(record.score, 30);
}

TEST(Judge, ARungThatIsCountedKnowsNothingOfHiddenRuns) {
  if (backend == Backend::cuda) GTEST_SKIP() << "only the emulator counts";
  std::size_t counted = 0;
  const std::set<std::int64_t>* kept = nullptr;
  HostAdder adder([&](const RungRequest& request, RungReply&) {
    if (request.lens_blocks != std::uint64_t{0}) return;
    ++counted;
    for (const std::int64_t size : *kept) EXPECT_GE(size, 3072) << "of another run than those for limits";
  });
  kept = &adder.kept;
  EXPECT_EQ(judged(adder).score, 30);
  EXPECT_EQ(counted, 2u);
}

TEST(Judge, NorDoesTheNextTaskOfTheSameFile) {
  std::size_t calls = 0;
  const std::set<std::int64_t>* kept = nullptr;
  HostAdder adder([&](const RungRequest&, RungReply&) {
    if (calls++ == 0) {
      EXPECT_EQ(kept->size(), 1u);
    }
  });
  kept = &adder.kept;
  judged(adder);
  calls = 0;
  judged(adder);
  EXPECT_GT(calls, 0u);
}

TEST(Judge, NoLimitIsMetWhereOneWarpTakesMoreStepsThanTheTaskAllows) {
  HostAdder adder([](const RungRequest&, RungReply& reply) { reply.lens->front().busiest_warp = 101; });
  Task task = adding();
  task.busiest = 101;
  EXPECT_EQ(judged(adder, hidden, task).score, 30);
  task.busiest = 100;
  const TaskRecord record = judged(adder, hidden, task);
  EXPECT_EQ(record.score, 18);
  EXPECT_EQ(first_of(record, Check::Kind::limit).happened,
            "one warp takes 101 steps (requests to memory and branches), and 100 are allowed: share the "
            "elements out to more threads");
}

TEST(Judge, ALimitMayAllowOneWarpOtherStepsThanItsTask) {
  HostAdder adder([](const RungRequest&, RungReply& reply) { reply.lens->front().busiest_warp = 101; });
  Task task = adding();
  task.busiest = 100;
  task.limits[0].busiest = 101;
  EXPECT_EQ(judged(adder, hidden, task).score, 30);
  task.busiest = 101;
  task.limits[0].busiest = 100;
  EXPECT_EQ(judged(adder, hidden, task).score, 18);
}

TEST(Judge, NoLimitAtAllIsMetWhereOneRunWasDoneByFew) {
  HostAdder adder([](const RungRequest& request, RungReply& reply) {
    if (request.outputs[0].count > 5000) reply.lens->front().busiest_warp = 101;
  });
  Task task = adding();
  task.busiest = 100;
  task.limits.push_back({"moved", 1.05, "each element is moved once", {{"n", 16384}}, {}, {}});
  const TaskRecord record = judged(adder, hidden, task);
  EXPECT_EQ(record.score, 18);
  const Check& first = first_of(record, Check::Kind::limit);
  EXPECT_EQ(first.status, Check::Status::failed);
  EXPECT_EQ(first.happened.find("in a run for another limit one warp takes 101 steps"), 0u) << first.happened;
}

TEST(Judge, HiddenChecksTellNoNumberOfTheInputWhenARungFails) {
  HostAdder adder([](const RungRequest& request, RungReply& reply) {
    const std::int64_t n = request.outputs[0].count;
    if (n <= 8 || n >= 32) return;
    reply.status = RungStatus::failed;
    reply.why = "kernel 'add' failed: 4 bytes past a " + std::to_string(4 * n) + "-byte cudaMalloc\nn is " +
                std::to_string(n) + ": cudaErrorIllegalAddress";
    lens::Finding finding;
    finding.kind = lens::FindingKind::out_of_bounds;
    finding.kernel = "add<" + std::to_string(n) + ">";
    finding.file = "add.cu";
    finding.line = 7;
    finding.text =
        "element " + std::to_string(n) + " where there are fewer; is the size:" + std::to_string(n) + "?";
    finding.hint = lens::Hint::null_pointer;
    reply.cuda_error = cudaErrorIllegalAddress;
    reply.lens->front().findings = {finding, finding};
  });
  int failed = 0;
  for (const Check& check : judged(adder).checks) {
    if (check.kind != Check::Kind::hidden_cases || check.status == Check::Status::passed) continue;
    ++failed;
    EXPECT_EQ(
        check.happened,
        "it failed while it ran (cudaErrorIllegalAddress)\nout of bounds: was the pointer set, and did its "
        "cudaMalloc succeed?");
  }
  EXPECT_EQ(failed, 1);
}

TEST(Judge, AStudentsTreeHasNoHiddenSizesAndSaysSo) {
  HostAdder adder;
  const TaskRecord record = judged(adder, "");
  const Check& check = first_of(record, Check::Kind::hidden_cases);
  EXPECT_EQ(check.status, Check::Status::not_run);
  EXPECT_EQ(check.reason, "hidden sizes are run when it is graded");
  EXPECT_EQ(record.score, 21);
}

TEST(Judge, AStubIsToDoAndRunsOnce) {
  HostAdder adder([](const RungRequest&, RungReply& reply) { reply.status = RungStatus::todo; });
  const TaskRecord record = judged(adder);
  EXPECT_EQ(record.status, TaskRecord::Status::to_do);
  EXPECT_NE(record.reason.find(" calls warplab::todo(); delete the call"), std::string::npos)
      << record.reason;
  EXPECT_EQ(record.score, 0);
  EXPECT_EQ(adder.calls, 1);
}

TEST(Judge, AHangEndsTheTaskWithTheChecksThatPassedBefore) {
  HostAdder adder([](const RungRequest& request, RungReply& reply) {
    if (request.outputs[0].count < 60'000) return;
    reply.status = RungStatus::failed;
    reply.timed_out = true;
    reply.why = "did not finish within 10 s";
  });
  const TaskRecord record = judged(adder);
  EXPECT_EQ(record.score, 0);
  EXPECT_NE(record.checks[0].happened.find("did not finish"), std::string::npos);
  for (std::size_t i = 1; i < record.checks.size(); ++i)
    EXPECT_EQ(record.checks[i].reason, "an earlier check did not end");
}

TEST(Judge, AFindingFailsWhatIsRightByLuck) {
  HostAdder adder([](const RungRequest&, RungReply& reply) {
    lens::Finding race;
    race.kind = lens::FindingKind::race;
    race.kernel = "add";
    race.file = "vector_add_one_per_thread.cu";
    race.line = 12;
    race.text = "two threads write the same element";
    reply.lens->front().findings.push_back(race);
  });
  const TaskRecord record = judged(adder);
  EXPECT_EQ(record.score, 0);
  EXPECT_NE(record.checks[0].happened.find("two threads write the same element"), std::string::npos)
      << record.checks[0].happened;
}

TEST(Barriers, AboveALineAreThoseOfItsFunction) {
  const std::string source =
      "__device__ void wait() { __syncthreads(); }\n"                      // 1
      "template <int n>\n"                                                 // 2
      "__global__ void tiled(float* out) {\n"                              // 3
      "  // __syncthreads();\n"                                            // 4
      "  tile[x] = 1;\n"                                                   // 5
      "  __syncthreads();\n"                                               // 6
      "  const char* words = \"__syncthreads()\"; out->sync = sync;\n"     // 7
      "  block.sync(); cg::sync(block); group->sync();\n"                  // 8
      "  if (__syncthreads_or(x)) bar.arrive_and_wait(); __syncwarp();\n"  // 9
      "}\n"                                                                // 10
      "__global__ void next() {\n"                                         // 11
      "  tile[x] = 1; }\n";                                                // 12
  EXPECT_EQ(barriers_above(source, 1), std::nullopt) << "no function is above it";
  EXPECT_EQ(barriers_above(source, 5), 0u);
  EXPECT_EQ(barriers_above(source, 6), 0u) << "the barrier itself is the first";
  EXPECT_EQ(barriers_above(source, 7), 1u);
  EXPECT_EQ(barriers_above(source, 8), 1u) << "neither a word without a call nor a text is a barrier";
  EXPECT_EQ(barriers_above(source, 9), 4u);
  EXPECT_EQ(barriers_above(source, 10), 7u);
  EXPECT_EQ(barriers_above(source, 12), 0u);
  EXPECT_EQ(barriers_above(source, -1), std::nullopt);
  EXPECT_EQ(barriers_above("", 7), std::nullopt);
  EXPECT_EQ(barriers_above("__global__ \"", 7), 0u);
}

TEST(Judge, KeepsForTheLecturerBetweenWhichBarriersAMistakeIsAndTellsStudentsNothingOfIt) {
  const FileTexts files{{"add.cu", "__global__ void add() {\n  __syncthreads();\n  c[i] = 1;\n}\n"}};
  const auto judge = [&](const FileTexts& given) {
    HostAdder adder([](const RungRequest& request, RungReply& reply) {
      if (request.outputs[0].count <= 8 || request.outputs[0].count >= 32) return;  // a hidden size
      lens::Finding race;
      race.kind = lens::FindingKind::race;
      race.file = "/somewhere/labs/02_vector_add/add.cu";
      race.line = 3;
      reply.lens->front().findings = {race};
    });
    return Judge(secret, hidden).judge(adding(), adder, given);
  };
  const TaskRecord with = judge(files), without = judge({});
  std::set<SeenMistake> seen;
  for (std::size_t i = 0; i < with.checks.size(); ++i) {
    EXPECT_EQ(with.checks[i].happened, without.checks[i].happened);
    EXPECT_EQ(with.checks[i].input, without.checks[i].input);
    seen.insert(with.checks[i].mistakes.begin(), with.checks[i].mistakes.end());
  }
  EXPECT_EQ(seen, (std::set<SeenMistake>{{lens::FindingKind::race, lens::Hint::none, 1}}));
}

TEST(Judge, ALimitIsCountedAndCountsThatCannotBeAreRefused) {
  HostAdder wasteful(
      [](const RungRequest&, RungReply& reply) { reply.lens->front().counts.global_load.sectors *= 3; });
  TaskRecord record = judged(wasteful);
  EXPECT_EQ(record.score, 18);
  const Check& limit = first_of(record, Check::Kind::limit);
  EXPECT_EQ(limit.name, "bytes moved in whole sectors, against those that must move");
  EXPECT_EQ(limit.expected, "at most 1.05");
  EXPECT_NE(limit.happened.find("it is 2.33"), std::string::npos) << limit.happened;
  EXPECT_NEAR(limit.counted.value(), 7.0 / 3, 0.01);
  HostAdder forged([](const RungRequest&, RungReply& reply) { reply.lens->front().counts = {}; });
  record = judged(forged);
  EXPECT_EQ(record.score, 18);
  EXPECT_NE(first_of(record, Check::Kind::limit).happened.find("refused: its kernels moved 0 bytes"),
            std::string::npos);
  EXPECT_FALSE(first_of(record, Check::Kind::limit).counted.has_value());
  HostAdder honest;
  EXPECT_NEAR(first_of(judged(honest), Check::Kind::limit).counted.value(), 1, 0.01);
}

TEST(Judge, WhatIsWrongAtOneOfTwoSizesHasNoCount) {
  if (backend == Backend::cuda) GTEST_SKIP() << "only the emulator counts";
  std::set<std::int64_t> counted;
  HostAdder wrong_once([&](const RungRequest& request, RungReply& reply) {
    if (request.lens_blocks != 0u) return;
    counted.insert(request.problem_case.extent("n"));
    if (counted.size() == 2) reply.status = RungStatus::failed;
  });
  const TaskRecord record = judged(wrong_once);
  EXPECT_EQ(counted.size(), 2u);
  EXPECT_EQ(first_of(record, Check::Kind::limit).status, Check::Status::failed);
  EXPECT_FALSE(first_of(record, Check::Kind::limit).counted.has_value());
}

TEST(Judge, OnlyTheCasesOfAPartBelongToIt) {
  Task part = adding();
  part.only = {{"n", 257}};
  HostAdder adder;
  judged(adder, "", part);
  EXPECT_TRUE(adder.sizes.contains(257));
  adder.sizes.erase(257);
  EXPECT_FALSE(adder.sizes.empty());
  for (const std::int64_t drawn : adder.sizes)
    EXPECT_TRUE(drawn >= 3072 && drawn <= 4096) << "near the limit's 4096";
}

TEST(Judge, ALimitIsHeldAtTwoSizesNearThePublishedOne) {
  if (backend == Backend::cuda) GTEST_SKIP() << "only the emulator counts";
  HostAdder adder;
  const TaskRecord record = judged(adder);
  EXPECT_EQ(first_of(record, Check::Kind::limit).input, "near 4096 float");
  int near = 0;
  for (const std::int64_t size : adder.sizes) near += size >= 3072 && size <= 4096;
  EXPECT_GE(near, 2);
  // Where one of the two is beyond, the limit is not kept.
  std::set<std::int64_t> counted;
  HostAdder wasteful_once([&](const RungRequest& request, RungReply& reply) {
    if (request.lens_blocks != 0u) return;
    counted.insert(request.problem_case.extent("n"));
    if (counted.size() == 2) reply.lens->front().counts.global_load.sectors *= 3;
  });
  EXPECT_EQ(first_of(judged(wasteful_once), Check::Kind::limit).status, Check::Status::failed);
}

TEST(HiddenCases, EveryLabHasThemForEveryTask) {
  const Course course = Course::read(WARPLAB_SOURCE_DIR);
  const Problem& problem = *problem_registry().at("vector_add");
  for (const Task& task : course.find("vector_add")->tasks)
    EXPECT_GE(hidden_cases(problem, *problem.find_rung(task.rung), hidden / "vector_add.json", secret).size(),
              2u);
}

TEST(HiddenCases, BoundsAreKeptAndChoicesAreChosen) {
  const ScratchFolder folder;
  const auto file = folder.write("h.json", R"({"lab": "vector_add", "kinds": [
    {"kind": "k", "count": 50, "size": {"n": [5, 7]}, "params": {"launches": [2, 4, 9]}, "dtypes": ["int"]},
    {"kind": "of another rung", "rungs": ["grid_stride"]}]})");
  const Problem& problem = *problem_registry().at("vector_add");
  const auto kinds = hidden_cases(problem, *problem.find_rung("one_per_thread"), file, secret);
  ASSERT_EQ(kinds.size(), 1u);
  std::set<std::int64_t> sizes;
  std::set<double> launches;
  for (const Case& c : kinds[0].cases) {
    sizes.insert(c.extent("n"));
    launches.insert(c.param("launches", 0));
    EXPECT_EQ(c.dtype, DType::i32);
  }
  EXPECT_EQ(sizes, (std::set<std::int64_t>{5, 6, 7}));
  EXPECT_EQ(launches, (std::set<double>{2, 4, 9}));
}

TEST(HiddenCases, GridsAndBlocksAreChoices) {
  const ScratchFolder folder;
  const Problem& problem = *problem_registry().at("vector_add");
  const auto kind = [&](const std::string& launch) {
    const auto file = folder.write(
        "h.json",
        R"({"lab": "vector_add", "kinds": [{"kind": "k", "count": 50, "size": {"n": 9})" + launch + "}]}");
    return hidden_cases(problem, *problem.find_rung("grid_stride"), file, secret).at(0);
  };
  std::set<Extent3> grids, blocks;
  for (const Case& c : kind(R"(, "grid": [[7], [2, 3]], "block": [[64]])").cases) {
    grids.insert(c.grid.value());
    blocks.insert(c.block.value());
  }
  EXPECT_EQ(grids, (std::set<Extent3>{{7, 1, 1}, {2, 3, 1}}));
  EXPECT_EQ(blocks, (std::set<Extent3>{{64, 1, 1}}));
  EXPECT_FALSE(kind("").cases.at(0).grid.has_value());
  for (const char* wrong : {R"(, "grid": [])", R"(, "block": [[1, 2, 3, 4]])", R"(, "grid": [7])"})
    EXPECT_THROW(kind(wrong), BadInput) << wrong;
}

TEST(Secret, IsThirtyTwoDigitsAndFresh) {
  EXPECT_NE(Secret::fresh().digits(), Secret::fresh().digits());
  EXPECT_EQ(Secret(Secret::fresh().digits()).digits().size(), 32u);
  EXPECT_THROW(Secret("12"), std::exception);
  EXPECT_NE(secret.number("a"), secret.number("b"));
  EXPECT_EQ(secret.number("a"), Secret(secret.digits()).number("a"));
}

}  // namespace
}  // namespace warplab
