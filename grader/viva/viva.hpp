#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/course/secret.hpp"
#include "grader/intake/intake.hpp"
#include "grader/viva/record_questions.hpp"

namespace warplab {

/// What an examiner gets for one submission.
struct Viva {
  std::string student;
  std::vector<VivaQuestion> questions;  ///< each with its answer
  std::vector<std::string> remarks;     ///< tasks that could not be recorded, and why
};

/// How many questions a viva has, and what they are drawn from.
struct VivaOptions {
  std::size_t questions = 5;
  std::size_t tasks = 4;  ///< of a submission at most so many are built, drawn from the name
  unsigned turn = 1;      ///< another turn draws other questions
  /// What students do not know, so that they cannot ask themselves the same beforehand; none: they can.
  std::optional<Secret> secret = {};
};

/// What a viva's tasks, questions and inputs are drawn from.
std::string key_of(const std::string& student, const VivaOptions& options);

/// Of these at most so many: different kinds first, then different tasks and lines, those that tell something
/// before others. What is left to choose is drawn from `key`.
std::vector<VivaQuestion> chosen_questions(std::vector<VivaQuestion> all, std::size_t count,
                                           const std::string& key);

/// Builds what a submission has of a course's tasks, records it, and asks. The same submission is always
/// asked the same with the same options.
Viva viva_of(const Course& course, const Intake& intake, RungBuilder& builder, const VivaOptions& options);

}  // namespace warplab
