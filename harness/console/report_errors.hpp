#pragma once

#include <functional>
#include <string>

namespace warplab {

/// Runs a program. What it throws becomes one sentence on stderr, after the program's name.
/// @return what `run` returns, or the ExitCode of what it threw
int report_errors(const std::string& program, const std::function<int()>& run);

}  // namespace warplab
