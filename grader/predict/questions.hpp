#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {

/// A question of a lab's predict.json, with the numbers that one student was given. Its answer is a count of
/// the lens, a figure that the oracle computes, or the fastest of some rungs.
struct PredictQuestion {
  std::string id;    ///< "naive_reads"
  std::string text;  ///< what is asked, with its numbers
  std::string rung;  ///< whose counts or figures answer it; "" where the fastest rung is asked for
  Case problem_case;
  std::string count;   ///< "global_load.sectors"; see counted_value()
  std::string per;     ///< what it is divided by, likewise; "": by nothing
  std::string figure;  ///< one of Problem::figures() of the expected outputs, in place of a count; or ""
  /// Rungs of which the fastest is asked for, and the run and input that decide: "results/h200",
  /// "16384x16384 int", "1000000000 double, rule left".
  std::vector<std::string> choices;
  std::string run, input;

  bool is_choice() const { return !choices.empty(); }
};

/// What one student is asked about one lab.
struct PredictQuestions {
  std::string lab;
  double points = 0;  ///< half for answering all of them, half for being right
  std::vector<PredictQuestion> questions;
};

/// Where a lab's questions are.
std::filesystem::path predict_file(const Lab& lab);
bool has_questions(const Lab& lab);

/// The questions for the student of that name: where predict.json has a list, one member of it is drawn, from
/// the name, the lab and the question. The same name always draws the same.
/// @throws BadInput naming the file of what is missing, of the wrong type or unknown
PredictQuestions questions_for(const Lab& lab, const Problem& problem, const std::string& name);

/// A name as it is compared: without blanks around it or twice, in lower case.
std::string plain_name(const std::string& name);

}  // namespace warplab
