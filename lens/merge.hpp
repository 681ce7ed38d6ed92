#pragma once

#include <cstdint>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

Counts& operator+=(Counts& sum, const Counts& more);

/// Of two samples of one kind the one that wastes more stays.
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
