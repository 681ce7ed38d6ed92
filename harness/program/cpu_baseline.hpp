#pragma once

#include <functional>
#include <optional>

#include "harness/results/measurement.hpp"

namespace warplab {

/// Times a CPU baseline on one thread, then on all cores, and on half as many again and again as long as that
/// could be faster: t threads are at most t times as fast as one. A small input is fastest on few threads, as
/// starting them takes longer than its work, and one core that is busy with something else delays all.
/// @param cores of this host, from 1
/// @param time what the baseline takes on so many threads; nothing where it cannot run on them
/// @return nothing where it cannot run on one thread
std::optional<CpuBaseline> time_on_cpu(unsigned cores,
                                       const std::function<std::optional<Summary>(unsigned threads)>& time);

}  // namespace warplab
