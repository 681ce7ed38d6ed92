#include "emulator/src/checker/shadow_memory.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <utility>

namespace warplab::emulator::lens {
namespace {

constexpr std::size_t slab_bytes = std::size_t{2}
                                   << 20;  // a huge page: touching it for the first time costs little

}  // namespace

void ShadowMemory::Free::operator()(Cell* cells) const { munmap(cells, slab_bytes); }

// The system hands out zeros as they are touched.
Cell* ShadowMemory::new_page() {
  constexpr std::size_t slab_pages = slab_bytes / (page_cells * sizeof(Cell));
  if (left_in_slab_ == 0) {
    if (used_ + slab_bytes > limit_) return nullptr;
    // Twice as much, of which an aligned half is kept.
    void* const memory = mmap(nullptr, 2 * slab_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    std::byte* const begin = static_cast<std::byte*>(memory);
    const std::size_t before =
        (slab_bytes - reinterpret_cast<std::uintptr_t>(begin) % slab_bytes) % slab_bytes;
    if (before != 0) munmap(begin, before);
    munmap(begin + before + slab_bytes, slab_bytes - before);
    madvise(begin + before, slab_bytes, MADV_HUGEPAGE);
    slabs_.emplace_back(reinterpret_cast<Cell*>(begin + before));
    used_ += slab_bytes;
    left_in_slab_ = slab_pages;
  }
  return slabs_.back().get() + (slab_pages - left_in_slab_--) * page_cells;
}

Cell* ShadowMemory::add(std::uintptr_t page) {
  Cell* const cells = new_page();
  if (cells == nullptr) return nullptr;
  const auto put = [this](Slot slot) {
    std::size_t i = hash(slot.page);
    while (table_[i & (table_.size() - 1)].cells != nullptr) ++i;
    table_[i & (table_.size() - 1)] = slot;
  };
  if (++pages_ * 2 > table_.size()) {
    std::vector<Slot> old = std::move(table_);
    table_ = std::vector<Slot>(old.size() * 2);
    for (const Slot& slot : old)
      if (slot.cells != nullptr) put(slot);
  }
  put({page, cells});
  return cells;
}

bool SplitCells::split(Cell& cell) {
  if (groups_.size() >= max_groups_) return false;
  const auto index = static_cast<std::uint32_t>(groups_.size());
  std::array<Cell, 4>& bytes = groups_.emplace_back();
  const auto share = [](AccessStamp stamp, unsigned byte) {
    return stamp.bytes() >> byte & 1u ? stamp.of_bytes(1u << byte) : AccessStamp{};
  };
  for (unsigned byte = 0; byte < 4; ++byte)
    bytes[byte] = {share(cell.write, byte),
                   {share(cell.reads[0], byte), share(cell.reads[1], byte)},
                   share(cell.plain_write, byte)};
  cell = {{marker, index, 0}, {}, {}};
  return true;
}

}  // namespace warplab::emulator::lens
