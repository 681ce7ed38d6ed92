#pragma once

#include <vector>

#include "harness/problem/problem.hpp"

namespace warplab {

/// Figure 2 of the paper: the kernels of table I, each in six versions. @param kernels in the table's order
std::vector<Experiment> tma_queues_experiments(const std::vector<Case>& kernels);

/// The kernel with each of the 64 sizes of its queues, one block per multiprocessor: an exhaustive search.
std::vector<Case> tma_queues_sizes(const Case& kernel);

}  // namespace warplab
