#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grader/predict/questions.hpp"
#include "harness/rung/rung_request.hpp"

namespace warplab {

/// One value of a run, by its name: `launches`, `blocks`, `threads`, `warps`, `barriers` (once for each
/// warp), `elements` (the product of the case's extents), `warp_elements` (a 32nd of it), `moved` (bytes in
/// whole sectors), or a count of the lens such as `global_load.sectors`, `shared_store.wavefronts`,
/// `global_atomics.lanes`, `branches.divergent`.
/// @throws BadInput for a name that does not exist
double counted_value(const std::string& name, const std::vector<lens::Launch>& launches, const Case& c);

/// Computes right answers, each once. Needs our solutions, built, and the committed runs.
class RightAnswers {
 public:
  /// Makes what runs a rung of a lab.
  using Runners = std::function<std::unique_ptr<RungRunner>(const std::string& lab, const std::string& rung)>;

  /// @param root of the tree, which runs are relative to
  RightAnswers(std::filesystem::path root, Runners runners)
      : root_(std::move(root)), runners_(std::move(runners)) {}

  /// The count or figure, to two decimals ("4.50" is "4.5"); or the fastest rung of the choices.
  /// @throws NotAvailable if the rung does not run here, or no committed run has the choices
  /// @throws std::invalid_argument for a figure that the problem does not have at this case
  std::string to(const Problem& problem, const PredictQuestion& question);

 private:
  double count(const Problem& problem, const PredictQuestion& question);
  static double figure(const Problem& problem, const PredictQuestion& question);
  std::string fastest(const Problem& problem, const PredictQuestion& question) const;

  std::filesystem::path root_;
  Runners runners_;
  std::map<std::string, std::vector<lens::Launch>> runs_;  ///< by lab, rung and case
};

/// Whether an answer is the right one: the same rung, or a number that differs by at most 0.01.
bool is_right(const PredictQuestion& question, const std::string& answer, const std::string& right);

/// Whether an answer is one at all: a rung of the choices, or a number.
bool is_answer(const PredictQuestion& question, const std::string& answer);

}  // namespace warplab
