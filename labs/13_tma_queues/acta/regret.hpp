#pragma once

#include <span>

#include "search.hpp"

namespace warplab::acta {

/// Time of a configuration over the best of the table, minus 1: 0.01 is 1 % slower.
/// @throws std::invalid_argument if the table does not have the configuration
double regret(const SearchTable& table, const Choices& chosen);

/// Geometric mean of (1 + regret) over kernels, minus 1.
/// @throws std::invalid_argument if there are none
double mean_regret(std::span<const double> regrets);

}  // namespace warplab::acta
