#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/host/case.hpp"

// The words that follow the flags of a command line, as values.

namespace warplab {

/// The parts of "a,b,c"; one empty part of "".
std::vector<std::string> split_list(const std::string& text, char separator);

/// "4096x64" as extents. @throws BadInput, with `flag` in its text, unless these are `names.size()` numbers
/// from 0 to 2^63 - 1
std::vector<std::int64_t> parse_size(const std::string& text, const std::vector<std::string>& names);

/// "32", "32x8" or "8x8x4" as threads per block (at most 1024 in all) or blocks per grid. @throws BadInput
Extent3 parse_block(const std::string& text);
Extent3 parse_grid(const std::string& text);

/// Which of `choices` a flag of a lab names. @throws BadInput naming the flag, its value and the choices
std::size_t parse_choice(const std::string& flag, const std::string& text,
                         std::span<const char* const> choices);
/// A whole number in [low, high], for T int, std::int64_t or std::uint64_t. @throws BadInput naming the flag,
/// its value and what is accepted
template <class T>
T parse_whole(const std::string& flag, const std::string& text, T low, T high);
/// As above, for a flag of a lab.
std::int64_t parse_number(const std::string& flag, const std::string& text, std::int64_t low,
                          std::int64_t high);

}  // namespace warplab
