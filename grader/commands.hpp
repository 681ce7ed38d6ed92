#pragma once

#include <string>
#include <vector>

namespace warplab {

// What `warplab COMMAND` does. Each returns the program's exit code. @throws BadInput, NotAvailable

/// "transpose" or "transpose/tiled".
struct TaskChoice {
  std::string lab, task;  ///< task: "" for all
};
/// @throws BadInput for more than one '/'
TaskChoice task_choice(const std::string& text);

/// Labs, tasks and points of the tree.
int command_list(const std::vector<std::string>& labs);

/// What each rung of a lab takes of what can be limited, as it is built: for whoever sets limits.
struct LimitsOptions {
  std::string lab;
  std::vector<std::string> rungs;
  std::vector<std::int64_t> size;   ///< in the order of --size; empty: the lab's own on the emulator
  std::vector<std::string> params;  ///< "side=9"
};
int command_limits(const LimitsOptions& options);

}  // namespace warplab
