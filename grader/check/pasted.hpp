#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {

/// An earlier task's solution, handed in as a later task's.
struct Pasted {
  const Task* of = nullptr;  ///< the earlier task
  const Task* as = nullptr;  ///< the later one
  FileTexts files = {};      ///< of the later one
};

/// Each solution of the lab under the name of each later task that has another file: its launcher is renamed,
/// and nothing else. Headers that the earlier task does not write stay stubs. What such a file earns is
/// earned without the later task's work.
std::vector<Pasted> pasted_solutions(const Lab& lab);

}  // namespace warplab
