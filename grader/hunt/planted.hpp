#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/check/mutants.hpp"
#include "grader/judge/rung_builder.hpp"

namespace warplab {

/// A solution of a task with one mistake in it.
struct PlantedMistake {
  const Task* task = nullptr;
  FileTexts files;   ///< all files of the task; the mistake is in the task's own
  std::string name;  ///< "missing __syncthreads"
  /// The lines of the task's file that the mistake changed. Where it took lines out: the two lines between
  /// which they were.
  int first_line = 0, last_line = 0;
};

constexpr std::size_t planted_per_student = 5;

/// The mistakes for one student: those of a lab's mutants that compile and that some check catches. Tasks are
/// different as far as there are enough. The same name always gets the same.
/// @throws BadInput if the lab has too few mutants, or one does not fit the solution
std::vector<PlantedMistake> planted_mistakes(const Lab& lab, const std::vector<Mutant>& mutants,
                                             const std::string& name);

}  // namespace warplab
