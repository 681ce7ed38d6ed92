#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

Counts& operator+=(Counts& sum, const Counts& more);

/// How good an example of its line a request is: what it could save, by its lanes. A few lanes that are left
/// of a loop may waste more each, but say little of the line.
struct ExampleWeight {
  unsigned waste, lanes;
  auto operator<=>(const ExampleWeight&) const = default;
};
ExampleWeight example_weight(unsigned cost, unsigned ideal, std::uint32_t mask);

/// Of two samples of one kind the better example stays.
void keep_worst(std::vector<RequestSample>& kept, const RequestSample& sample);

/// Launches of the same kernel with the same grid, block and shared memory, added up.
struct Group {
  Launch launch;  ///< counts, lines and blocks of all of them; each line's worst samples
  std::uint64_t launches = 0;
};

/// Groups in the order of their first launch.
std::vector<Group> merge_alike(const std::vector<Launch>& launches);

/// How many launches these are, with those that are added up.
std::uint64_t count_of(const std::vector<Launch>& launches);

}  // namespace warplab::lens
