#pragma once

#include <string>
#include <vector>

namespace warplab {

/// Joins what each lab's program left in the parts/ of a folder into the results of one run, results.json and
/// results.csv, and prints the run's table and, as the last line, the command to try next.
/// @param arguments "merge --folder DIR --program-folder DIR --labs A,B ...", as run_all.sh gives them
/// @throws std::invalid_argument naming the argument that is wrong; BadInput if a file cannot be written
void merge_run(const std::vector<std::string>& arguments);

}  // namespace warplab
