#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {

/// What is wrong with how a lab's exercises are described, a sentence each; nothing is built for it.
///
/// Points sum to the lab's. Each task has a hint of a dozen characters, a rung of the problem's table with
/// access `task`, a file with a solution region, public tests that exist, and cases in tests/hidden.
/// No other file of the lab has a region, since nobody would take it from a submission. The
/// handout's tasks have the points and the order of tasks.json and name the tasks' files; its table
/// of rungs is the problem's, peers left out.
/// @param root of the tree, for tests/labs
/// @param hidden the folder tests/hidden
std::vector<std::string> broken_rules(const Lab& lab, const Problem& problem,
                                      const std::filesystem::path& root, const std::filesystem::path& hidden);

/// What the generated tests of a rung are called before the dot: "TransposeTiledPadded".
std::string test_suite_of(const std::string& lab, const std::string& rung);

}  // namespace warplab
