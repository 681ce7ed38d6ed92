#pragma once

#include <cstdarg>
#include <cstddef>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/isolation/checks.hpp"
#include "emulator/src/memory/arena.hpp"
#include "warplab_emulator/block/thread.hpp"

// For functions that guarded code calls in place of a library's: calls*.cpp define them.

/// Where guarded code calls the function in which this is written.
#define WARPLAB_GUARDED_CALLER (static_cast<const std::byte*>(__builtin_return_address(0)) - 1)
/// Names a function as the guard does: after the symbol that it is called instead of.
#define WARPLAB_STANDS_FOR(name) asm("warplab_isolation_" name) __attribute__((visibility("default")))

namespace warplab::emulator::isolation {

/// The length of a text that the caller may read, which it is stopped for otherwise.
std::size_t checked_length(const char* text, const void* code);

/// A va_list that can be passed by reference: itself it may be an array.
struct Arguments {
  va_list list;
};
/// Stops the caller unless it may read all that printf would read by this format. Formats with anything but
/// numbers, characters, pointers and texts are refused.
void check_format(const char* format, Arguments& arguments, const void* code);

/// Stops a kernel that calls what only the host has.
inline void require_host(const void* code) {
  if (in_kernel()) refuse_in_kernel(code);
}

/// Whether an end of a copy is the device's: the runtime itself looks at the bounds of what it lies in.
inline bool is_of_device(const void* end, bool write) {
  return arena::holds(end) || is_own_symbol(end, write);
}

/// Stops the caller unless it may read, or write, this end of a copy.
inline void require_end(const void* end, std::size_t bytes, bool write, const void* code) {
  if (bytes != 0 && !is_of_device(end, write)) require(end, bytes, write, code);
}

}  // namespace warplab::emulator::isolation
