// The questions of all labs, answered by the lens as an instructor's grading answers them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "grader/predict/right_answers.hpp"
#include "grader/predict/sealed_answers.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/worker/worker_client.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path source = WARPLAB_SOURCE_DIR;

std::unique_ptr<RungRunner> worker_of(const std::string& lab, const std::string& rung) {
  return std::make_unique<WorkerClient>(module_path(lab, rung), WorkerOptions{worker_path(), 120, {}});
}

/// Every question of a lab that is drawn for some students, each once.
std::vector<PredictQuestion> drawn_questions(const Lab& lab) {
  std::set<std::string> texts;
  std::vector<PredictQuestion> all;
  for (int student = 0; student < 12; ++student)
    for (PredictQuestion& one :
         questions_for(lab, *problem_registry().at(lab.stem), std::to_string(student)).questions)
      if (texts.insert(one.text).second) all.push_back(std::move(one));
  return all;
}

TEST(Predictions, OfEveryLabHaveAnAnswerEach) {
  RightAnswers right(source, worker_of);
  int labs = 0;
  for (const Lab& lab : Course::read(source).labs) {
    ++labs;
    ASSERT_TRUE(has_questions(lab)) << lab.stem;
    std::set<std::string> answers;
    for (const PredictQuestion& question : drawn_questions(lab)) {
      SCOPED_TRACE(question.text);
      const std::string answer = right.to(*problem_registry().at(lab.stem), question);
      answers.insert(answer);
      EXPECT_TRUE(is_answer(question, answer)) << answer;
      EXPECT_EQ(question.text.find('{'), std::string::npos);
      if (question.is_choice()) continue;
      EXPECT_GE(std::stod(answer), 0);
      EXPECT_LE(std::stod(answer), 1e6) << "too large to be worked out by hand";
    }
    EXPECT_GE(answers.size(), 5u) << lab.stem << ": copied answers must not be right often";
  }
  EXPECT_GE(labs, 14);
}

// What students get must not name rungs that come with the solutions.
TEST(Predictions, AskAboutNoRungThatIsWithheld) {
  for (const Lab& lab : Course::read(source).labs) {
    if (!has_questions(lab)) continue;
    const Problem& problem = *problem_registry().at(lab.stem);
    for (const PredictQuestion& question : drawn_questions(lab)) {
      std::vector<std::string> rungs = question.choices;
      if (!question.rung.empty()) rungs.push_back(question.rung);
      for (const std::string& rung : rungs)
        EXPECT_NE(problem.find_rung(rung)->access, Rung::Access::withheld) << question.text;
    }
  }
}

/// Marks a class's predictions as an instructor does, where each student answers nothing about a lab.
house::Outcome graded(const std::vector<std::pair<std::string, std::string>>& lab_of_student) {
  const ScratchFolder class_folder;
  for (const auto& [student, lab] : lab_of_student)
    write_sealed(class_folder.path() / student / "predictions.json", {lab, student, {}});
  const std::string warplab = std::string(WARPLAB_BINARY_DIR) + "/bin/warplab";
  return house::run("'" + warplab + "' predict --grade '" + class_folder.path().string() + "'");
}

TEST(Predictions, OfAnUnknownLabCostOnlyTheirStudentPoints) {
  const house::Outcome outcome =
      graded({{"ada", "vektor_add"}, {"bob", "first_program"}, {"cyd", "vector_add"}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  for (const char* row : {R"("ada","vektor_add",0,,)", R"("there is no lab called 'vektor_add')",
                          R"("bob","first_program",0,10,)", R"("cyd","vector_add",0,10,)"})
    EXPECT_NE(outcome.output.find(row), std::string::npos) << row << " is not in\n" << outcome.output;
}

TEST(Predictions, ThatAreNotJsonAreToldAndCostOnlyTheirStudentPoints) {
  const ScratchFolder class_folder;
  write_sealed(class_folder.path() / "ada/predictions.json", {"vector_add", "ada", {}});
  class_folder.write("bob/vector_add.json", "{\n  \"format\": \"warplab-predic");
  class_folder.write("bob/tasks.json", "{\"lab\": \"vector_add\"}");
  const std::string warplab = std::string(WARPLAB_BINARY_DIR) + "/bin/warplab",
                    table = class_folder.path() / "marks.csv";
  const house::Outcome outcome = house::run("'" + warplab + "' predict --grade '" +
                                            class_folder.path().string() + "' --out '" + table + "' 2>&1");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(outcome.output.ends_with("bob/vector_add.json is not JSON in line 2: it ends too early\n"))
      << outcome.output;
  const std::string marks = content_of(table);
  EXPECT_NE(marks.find("\"bob\",,,,0,,,\"bob/vector_add.json is"), std::string::npos) << marks;
  EXPECT_NE(marks.find("\"ada\",\"vector_add\",0,10,"), std::string::npos) << marks;
  EXPECT_EQ(std::count(marks.begin(), marks.end(), '\n'), 3) << marks;
}

TEST(Predictions, NestedTooDeepToBeReadCostOnlyTheirStudentPoints) {
  std::string deep;
  for (int i = 0; i < 150'000; ++i) deep += R"({"a":)";
  const ScratchFolder class_folder;
  write_sealed(class_folder.path() / "ada/predictions.json", {"vector_add", "ada", {}});
  write_sealed(class_folder.path() / "cyd/predictions.json", {"vector_add", "|calc\x1b[2J", {}});
  class_folder.write("bob/vector_add.json", R"({"format": "warplab-predictions-1", "lab": )" + deep + "1" +
                                                std::string(150'000, '}') + "}");
  const std::string warplab = std::string(WARPLAB_BINARY_DIR) + "/bin/warplab",
                    table = class_folder.path() / "marks.csv";
  const house::Outcome outcome = house::run("'" + warplab + "' predict --grade '" +
                                            class_folder.path().string() + "' --out '" + table + "' 2>&1");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(outcome.output.ends_with("bob/vector_add.json has lists within lists, as no answers have\n"))
      << outcome.output;
  for (const char* row : {"\"ada\",\"vector_add\",0,10,", "\"'|calc\",\"vector_add\",0,10,"})
    EXPECT_NE(content_of(table).find(row), std::string::npos) << content_of(table);
}

TEST(Predictions, OfTheDeviceQueryAgreeWithArithmetic) {
  RightAnswers right(source, worker_of);
  const Course course = Course::read(source);
  int compared = 0;
  for (const PredictQuestion& question : drawn_questions(*course.find("device_query"))) {
    const auto fact = [&](const char* name) { return question.problem_case.param(name, 0); };
    const double expected =
        question.id == "bandwidth" ? 2 * fact("memory_clock_khz") * fact("memory_bus_bits") / 8 / 1e6
        : question.id == "memory"  ? fact("global_memory_bytes") / (1 << 30)
        : question.id == "peak"    ? fact("multiprocessors") * 128 * 2 * fact("clock_khz") / 1e6
                                   : fact("multiprocessors") * fact("max_threads_per_multiprocessor");
    EXPECT_NEAR(std::stod(right.to(*problem_registry().at("device_query"), question)), expected, 0.0051)
        << question.text;
    ++compared;
  }
  EXPECT_GE(compared, 15);
}

/// Sectors of `runs` runs of `elements` neighbouring elements that begin at sectors.
double sectors(double runs, double elements, double bytes) {
  return runs * std::max(1.0, elements * bytes / 32);
}

TEST(Predictions, OfTheTransposeAgreeWithArithmetic) {
  RightAnswers right(source, worker_of);
  const Course course = Course::read(source);
  int compared = 0;
  for (const PredictQuestion& question : drawn_questions(*course.find("transpose"))) {
    if (question.rung != "naive") continue;
    const Case& c = question.problem_case;
    const double across = std::min(c.block->at(0), 32u), down = 32 / across,
                 bytes = static_cast<double>(size_of(c.dtype));
    const double expected =
        question.id == "naive_reads" ? sectors(down, across, bytes) : sectors(across, down, bytes);
    EXPECT_EQ(std::stod(right.to(*problem_registry().at("transpose"), question)), expected) << question.text;
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

/// By arithmetic, for a question about a count of lab 12 or 13.
double expected_count(const PredictQuestion& question) {
  const Case& c = question.problem_case;
  if (question.id == "warps")
    return 4 * std::ceil(static_cast<double>(c.extent("height") * c.extent("width")) *
                         c.param("channels", 0) / 128);
  if (question.rung.starts_with("cuda_cores") || question.rung.starts_with("wmma")) {
    const double taps = c.param("side", 0) * c.param("side", 0);
    return question.id == "loads" ? 2 * taps * c.param("filters", 0) : 2 * std::ceil(taps / 16);
  }
  const auto k = static_cast<double>(c.extent("k"));
  if (question.id == "loads") return 2 * k / 128;
  if (question.id == "barriers") return 2 * 8 * k / c.param("tile", 0);
  return question.rung == "synchronous" ? 2 * k * 4 / 128 : 0;
}

TEST(Predictions, OfLabs12And13AgreeWithArithmetic) {
  RightAnswers right(source, worker_of);
  const Course course = Course::read(source);
  int compared = 0;
  for (const char* stem : {"gaussian", "tma_queues"})
    for (const PredictQuestion& question : drawn_questions(*course.find(stem))) {
      if (question.is_choice()) continue;
      EXPECT_EQ(std::stod(right.to(*problem_registry().at(stem), question)), expected_count(question))
          << question.text;
      ++compared;
    }
  EXPECT_GE(compared, 20);
}

}  // namespace
}  // namespace warplab
