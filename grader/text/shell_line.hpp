#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// A word as a shell takes it for itself, whatever is in it.
std::string shell_quoted(std::string_view word);

/// A command as a shell runs it: its words, quoted, with spaces between.
std::string shell_line(const std::vector<std::string>& command);

}  // namespace warplab
