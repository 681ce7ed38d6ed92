// Solutions and stubs of our labs are proven: of each lab one, and in the long tier all of them. There a
// lab's solutions have one day and its stubs the next; WARPLAB_ALL_PROOFS=1 in the environment tries both.
#include <gtest/gtest.h>

#include "grader/build/module_source.hpp"
#include "grader/course/course.hpp"
#include "grader/release/handed_out.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/text/source_tree.hpp"
#include "tests/common/today.hpp"
#include "tests/grader/isolation/guarded_build.hpp"

namespace {

using namespace warplab;

/// Why a task's files make no module; "" if they make one.
std::string problem_of(const Lab& lab, const Task& task, bool stub) {
  const ScratchFolder folder;
  FileTexts files;
  for (const std::string& name : task.files()) {
    const std::string text = bytes_of_file(lab.folder / name);
    files[name] = stub ? without_solutions(text, name) : text;
  }
  const ModuleBuild built =
      build_module(source_of(lab, task, files, given_headers(lab)), folder.path(), run_directly);
  return built.refusal ? built.refusal->text : built.unproven + built.errors;
}

class ValidatorOfLab : public testing::TestWithParam<Lab> {};

TEST_P(ValidatorOfLab, ProvesItsSolutionsAndStubs) {
  const Lab& lab = GetParam();
#if defined(WARPLAB_LONG_TESTS)
  for (const bool stub : {false, true}) {
    if (!std::getenv("WARPLAB_ALL_PROOFS") && !is_todays(lab.stem.size() + stub, 2)) continue;
    for (const Task& task : lab.tasks)
      EXPECT_EQ(problem_of(lab, task, stub), "") << task.name() << (stub ? ", the stub" : "");
  }
#else
  EXPECT_EQ(problem_of(lab, lab.tasks.back(), false), "") << lab.tasks.back().name();
  EXPECT_EQ(problem_of(lab, lab.tasks.front(), true), "") << lab.tasks.front().name() << ", the stub";
#endif
}

INSTANTIATE_TEST_SUITE_P(Labs, ValidatorOfLab, testing::ValuesIn(Course::read(WARPLAB_SOURCE_DIR).labs),
                         [](const auto& lab) { return lab.param.stem; });

}  // namespace
