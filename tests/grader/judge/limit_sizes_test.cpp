// The sizes at which limits are held: nobody can know them, and our solutions keep to the limits at all of
// them.
#include "grader/judge/limit_sizes.hpp"

#include <gtest/gtest.h>

#include <set>

#include "grader/build/graded_device.hpp"
#include "grader/course/limits.hpp"
#include "grader/course/task_problem.hpp"
#include "harness/console/case_text.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/worker/worker_client.hpp"
#include "tests/common/today.hpp"

namespace warplab {
namespace {

Limit at(std::vector<std::pair<std::string, std::int64_t>> size, std::int64_t step = 64) {
  Limit limit;
  limit.measure = "moved";
  limit.size = std::move(size);
  limit.step = step;
  return limit;
}

/// "192 256": of a lab whose cases have the limit's extents.
std::string near(const char* lab, const Limit& limit) {
  std::string text;
  for (const Case& c : sizes_near(limit, problem_named(lab)))
    text += (text.empty() ? "" : " ") + size_text(c);
  return text;
}

TEST(LimitSizes, AreWholeTilesAtMostAQuarterBelow) {
  EXPECT_EQ(near("vector_add", at({{"n", 256}})), "192 256");
  EXPECT_EQ(near("vector_add", at({{"n", 4096}})), "3072 3328 3584 3840 4096");
  EXPECT_EQ(near("transpose", at({{"rows", 256}, {"cols", 128}})), "192x128 256x128");
}

TEST(LimitSizes, ReachATileAboveWhereThereWouldBeOneOnly) {
  EXPECT_EQ(near("vector_add", at({{"n", 200}})), "192 256");
  EXPECT_EQ(near("transpose", at({{"rows", 128}, {"cols", 32}})), "128x32 192x32");
  EXPECT_EQ(near("matmul", at({{"m", 256}, {"n", 256}, {"k", 64}}, 128)), "256x256x64 384x256x64 256x384x64");
}

/// Calls `f(task, limit, problem, rung)` for each limit of the course that is not on a figure.
template <class F>
void for_each_limit(const F& f) {
  for (const Lab& lab : Course::read(WARPLAB_SOURCE_DIR).labs)
    for (const Task& task : lab.tasks)
      for (const Limit& limit : task.limits)
        if (limit.figure.empty()) f(task, limit, problem_of(task), rung_of(task));
}

TEST(LimitSizes, AreTwoDifferentOnesForEveryLimitOfEveryTask) {
  int limits = 0;
  for_each_limit([&](const Task& task, const Limit& limit, const Problem& problem, const Rung& rung) {
    ++limits;
    std::set<std::string> first_ones;
    for (int i = 0; i < 20; ++i) {
      const Secret secret("0123456789abcdef0123456789abcd" + std::to_string(10 + i));
      const std::vector<Case> drawn = drawn_cases(limit, problem, rung, secret);
      ASSERT_EQ(drawn.size(), 2u) << task.name();
      EXPECT_NE(size_text(drawn[0]), size_text(drawn[1])) << task.name() << ", " << limit.measure;
      first_ones.insert(size_text(drawn[0]));
    }
    EXPECT_GT(first_ones.size(), 1u) << task.name() << ", " << limit.measure;
  });
  EXPECT_GT(limits, 100);
}

TEST(LimitSizes, OfAFigureAreOne) {
  Limit limit = at({{"n", 1275}});
  limit.figure = "error";
  const Problem& problem = problem_named("riemann");
  const std::vector<Case> drawn =
      drawn_cases(limit, problem, *problem.find_rung("simpson"), Secret("0123456789abcdef0123456789abcdef"));
  ASSERT_EQ(drawn.size(), 1u);
  EXPECT_EQ(size_text(drawn[0]), "1275");
}

#if defined(WARPLAB_LONG_TESTS)
/// What our own version of a rung does, every block recorded.
std::vector<lens::Launch> recorded(const Problem& problem, const Rung& rung, const Case& c) {
  const std::vector<HostArray> inputs = problem.inputs(c);
  FreshOutputs outputs = fresh_outputs(problem, c, inputs);
  RungRequest request = request_for(problem, rung, c, inputs, outputs);
  request.lens_blocks = 0;
  see_graded_device();
  const RungReply reply =
      WorkerClient(module_path(problem.lab(), rung.name), {worker_path(), 300, {}}).run(request);
  EXPECT_EQ(reply.status, RungStatus::ok) << rung.name << ": " << reply.why;
  return reply.lens.value_or(std::vector<lens::Launch>());
}

/// Of many, the ends and the middle: what depends on a size grows with it.
std::vector<Case> some_of(const std::vector<Case>& cases) {
  if (cases.size() <= 9) return cases;
  return {cases.front(), cases[cases.size() / 2], cases.back()};
}

TEST(LimitSizes, AreKeptToByOurSolutionsAtAllOfThem) {
  std::map<std::string, std::vector<lens::Launch>> known;
  for_each_limit([&](const Task& task, const Limit& limit, const Problem& problem, const Rung& rung) {
    for (Case near : some_of(sizes_near(limit, problem))) {
      near.seed = 1 + today();  // counts of lab 11 depend on the keys
      const Case c = problem.for_rung(near, rung);
      const std::string where = task.name() + " at " + case_text(c);
      const auto [place, is_new] = known.try_emplace(where);
      if (is_new) place->second = recorded(problem, rung, c);
      EXPECT_LE(value_of(limit.measure, place->second, problem, c), limit.most)
          << where << ", " << limit.measure;
      const std::optional<double> busiest = limit.busiest ? limit.busiest : task.busiest;
      if (busiest) {
        EXPECT_EQ(done_by_few(*busiest, place->second), "") << where;
      }
      EXPECT_EQ(implausible(place->second, problem, c), "") << where;
    }
  });
}
#endif

}  // namespace
}  // namespace warplab
