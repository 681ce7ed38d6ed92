#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// The number of single-character edits that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidates that a mistyped `word` may have meant, closest first, at most three: a few edits away, or
/// with `word` as a part of them.
std::vector<std::string> close_matches(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean tiled or tiled_padded?", or "" without candidates.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace warplab
