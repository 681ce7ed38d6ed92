#pragma once

#include <filesystem>
#include <vector>

#include "grader/intake/intake.hpp"
#include "grader/report/similarity.hpp"

namespace warplab {

/// What was taken of each entry of a folder of submissions. Entries without a file of a task are left out.
/// @throws BadInput if the folder cannot be read or holds no submission
std::vector<TakenFiles> taken_of_class(const std::filesystem::path& submissions,
                                       const std::vector<TaskFile>& files);

/// What there is in a folder to compare a class with: submissions of an earlier term, or, in a course tree,
/// its solutions. Each is called by the folder and its own name: "../2026/jdoe", "../published".
/// @throws BadInput if there is nothing
std::vector<TakenFiles> others_in(const std::filesystem::path& folder, const std::vector<TaskFile>& files);

}  // namespace warplab
