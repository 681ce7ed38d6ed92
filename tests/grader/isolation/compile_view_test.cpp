// What compilers see of the trees while they read a student's file: what they need, and nothing of ours.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/host/bad_input.hpp"
#include "grader/build/sandboxed_builder.hpp"
#include "grader/course/course.hpp"
#include "grader/release/handed_out.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/sandbox/file_rules.hpp"
#include "harness/rung/build_tree.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path tree = WARPLAB_SOURCE_DIR, build = WARPLAB_BINARY_DIR;

class CompileView : public testing::TestWithParam<SandboxLevel> {
 protected:
  void SetUp() override {
    try {
      level_by_name(name_of(GetParam()));
    } catch (const NotAvailable& why) {
      GTEST_SKIP() << why.what();
    }
    if (GetParam() == SandboxLevel::confined && !files_can_be_restricted())
      GTEST_SKIP() << "without Landlock only permissions keep files apart";
    const Course course = Course::read(tree).only({"vector_add"});
    const Lab& lab = course.labs.at(0);
    const Task& task = *std::ranges::find(lab.tasks, "one_per_thread", &Task::id);
    const std::string text = with_solutions(content_of(lab.folder / task.file), task.file);
    spec_ = compile_spec(source_of(lab, task, {{task.file, text}}, given_headers(lab)), {}, headers_, 20);
    sandbox_.emplace(GetParam(), 5);
  }
  /// What `cat` ends with.
  int read(const fs::path& file) {
    EXPECT_TRUE(fs::exists(file)) << file;
    return sandbox_->run(spec_, {"/bin/cat", file}, 20).exit_code;
  }

  PrecompiledHeaders headers_;
  SandboxSpec spec_;
  std::optional<Sandbox> sandbox_;
};
INSTANTIATE_TEST_SUITE_P(Levels, CompileView,
                         testing::Values(SandboxLevel::bubblewrap, SandboxLevel::confined),
                         [](const auto& level) { return std::string(name_of(level.param)); });

TEST_P(CompileView, HasHeadersAndWhatIsLinked) {
  EXPECT_EQ(read(tree / "common/todo.hpp"), 0);
  EXPECT_EQ(read(tree / "emulator/include/cuda_runtime.h"), 0);
  EXPECT_EQ(read(build / adapter_object("02_vector_add", "vector_add", "one_per_thread")), 0);
}

TEST_P(CompileView, HasNoSolutionAndNothingThatWasMadeOfOne) {
  EXPECT_NE(read(tree / "labs/02_vector_add/vector_add_vectorized.cu"), 0);
  EXPECT_NE(read(tree / "labs/02_vector_add/vector_add_problem.cpp"), 0);
  EXPECT_NE(read(tree / "tests/hidden/vector_add.json"), 0);
  EXPECT_NE(read(module_path("vector_add", "vectorized")), 0);
  EXPECT_NE(read(build / "labs/02_vector_add/vector_add__vectorized.dir/vector_add_vectorized.cu.cpp"), 0);
  EXPECT_NE(read(build / "CMakeCache.txt"), 0);
}

}  // namespace
}  // namespace warplab
