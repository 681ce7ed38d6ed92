#pragma once

#include <string>

#include "common/host/case.hpp"

// A case as a command line has it and as tables show it.

namespace warplab {

/// "4096x4096": the extents of a case.
std::string size_text(const Case& c);
/// Whether results and people get to see a parameter. Not one whose name begins with a dot: its problem
/// derives it from the rest of the case.
inline bool is_shown(const Parameter& parameter) { return !parameter.name.starts_with('.'); }
/// "64x1 float seed 3 block 32x8": a case in a word, for messages.
std::string case_text(const Case& c);
/// What identifies a case's inputs and expected values; block and grid do not matter to them.
std::string input_key(const Case& c);
/// The label of a parameter, or its number.
std::string value_text(const Parameter& parameter);
/// "32x8": an extent without trailing ones.
std::string extent_text(const Extent3& extent);

}  // namespace warplab
