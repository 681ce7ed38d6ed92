#pragma once

#include "runner/run_options.hpp"

namespace warplab::runner {

/// Builds and runs each lab, as soon as it is built, and writes their results, one table and pages.
/// @return the exit code: of the labs' own the worst, where a fault of warplab's is worse than a check that
/// failed, and that worse than what is not available
/// @throws Interrupted if nothing had run by then
int run_labs(const RunOptions& options);

/// Builds everything and runs the tests of the tier that was asked for.
/// @throws Interrupted
int run_tests(const RunOptions& options);

}  // namespace warplab::runner
