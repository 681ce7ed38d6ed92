#pragma once

#include <map>
#include <string>

#include "lens/report.hpp"

namespace warplab::lens {

/// One sentence on what makes a line costly and how to fix it, about the worst of it;
/// "" where it is near the ideal.
/// @param source the line's text, which tells a loop from a branch; may be empty
/// @param launch the counts of the whole launch: branches that are few among all are not worth a sentence
std::string advice(const Line& line, const std::string& source = "", const Counts* launch = nullptr);

/// One sentence where a multiprocessor holds less than half of its warps; "" otherwise.
std::string advice(const Occupancy& occupancy, std::uint64_t shared_bytes_per_block);

/// Whether an access costs so much more than its ideal that a person should look at it.
bool far_from_ideal(std::uint64_t cost, std::uint64_t ideal);

/// How many lanes are in line at a bank, on average; 1 without conflicts.
double bank_conflict_ways(const WavefrontCounts& counts);

}  // namespace warplab::lens
