#include "emulator/src/isolation/thread_heap.hpp"

#include <algorithm>
#include <cstring>

#include "emulator/src/base/round_up.hpp"

namespace warplab::emulator::isolation {

void* ThreadHeap::allocate(std::size_t size) {
  const std::size_t begin =
      count_ == 0 ? 0 : round_up(blocks_[count_ - 1].begin + blocks_[count_ - 1].size, guarded_alignment);
  if (begin >= bytes || size > bytes - begin) return nullptr;
  size = std::max<std::size_t>(size, 1);  // each block has an address of its own
  blocks_[count_++] = {begin, size, true};
  return std::memset(memory_.data() + begin, 0, size);
}

void ThreadHeap::free(const void* block) {
  for (std::size_t i = 0; i < count_; ++i)
    if (memory_.data() + blocks_[i].begin == block) blocks_[i].is_live = false;
  while (count_ > 0 && !blocks_[count_ - 1].is_live) --count_;
}

bool ThreadHeap::holds(std::uintptr_t address, std::size_t size) const {
  const std::uintptr_t place = address - reinterpret_cast<std::uintptr_t>(memory_.data());
  return std::any_of(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(count_),
                     [&](const Block& block) {
                       return block.is_live && place - block.begin < block.size &&
                              size <= block.size - (place - block.begin);
                     });
}

}  // namespace warplab::emulator::isolation
