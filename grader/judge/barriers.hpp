#pragma once

#include <optional>
#include <string_view>

namespace warplab {

/// How many barriers are above a line in the text of its function: `__syncthreads()` and its kin,
/// `__syncwarp()`, `block.sync()`, `cg::sync(block)`, `barrier.arrive_and_wait()`. Nothing where no
/// `__global__` or `__device__` is above the line. It is for statistics, since a text can be laid out to
/// mislead it.
/// @param line from 1; what is on the line itself does not count
std::optional<unsigned> barriers_above(std::string_view source, int line);

}  // namespace warplab
