#pragma once

#include "harness/problem/problem.hpp"

namespace warplab {

/// The default program of a lab: verifies and measures its rungs, prints a table, writes results. Prints one
/// sentence for whatever is wrong. @return the exit code, one of ExitCode
int run_program(const Problem& problem, int argc, const char* const* argv);

}  // namespace warplab
