#pragma once

#include <cstddef>
#include <cstdint>

namespace warplab::emulator::isolation {

/// Where blocks begin: at multiples of this. A tensor map is the type with the largest alignment.
inline constexpr std::size_t guarded_alignment = 64;

/// Memory that guarded host code asks for by operator new, in a range of its own that nothing else ever uses:
/// what kernels ask for is a ThreadHeap's.
void* allocate_guarded(std::size_t bytes);
void free_guarded(void* pointer) noexcept;
/// As realloc: a block with the old one's content. Null, and nothing is done, for a pointer that does not
/// lead to a live block.
/// @throws std::bad_alloc, and the old block lives on
void* reallocate_guarded(void* pointer, std::size_t bytes);
/// Whether the bytes lie in one block that has not been freed.
bool is_heap_of_host(std::uintptr_t address, std::size_t bytes) noexcept;

}  // namespace warplab::emulator::isolation
