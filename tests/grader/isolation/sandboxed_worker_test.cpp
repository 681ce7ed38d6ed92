// Workers behind the words of a sandbox, and under the confinement that they put on themselves: rungs get the
// same answers and counts as outside, and hostile ones nothing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <set>

#include "common/host/bad_input.hpp"
#include "common/host/compare.hpp"
#include "common/host/random.hpp"
#include "grader/sandbox/sandbox.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/worker/worker_client.hpp"
#include "lens/json.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// A request for a transposition, or (of rungs of the lab "mischief") for a copy.
class MatrixRequest {
 public:
  MatrixRequest(std::int64_t rows, std::int64_t cols)
      : inputs_{HostArray(DType::f32, {rows, cols})}, outputs_{HostArray(DType::f32, {cols, rows})} {
    fill_random(inputs_[0], 1);
    request_.problem_case.size = {{"rows", rows}, {"cols", cols}};
    request_.inputs = views_of(std::as_const(inputs_));
    request_.outputs = views_of(outputs_);
  }
  RungRequest& operator*() { return request_; }
  const HostArray& output() const { return outputs_[0]; }

 private:
  std::vector<HostArray> inputs_, outputs_;
  RungRequest request_;
};

struct Setting {
  SandboxLevel level;
  bool confined;
};

class SandboxedWorker : public testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    try {
      (void)level_by_name(name_of(GetParam().level));
    } catch (const NotAvailable& absent) {
      GTEST_SKIP() << absent.what();
    }
    if (GetParam().level == SandboxLevel::confined)
      for (fs::path folder = build_root(); folder != "/"; folder = folder.parent_path())
        if ((fs::status(folder).permissions() & fs::perms::others_exec) == fs::perms::none)
          GTEST_SKIP() << folder << " is closed to other users";
    sandbox_.emplace(GetParam().level, 40);
  }
  WorkerClient worker(const std::string& lab, const std::string& rung, double timeout_s = 60) {
    SandboxSpec spec;
    spec.visible = {build_root() / "libexec", build_root() / "lib"};
    return WorkerClient(module_path(lab, rung),
                        {worker_path(), timeout_s, sandbox_->prefix(spec), GetParam().confined});
  }
  std::optional<Sandbox> sandbox_;
};

INSTANTIATE_TEST_SUITE_P(
    Levels, SandboxedWorker,
    testing::Values(Setting{SandboxLevel::bubblewrap, false}, Setting{SandboxLevel::bubblewrap, true},
                    Setting{SandboxLevel::confined, false}, Setting{SandboxLevel::confined, true},
                    Setting{SandboxLevel::none, true}),
    [](const auto& setting) {
      return std::string(name_of(setting.param.level)) + (setting.param.confined ? "_confined_worker" : "");
    });

TEST_P(SandboxedWorker, GivesEveryRungOfALabTheAnswersAndCountsThatItHasOutside) {
  std::set<std::string> rungs;
  for (const auto& entry : fs::directory_iterator(build_root() / "lib" / "warplab" / "transpose"))
    if (entry.path().stem().extension() != ".lens") rungs.insert(entry.path().stem());
  EXPECT_GE(rungs.size(), 5u);
  for (const std::string& rung : rungs) {
    WorkerClient outside(module_path("transpose", rung), {worker_path()});
    WorkerClient inside = worker("transpose", rung);
    for (const bool lens : {false, true, true}) {
      MatrixRequest expected(96, 160), got(96, 160);
      for (MatrixRequest* request : {&expected, &got})
        if (lens) (**request).lens_blocks = 0;
      const RungReply there = outside.run(*expected), here = inside.run(*got);
      EXPECT_EQ(there.status, here.status) << rung << ": " << here.why << here.errors;
      EXPECT_EQ(here.status, RungStatus::ok) << rung;
      EXPECT_TRUE(compare(got.output(), expected.output(), {}).accepted) << rung;
      EXPECT_EQ(here.lens.has_value(), there.lens.has_value());
      if (!here.lens || !there.lens) continue;
      EXPECT_EQ(lens::measurement_json(*here.lens).dump(), lens::measurement_json(*there.lens).dump())
          << rung;
      EXPECT_NE(lens::measurement_json(*here.lens).dump().find("transpose_"), std::string::npos)
          << "the source lines";
    }
  }
}

TEST_P(SandboxedWorker, TellsWhereAKernelWentWrong) {
  MatrixRequest request(1, 1000);
  (*request).problem_case.size = {{"n", 1000}};
  (*request).lens_blocks = 0;
  const RungReply reply = worker("mischief", "looks_past_end").run(*request);
  ASSERT_TRUE(reply.lens) << reply.why;
  const lens::Json findings = lens::measurement_json(*reply.lens)["findings"];
  ASSERT_FALSE(findings.empty());
  EXPECT_NE(findings[0]["file"].dump().find("mischief_kernels.cu"), std::string::npos) << findings;
  EXPECT_GT(findings[0]["line"], 0) << findings;
}

TEST_P(SandboxedWorker, TellsThatARungCrashedOrHungOrAnsweredNonsense) {
  for (const auto& [rung, why] :
       {std::pair{"crashes", "crashed with SIG"}, std::pair{"loops", "did not finish within"},
        std::pair{"nonsense", "nonsense"}, std::pair{"exits", "exit code 0"}}) {
    MatrixRequest request(1, 10);
    (*request).problem_case.size = {{"n", 10}};
    const RungReply reply = worker("mischief", rung, 1).run(*request);
    EXPECT_EQ(reply.status, RungStatus::failed) << rung;
    EXPECT_NE(reply.why.find(why), std::string::npos) << rung << ": " << reply.why;
  }
}

TEST_P(SandboxedWorker, GivesNothingThatABreakoutAsksFor) {
  if (!GetParam().confined) GTEST_SKIP() << "the worker confines itself only where it is asked to";
  MatrixRequest request(1, 10);
  (*request).problem_case.size = {{"n", 10}};
  const RungReply reply = worker("breakout", "breakout_rung").run(*request);
  EXPECT_EQ(reply.status, RungStatus::ok) << reply.why << reply.errors;
  std::istringstream lines(reply.printed);
  std::set<std::string> done;
  int refused = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool works = line.ends_with(": done") || line == "thread: 42" || line == "maps: 1";
    if (works) done.insert(line);
    refused += !works;
  }
  EXPECT_EQ(done,
            (std::set<std::string>{"thread: 42", "maps: 1", "signal to itself: done", "memory file: done"}))
      << reply.printed;
  EXPECT_EQ(refused, 18) << reply.printed;
}

}  // namespace
}  // namespace warplab
