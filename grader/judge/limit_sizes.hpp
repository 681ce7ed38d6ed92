#pragma once

#include <vector>

#include "grader/course/course.hpp"
#include "grader/course/secret.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {

/// The case that a limit names.
Case published_case(const Limit& limit, const Problem& problem);

/// That case at every size that may be drawn near it. Each extent is at most a quarter smaller, in whole
/// tiles, so that counts per element stay what they are. Where this leaves one size only, one of the
/// extents of at least a tile may be a tile larger instead. A limit on a figure has its one size.
std::vector<Case> sizes_near(const Limit& limit, const Problem& problem);

/// What a limit is held at: two of these sizes, or the one of a figure. Nobody can know them, since what is
/// made for one size is no better than what it is made of. Limits on the same case get the same sizes.
std::vector<Case> drawn_cases(const Limit& limit, const Problem& problem, const Rung& rung,
                              const Secret& secret);

}  // namespace warplab
