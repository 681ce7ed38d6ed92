#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/host/bad_input.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/hand_in.hpp"
#include "grader/cli/tree.hpp"
#include "grader/course/task_problem.hpp"
#include "grader/predict/marks.hpp"
#include "grader/predict/sealed_ladder.hpp"
#include "grader/text/source_tree.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/worker/worker_client.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

Lab lab_with_questions(const Course& course, const std::string& name) {
  Lab lab = course.only({name}).labs.at(0);
  if (has_questions(lab)) return lab;
  std::string others;
  for (const Lab& one : course.labs)
    if (has_questions(one)) others += (others.empty() ? "" : ", ") + one.stem;
  throw BadInput(fmt::format("there are no questions to predict for {}; there are for {}", lab.stem, others));
}

GivenAnswer asked(const PredictQuestion& question, std::size_t number) {
  fmt::print("\n{}. {}\n", number, question.text);
  GivenAnswer given{question.id, question.text, "", ""};
  while (!is_answer(question, given.answer)) {
    if (!given.answer.empty())
      fmt::print("   {}\n", question.is_choice() ? "answer with the name of one of these rungs"
                                                 : "answer with a number, such as 4 or 4.5");
    given.answer = plain_name(line_after("   > "));
  }
  if (!question.is_choice()) return given;
  while (!is_reason(given.reason))
    given.reason = line_after(fmt::format("   why? ({} words or more) > ", min_words_of_a_reason));
  return given;
}

void show_ladder(const Lab& lab) {
  const fs::path file = lab.folder / sealed_ladder_file;
  if (fs::exists(file))
    fmt::print("\n{}", shown_text(bytes_of_file(file)));
  else
    fmt::print("\nthe ladder is open now: labs/{}/README.md\n", lab.folder.filename().string());
  if (problem_named(lab.stem).launches_kernels())
    fmt::print("compare your numbers with the lens: build/emulator/bin/{} --rung RUNG --lens\n", lab.stem);
}

int ask(const PredictCommand& command) {
  const Lab lab = lab_with_questions(course_here(), command.lab);
  const fs::path file = tree_root() / sealed_file(SealedKind::predictions, lab.stem);
  if (fs::exists(file)) {
    const SealedAnswers before = read_sealed(file);
    fmt::print("{} predicted {} already; the seal is {}\n", before.name, lab.stem, before.seal());
    show_ladder(lab);
    return exit_ok;
  }
  SealedAnswers sealed{lab.stem, command.name, {}};
  while (plain_name(sealed.name).empty()) sealed.name = line_after("your name, as the course knows you > ");
  const PredictQuestions questions = questions_for(lab, problem_named(lab.stem), sealed.name);
  fmt::print(
      "{} points: half for answering all {} questions, half for being right. Do not run the lab "
      "before you have answered.\n",
      questions.points, questions.questions.size());
  for (const PredictQuestion& question : questions.questions)
    sealed.answers.push_back(asked(question, sealed.answers.size() + 1));
  write_sealed(file, sealed);
  fmt::print("\nsealed in predictions/{}.json; hand this seal in now: {}\n", lab.stem, sealed.seal());
  show_ladder(lab);
  return exit_ok;
}

class PredictGrading {
 public:
  /// @throws NotAvailable where our solutions are not built
  SealedWorth worth_of(const SealedAnswers& given) {
    Lab lab;
    try {
      lab = lab_with_questions(course_, given.lab);
    } catch (const BadInput& error) {  // the lab's name is the student's
      return {"", 0, 0, error.what()};
    }
    const Problem& problem = problem_named(lab.stem);
    const PredictMarks marks = marks_of(given, questions_for(lab, problem, given.name), problem, right_);
    return {lab.stem, marks.points, marks.max_points, fmt::format("{}", fmt::join(marks.remarks, "; "))};
  }

 private:
  Course course_ = course_here();
  RightAnswers right_{
      tree_root(), [](const std::string& lab, const std::string& rung) {
        if (!is_built_for_lens(lab, rung))
          throw NotAvailable(
              fmt::format("{}/{} is not built: cmake --build --preset emulator --target {}", lab, rung, lab));
        return std::make_unique<WorkerClient>(module_path(lab, rung), WorkerOptions{worker_path(), 120, {}});
      }};
};

}  // namespace

int command_predict(const PredictCommand& command) {
  if (!command.of_class.grade.empty()) {
    PredictGrading grading;
    mark_sealed(
        command.of_class, SealedKind::predictions,
        [&](const SealedAnswers& given) { return grading.worth_of(given); }, command.out);
    return exit_ok;
  }
  if (command.lab.empty()) throw BadInput("predict takes a lab, or --grade and a folder");
  return ask(command);
}

}  // namespace warplab
