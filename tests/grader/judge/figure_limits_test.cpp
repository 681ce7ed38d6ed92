// Limits on figures that a problem computes from outputs, on a runner that integrates without a rung.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "grader/course/limits.hpp"
#include "grader/course/task_problem.hpp"
#include "grader/judge/judge.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {
namespace {

const Secret secret("0123456789abcdef0123456789abcdef");

Task simpson() {
  Task task;
  task.lab = "riemann";
  task.id = task.rung = "simpson";
  task.points = 10;
  Limit limit;
  limit.figure = "error";
  limit.most = 0.002;
  limit.why = "the points are computed in float";
  limit.size = {{"n", 1275}};
  limit.dtype = DType::f32;
  task.limits = {limit};
  return task;
}

/// Returns the rule's own sum and, in float, adds a share of what the tolerance leaves.
class Integrator : public RungRunner {
 public:
  explicit Integrator(double share) : share_(share) {}
  RungReply run(const RungRequest& request) override {
    const Problem& problem = problem_of(simpson());
    const Case& c = request.problem_case;
    HostArray result = problem.expected(c, problem.inputs(c)).at(0);
    if (c.dtype == DType::f32)
      for (float& value : result.as<float>())
        value += static_cast<float>(share_ * problem.tolerance(c, 0).atol);
    std::memcpy(request.outputs[0].data, result.bytes().data(), result.bytes().size());
    RungReply reply;
    lens::Launch launch;
    launch.blocks = launch.blocks_recorded = 1;
    launch.counts.global_store.sectors = 1;
    reply.lens = std::vector{launch};
    reply.counts = LaunchCounts{1, 1, 1, 0};
    return reply;
  }

 private:
  double share_;
};

TaskRecord judged(double share, const Task& task = simpson()) {
  Integrator integrator(share);
  return Judge(secret, {}).judge(task, integrator);
}

TEST(FigureLimits, AResultAsCloseAsItsRuleMeetsTheLimit) {
  const TaskRecord record = judged(0);
  for (const Check& check : record.checks)
    if (check.kind != Check::Kind::hidden_cases) {
      EXPECT_EQ(check.status, Check::Status::passed) << check.name << ": " << check.happened;
    }
}

TEST(FigureLimits, AResultWithinTheToleranceMayBreakTheLimit) {
  const TaskRecord record = judged(0.5);
  EXPECT_EQ(record.checks.at(0).status, Check::Status::passed) << record.checks.at(0).happened;
  const Check& limit = record.checks.back();
  EXPECT_EQ(limit.kind, Check::Kind::limit);
  EXPECT_EQ(limit.status, Check::Status::failed);
  EXPECT_EQ(limit.name, "error, as the lab's program prints it");
  EXPECT_EQ(limit.expected, "at most 0.002");
  EXPECT_TRUE(limit.happened.starts_with("it is 0.0")) << limit.happened;
  EXPECT_TRUE(limit.happened.ends_with(": the points are computed in float")) << limit.happened;
  EXPECT_EQ(limit.points, 0);
}

TEST(FigureLimits, AnErrorBelowZeroCountsByItsAbsoluteValue) {
  EXPECT_EQ(judged(-0.5).checks.back().status, Check::Status::failed);
}

TEST(FigureLimits, AResultThatIsNoNumberMeetsNoLimit) {
  const Problem& problem = problem_of(simpson());
  const Case c = problem.for_rung(problem.default_case(Backend::emulator), rung_of(simpson()));
  std::vector<HostArray> outputs = problem.expected(c, problem.inputs(c));
  outputs.at(0).as<double>()[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(value_of_figure("error", problem, c, outputs) <= 1e300);
}

TEST(FigureLimits, AnUnknownFigureIsNamedWithTheKnownOnes) {
  Task task = simpson();
  task.limits[0].figure = "errors";
  try {
    judged(0, task);
    ADD_FAILURE() << "it was taken";
  } catch (const std::invalid_argument& unknown) {
    EXPECT_STREQ(
        unknown.what(),
        "unknown figure 'errors'; known figures of riemann: evaluations, additions, error, rule error, "
        "rounding error");
  }
}

}  // namespace
}  // namespace warplab
