#pragma once

#include <cstddef>
#include <string_view>

namespace warplab {

/// How deep lists and objects lie within one another in a text of JSON, whether or not the text is right.
/// Readers that build values recurse so deep: those of strangers' text ask first.
std::size_t json_nesting(std::string_view text);

/// Deeper than any file of this project is.
inline constexpr std::size_t max_json_nesting = 64;

}  // namespace warplab
