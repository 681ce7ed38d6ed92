#pragma once

#include <cstddef>
#include <cstdint>

namespace warplab::emulator {
struct Launch;

/// Guarded code announces each access to memory, each call by pointer, and each function that it enters and
/// leaves before it does so, and is stopped where it may not. It is made by adding such calls to a module's
/// assembly; a module that has them registers itself when it is loaded. Elsewhere nothing of this is active.
namespace strict {

/// Whether a guarded module is loaded: every thread of a kernel then has a stack of its own.
bool active() noexcept;

/// Whether guarded code may be called at this address: a function of a guarded module.
bool is_entry(const void* code) noexcept;

/// Ends the program with a report unless `code` is an entry. @pre guarded code gave it
void require_entry(const void* code, const char* what);

/// Stops the caller unless it may read, or write, these bytes. @param code where it does so, or null
void require(const void* address, std::size_t bytes, bool write, const void* code);

/// The same for an atomic operation, which counts as announced.
void require_atomic(const volatile void* address, std::size_t bytes, const void* code);

/// Makes a launch that guarded code has filled the emulator's own: what it points to is looked at and copied.
void take_over(Launch& launch);

/// The frames of a stack of a CUDA thread are gone: another thread begins on it.
void begin_thread(int stack) noexcept;
/// So are those of the calling OS thread below the caller: a fault has left them.
void drop_frames() noexcept;

}  // namespace strict
}  // namespace warplab::emulator
