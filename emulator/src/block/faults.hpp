#pragma once

#include "emulator/src/block/worker.hpp"

namespace warplab::emulator {

// Memory faults in kernels, and host code that touches device memory, become one clear report each. The
// handlers are installed when the library is loaded.

/// Gives the calling OS thread a stack for its signal handler.
void prepare_signal_stack(Worker& worker);

/// Prints the report of a failed launch.
void report_fault(const Job& job);

}  // namespace warplab::emulator
