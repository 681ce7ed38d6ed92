#pragma once

#include <cstddef>

namespace warplab::emulator {

/// Memory for what the calling OS thread keeps of the threads of its block, until its next block; 64-byte
/// aligned.
[[gnu::malloc]] void* kept_memory(std::size_t bytes) noexcept;
void reset_kept_memory() noexcept;

/// How much of it is taken. What is taken afterwards can be released.
struct KeptMark {
  std::size_t chunk, used;
};
KeptMark kept_mark() noexcept;
void release_kept(KeptMark mark) noexcept;

void count_barrier() noexcept;

}  // namespace warplab::emulator
