#pragma once

#include "emulator/src/block/worker.hpp"

namespace warplab::emulator {

// Memory faults in kernels, and host code that touches device memory, become one clear report each. The
// handlers are installed when the library is loaded.

/// Gives the calling OS thread a stack for its signal handler.
void prepare_signal_stack(Worker& worker);

/// As device_fault of thread.hpp, of a kind that the error does not tell.
[[noreturn]] void device_fault(FaultKind kind, int cuda_error, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// The same, of `thread` of the block, which need not be the running one.
[[noreturn]] void device_fault_in(const uint3& thread, FaultKind kind, int cuda_error, const char* format,
                                  ...) __attribute__((format(printf, 4, 5)));

/// The same for a thread that waits at `site`.
[[noreturn]] void device_fault_at(const Site& site, FaultKind kind, int cuda_error, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

/// What a report says of a thread that has gone below its stack.
inline constexpr const char* stack_overflow =
    "overflows its stack: its local variables or its recursion need more than 124 KiB";

/// Prints the report of a failed launch.
void report_fault(const Job& job);

}  // namespace warplab::emulator
