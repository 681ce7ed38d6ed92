#pragma once

#include <cstddef>

namespace warplab::emulator {

/// Memory for what the calling OS thread keeps of the threads of its block, until its next block; 64-byte
/// aligned.
[[gnu::malloc]] void* kept_memory(std::size_t bytes);
void reset_kept_memory() noexcept;
void count_barrier() noexcept;

/// Gives back what was taken since it was made, as soon as it ends.
class KeptMemory {
 public:
  KeptMemory() noexcept;
  ~KeptMemory();
  KeptMemory(const KeptMemory&) = delete;

 private:
  std::size_t chunks_, used_;
};

}  // namespace warplab::emulator
