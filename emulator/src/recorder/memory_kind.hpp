#pragma once

#include <cstdint>

namespace warplab::emulator::lens {

/// What an address that a kernel uses is, shared memory and stacks aside.
enum class MemoryKind : std::uint8_t {
  global,    ///< device, managed or pinned memory, or a __device__ variable
  constant,  ///< a __constant__ variable
  own,       ///< the program's own: constants, thread-local variables, the runtime's state
  unknown    ///< anything else: a mistake, unless the runtime's headers made it
};

MemoryKind memory_kind(const void* address) noexcept;

/// Learns which modules are loaded. Called at the beginning of every recorded launch.
void refresh_memory_kinds();

}  // namespace warplab::emulator::lens
