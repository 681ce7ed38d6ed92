#pragma once

#include <cstdint>

#include "emulator/src/base/isolation.hpp"

namespace warplab::emulator {
struct Launch;

/// Guarded code announces each access to memory, each call by pointer, and each function that it enters and
/// leaves before it does so, and is stopped where it may not. It is made by adding such calls to a module's
/// assembly; a module that has them registers itself when it is loaded. Elsewhere nothing of this is active.
namespace isolation {

/// Whether guarded code may be called at this address: a function of a guarded module.
bool is_entry(const void* code) noexcept;

/// Whether a variable of the device lies there that guarded code itself has, and may write if it asks to.
bool is_own_symbol(const void* address, bool write);

/// Ends the program, or the kernel: guarded code has called a function that never returns.
[[noreturn]] void stop_at_end(const char* what, const void* code);

/// Stops the caller, who copies between host and device where a launcher has device memory only. An error
/// that it may ignore is not enough: its kernel would be right on inputs that a GPU would have overwritten.
[[noreturn]] void refuse_direction(const void* code);

/// Stops a kernel that calls what only the host has.
[[noreturn]] void refuse_in_kernel(const void* code);

/// Stops the caller, who throws an exception whose class or virtual table is forged.
[[noreturn]] void refuse_throw(const void* code);

/// Memory for guarded code: of the heap of host code, or of the running thread's own.
/// @throws std::bad_alloc where the host's has not so much. A thread is stopped
void* new_memory(std::size_t bytes, const void* code);
/// What is not a live block of the caller's is left alone.
void delete_memory(void* block) noexcept;

/// The next time, in ns, of a clock that goes on by a step each time it is read, whatever the others of a
/// kernel do.
std::int64_t next_time();
inline constexpr std::int64_t clock_step_ns = 1000;
/// Sets the processor's rounding until the running thread ends or waits.
int set_rounding(int mode);

/// A launch that guarded code may have filled, as the emulator's own: what it points to is looked at.
Launch taken_over(Launch& given);
/// Stops the caller of a launch whose blocks isolation does not watch.
void refuse_blocks_that_wait(const Launch& launch);

}  // namespace isolation
}  // namespace warplab::emulator
