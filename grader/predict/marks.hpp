#pragma once

#include <string>
#include <vector>

#include "grader/predict/right_answers.hpp"
#include "grader/predict/sealed_answers.hpp"

namespace warplab {

/// What one student's predictions for one lab are worth.
struct PredictMarks {
  bool committed = false;  ///< every question has an answer, and every choice a reason
  int right = 0, asked = 0;
  double points = 0;  ///< half for committing, half for being right; none without committing
  double max_points = 0;
  std::vector<std::string> remarks;  ///< per question that is not right: id, answer, right answer
};

/// How many words a reason has at least.
constexpr int min_words_of_a_reason = 5;
bool is_reason(const std::string& text);

/// @throws NotAvailable where a right answer cannot be had here
PredictMarks marks_of(const SealedAnswers& given, const PredictQuestions& questions, const Problem& problem,
                      RightAnswers& right);

}  // namespace warplab
