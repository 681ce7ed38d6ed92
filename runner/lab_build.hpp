#pragma once

#include <string>
#include <vector>

#include "runner/run_options.hpp"

namespace warplab::runner {

/// The result of building a lab.
struct LabBuild {
  bool is_runnable = false;               ///< its program was built, and the worker that its rungs run in
  std::vector<std::string> broken_rungs;  ///< those that did not build
  double seconds = 0;
};

/// Builds a target, or all where it is "", as far as it can be built. On a terminal ninja shows how far it
/// is; elsewhere only what failed is printed.
/// @return whether all of it was built
/// @throws Interrupted
bool build_target(const RunOptions& options, const std::string& target);

/// Builds a lab. Of what does not build, what an earlier build left is removed: nothing old runs in its
/// place.
/// @throws Interrupted
LabBuild build_lab(const RunOptions& options, const std::string& lab);

}  // namespace warplab::runner
