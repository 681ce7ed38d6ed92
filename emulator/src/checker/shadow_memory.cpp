#include "emulator/src/checker/shadow_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>

namespace warplab::emulator::lens {
namespace {

constexpr std::size_t slab_bytes = std::size_t{2} << 20;  // a huge page

/// Memory of launches that have ended. To clear what the next one touches of it is faster than to have the
/// system make pages.
class IdleSlabs {
 public:
  /// @return null if there is none
  Cell* take() {
    const std::lock_guard lock(mutex_);
    if (slabs_.empty()) return nullptr;
    Cell* const slab = slabs_.back();
    slabs_.pop_back();
    return slab;
  }
  /// @return false if there are enough
  bool keep(Cell* slab) {
    constexpr std::size_t most = 32;
    const std::lock_guard lock(mutex_);
    if (slabs_.size() == most) return false;
    slabs_.push_back(slab);
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<Cell*> slabs_;
};

// Never destroyed: launches may end while the program does.
IdleSlabs& idle_slabs() {
  static IdleSlabs& idle = *new IdleSlabs;
  return idle;
}

/// @return null where memory has run out
Cell* new_slab() {
  // Twice as much, of which an aligned half is kept.
  void* const memory = mmap(nullptr, 2 * slab_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::byte* const begin = static_cast<std::byte*>(memory);
  const std::size_t before = (slab_bytes - reinterpret_cast<std::uintptr_t>(begin) % slab_bytes) % slab_bytes;
  if (before != 0) munmap(begin, before);
  munmap(begin + before + slab_bytes, slab_bytes - before);
  madvise(begin + before, slab_bytes, MADV_HUGEPAGE);
  return reinterpret_cast<Cell*>(begin + before);
}

}  // namespace

ShadowMemory::~ShadowMemory() {
  for (Cell* const slab : slabs_)
    if (!idle_slabs().keep(slab)) munmap(slab, slab_bytes);
}

Cell* ShadowMemory::new_page() {
  constexpr std::size_t slab_pages = slab_bytes / (page_cells * sizeof(Cell));
  if (left_in_slab_ == 0) {
    if (used_ + slab_bytes > limit_) return nullptr;
    Cell* slab = idle_slabs().take();
    is_clear_ = slab == nullptr;
    if (slab == nullptr) slab = new_slab();
    if (slab == nullptr) return nullptr;
    slabs_.push_back(slab);
    used_ += slab_bytes;
    left_in_slab_ = slab_pages;
  }
  Cell* const cells = slabs_.back() + (slab_pages - left_in_slab_--) * page_cells;
  if (!is_clear_) std::fill_n(cells, page_cells, Cell{});
  return cells;
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
