#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warplab {

/// The lab that is asked for.
struct NewLab {
  std::string name;   ///< its stem: "prefix_sum"
  std::string title;  ///< "" for the name in words
  int number = 0;     ///< of its folder; 0: the next after the last
};

/// Makes a lab from the files in grader/new_lab/templates/: problem, adapter, a given rung, a task with its
/// stub, handout, oracle, tests, hidden cases and mutants. It works as it is, and no file that was there
/// changes.
/// @return the files, relative to the root, the lab's folder's first
/// @throws BadInput for a name, number or title that cannot be, or is taken, or a file that cannot be
/// written; then none is left
std::vector<std::filesystem::path> make_lab(const std::filesystem::path& root, const NewLab& lab);

}  // namespace warplab
