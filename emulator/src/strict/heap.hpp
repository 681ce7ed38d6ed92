#pragma once

#include <cstddef>
#include <cstdint>

namespace warplab::emulator::strict {

/// Memory that guarded code asks for by operator new, in a range of its own that nothing else ever uses.
void* allocate_guarded(std::size_t bytes);
void free_guarded(void* pointer) noexcept;
/// Whether the bytes lie in one block that has not been freed.
/// @param most bytes of a block that may be it
bool is_guarded_heap(std::uintptr_t address, std::size_t bytes, std::size_t most = ~std::size_t{0}) noexcept;

}  // namespace warplab::emulator::strict
