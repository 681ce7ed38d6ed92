#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/check/mutants.hpp"
#include "grader/course/course.hpp"
#include "grader/course/secret.hpp"
#include "grader/judge/rung_builder.hpp"

namespace warplab {

/// How thoroughly exercises are checked.
struct CheckOptions {
  std::filesystem::path hidden;                       ///< tests/hidden
  bool mutants = false;                               ///< build and judge them too
  bool pasted = false;                                ///< and each solution as each later task's
  std::size_t max_mutants = 0;                        ///< a task; 0: all
  unsigned jobs = 1;                                  ///< files built and judged at a time
  Secret secret{"5eed5eed5eed5eed5eed5eed5eed5eed"};  ///< fixed, so that each check says the same
  /// Where a students' tree would hold a task's answer, a sentence each; not looked for if empty.
  std::function<std::vector<std::string>(const Course&)> leaks = {};
  /// Told of each file that was judged, by one thread at a time: "transpose/tiled, its stub".
  std::function<void(const std::string&)> progress = {};
};

/// The outcome of one mutant.
struct MutantOutcome {
  Mutant mutant;
  std::optional<Mutant::Killer> died_of;  ///< the first that caught it; nothing: it got all points
  std::string message;                    ///< that the student would see
  std::set<std::string> kinds = {};       ///< that it was seen as, of what Mutant::kind may name
};

/// What a task gives to who hands in an earlier task's solution.
struct PastedOutcome {
  std::string task, of;  ///< ids
  double score = 0, points = 0;
};

/// What was found of one lab.
struct LabReport {
  std::string lab;
  std::size_t tasks = 0;
  std::vector<std::string> problems;  ///< a sentence each: "transpose/tiled: its stub does not compile"
  std::vector<MutantOutcome> mutants;
  std::vector<PastedOutcome> pasted;  ///< of each task the one that earns most, if it earns anything
};

/// What was found of all labs; sound if nothing was.
struct ExerciseReport {
  std::vector<LabReport> labs;
  std::vector<std::string> leaks;
  bool leaks_looked_for = false;
  bool sound() const;
};

/// Whether the exercises are sound: what broken_rules() says of each lab; of each task that its stub
/// compiles, is to do and says in words what to write, and that our solution gets all points and is not as
/// right without blockIdx.z (grid_layers.hpp); that no given file holds an answer; and that every mutant of
/// the solution is caught by the check that it names; that no solution gets all points of a later task
/// with limits. Two runs on the same tree report the same, however many jobs they have.
/// @throws BadInput for a lab whose problem is not linked
ExerciseReport check_exercises(const Course& course, const CheckOptions& options,
                               const BuilderMaker& make_builder);

/// A line for each problem, each mutant that died of something else than it names,
/// and each lab; then one for all.
std::string to_text(const ExerciseReport& report);

}  // namespace warplab
