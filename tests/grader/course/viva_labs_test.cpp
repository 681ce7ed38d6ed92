// warplab viva on our own solutions, built and recorded as submissions are.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "grader/build/sandboxed_builder.hpp"
#include "grader/hunt/symptoms.hpp"
#include "grader/judge/grading.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/viva/viva.hpp"

namespace warplab {
namespace {

using Kind = VivaQuestion::Kind;

/// Our solutions of some tasks of the transpose, as a student would hand them in.
struct VivaOfOurs : testing::Test {
  Course course = Course::read(WARPLAB_SOURCE_DIR).only({"transpose"});
  Intake intake;

  void SetUp() override {
    intake.student = "ada";
    std::erase_if(course.labs[0].tasks,
                  [](const Task& task) { return task.id != "naive" && task.id != "tiled"; });
    for (const Task& task : course.labs[0].tasks)
      intake.files[{course.labs[0].folder.filename().string(), task.file}] =
          with_solutions(bytes_of_file(course.labs[0].folder / task.file), task.file);
  }
  Viva asked(std::size_t questions) {
    SandboxedBuilder builder(course, {SandboxLevel::none}, 0, std::make_shared<PrecompiledHeaders>());
    VivaOptions options;
    options.questions = questions;
    return viva_of(course, intake, builder, options);
  }
};

TEST_F(VivaOfOurs, EveryQuestionHasAnAnswerAndTheAnswersAreRight) {
  const Viva viva = asked(1000);
  EXPECT_TRUE(viva.remarks.empty());
  const auto has = [&](const char* task, Kind kind, const char* answer) {
    return std::ranges::any_of(viva.questions, [&](const VivaQuestion& q) {
      return q.task == task && q.kind == kind && q.answer.find(answer) != std::string::npos;
    });
  };
  for (const VivaQuestion& question : viva.questions)
    EXPECT_FALSE(question.answer.empty()) << question.task << ": " << question.text;
  EXPECT_TRUE(has("transpose/tiled", Kind::barrier, " race in "));
  EXPECT_TRUE(has("transpose/tiled", Kind::wavefronts, "32, where 1 would do"))
      << "a column of tile[32][32] is in one bank";
  EXPECT_TRUE(has("transpose/naive", Kind::guard, " out of bounds in "));
  EXPECT_TRUE(has("transpose/tiled", Kind::grid, "blocks in a grid of"));
}

TEST_F(VivaOfOurs, AsksFiveThatAreTheSameTheNextTime) {
  const Viva once = asked(5), again = asked(5);
  ASSERT_EQ(once.questions.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(once.questions[i].text, again.questions[i].text);
    EXPECT_EQ(once.questions[i].answer, again.questions[i].answer);
  }
}

TEST_F(VivaOfOurs, SaysWhyATaskHasNoRecord) {
  for (auto& [place, text] : intake.files) text = "not C++;\n" + text;
  const Viva viva = asked(5);
  EXPECT_TRUE(viva.questions.empty());
  ASSERT_EQ(viva.remarks.size(), 2u);
  EXPECT_NE(viva.remarks[0].find("has no record: "), std::string::npos);
}

// What a hunt's marks rest on, with the same builder.
TEST_F(VivaOfOurs, AMissingBarrierIsARaceAndASolutionHasNoSymptom) {
  SandboxedBuilder builder(course, {SandboxLevel::none}, 0, std::make_shared<PrecompiledHeaders>());
  const Judge judge(Secret("0123456789abcdef0123456789abcdef"), {});
  const Task& tiled = *std::ranges::find(course.labs[0].tasks, "tiled", &Task::id);
  FileTexts files = files_of(tiled, course.labs[0], intake);
  EXPECT_TRUE(symptoms_of(tiled, files, judge, builder).kinds.empty());
  std::string& text = files.at(tiled.file);
  const std::string barrier = "__syncthreads();", index = "= tile[x][y];";
  const std::string ours = text;
  text.replace(text.find(barrier), barrier.size(), "");
  EXPECT_TRUE(symptoms_of(tiled, files, judge, builder).kinds.contains("race"));
  text = ours;
  text.replace(text.find(index), index.size(), "= tile[y][x];");
  EXPECT_EQ(symptoms_of(tiled, files, judge, builder).kinds, std::set<std::string>{"wrong values"});
}

}  // namespace
}  // namespace warplab
