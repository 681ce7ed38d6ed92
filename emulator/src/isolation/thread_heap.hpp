#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/src/isolation/heap.hpp"

namespace warplab::emulator::isolation {

/// What a CUDA thread of guarded code asks for by operator new, which a launch from a kernel does for its
/// arguments. No other thread and no host code ever learns what a thread has kept there, or when it has asked
/// for it: each finds zeros, and the first block of each begins where its stack says.
class ThreadHeap {
 public:
  /// Too little to keep keys in.
  static constexpr std::size_t bytes = 512;

  /// Another thread begins: no block is left.
  void clear() { count_ = 0; }
  /// @return null where it has not so much
  void* allocate(std::size_t size);
  void free(const void* block);
  /// Whether the bytes lie in a block that has not been freed.
  bool holds(std::uintptr_t address, std::size_t size) const;

 private:
  static constexpr std::size_t max_blocks = bytes / guarded_alignment;
  struct Block {
    std::size_t begin, size;
    bool is_live;
  };
  // Not initialised, as there is one of these for each stack: a block is when it is given out.
  alignas(guarded_alignment) std::array<std::byte, bytes> memory_;
  std::array<Block, max_blocks> blocks_;  ///< one behind another
  std::size_t count_ = 0;                 ///< of blocks; the last one is live
};

}  // namespace warplab::emulator::isolation
