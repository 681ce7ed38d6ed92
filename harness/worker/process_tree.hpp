#pragma once

#include <sys/types.h>

namespace warplab {

/// What a process and its descendants have had of the processors, and whether they want more.
struct ProcessTreeUse {
  double cpu_s = 0;     ///< of those that are there now
  double queued_s = 0;  ///< while their threads were ready to run and others ran; 0 where Linux does not tell
  bool wants_to_run = false;  ///< one of them is ready to run, or waits for a disk
};
/// From /proc. Processes that end meanwhile are left out, and descendants where Linux does not list children.
ProcessTreeUse use_of_tree(pid_t root);

}  // namespace warplab
