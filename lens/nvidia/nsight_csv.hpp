#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

/// How much Nsight Compute is asked for. Counts of each line take many runs of code that it has patched: a
/// kernel of a second takes minutes. Rates of a whole launch take a few.
enum class NsightDepth { lines, rates };

/// What to give ncu, beside an output file and a program, so that launches_by_call finds all that it can use.
std::vector<std::string> nsight_options(NsightDepth depth = NsightDepth::lines);

/// The NVTX range that a profiled program pushes around its call number `i`, for launches_by_call.
std::string nsight_range(std::size_t i);

/// The launches of a Nsight Compute report, in launch order, by the ranges that they were in. What is in no
/// range is of no call; but a report without ranges is of the only call, or else of nobody knows which.
/// @param raw what `ncu --import FILE --page raw --csv --print-units base` prints: totals and occupancy
/// @param source what `ncu --import FILE --page source --csv --print-source cuda,sass` prints: the machine
/// instructions of each line; "" leaves the launches without lines, and with only totals of requests and
/// sectors
/// @param calls how many the program made
/// @return as many calls as there were, or none of several where the report has no ranges
/// @throws std::runtime_error if the texts are something else or do not belong together
std::vector<std::vector<Launch>> launches_by_call(std::string_view raw, std::string_view source,
                                                  std::size_t calls);

}  // namespace warplab::lens
