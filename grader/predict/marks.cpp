#include "grader/predict/marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace warplab {

bool is_reason(const std::string& text) {
  std::istringstream in(text);
  int words = 0;
  for (std::string word; in >> word;) ++words;
  return words >= min_words_of_a_reason;
}

PredictMarks marks_of(const SealedAnswers& given, const PredictQuestions& questions, const Problem& problem,
                      RightAnswers& right) {
  PredictMarks marks;
  marks.committed = true;
  marks.max_points = questions.points;
  for (const PredictQuestion& question : questions.questions) {
    ++marks.asked;
    const auto found = std::ranges::find(given.answers, question.id, &GivenAnswer::id);
    // Another text means another name: these are not the numbers that this student was given.
    if (found == given.answers.end() || found->question != question.text ||
        !is_answer(question, found->answer) || (question.is_choice() && !is_reason(found->reason))) {
      marks.committed = false;
      marks.remarks.push_back(question.id + ": not answered");
      continue;
    }
    const std::string wanted = right.to(problem, question);
    if (is_right(question, found->answer, wanted))
      ++marks.right;
    else
      marks.remarks.push_back(fmt::format("{}: {}, and it is {}", question.id, found->answer, wanted));
  }
  if (marks.committed && marks.asked > 0)
    marks.points = questions.points / 2 * (1 + static_cast<double>(marks.right) / marks.asked);
  return marks;
}

}  // namespace warplab
