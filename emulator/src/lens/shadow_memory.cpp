#include "lens/shadow_memory.hpp"

#include <cstdlib>
#include <utility>

namespace warplab::emulator::lens {
namespace {

constexpr std::size_t slab_pages = 256;

}  // namespace

void ShadowMemory::Free::operator()(Cell* cells) const { std::free(cells); }

// Large enough that calloc takes it from the system, which hands out zeros page by page as they are touched.
Cell* ShadowMemory::new_page() {
  if (left_in_slab_ == 0) {
    constexpr std::size_t bytes = slab_pages * page_cells * sizeof(Cell);
    if (used_ + bytes > limit_) return nullptr;
    Cell* const slab = static_cast<Cell*>(std::calloc(slab_pages * page_cells, sizeof(Cell)));
    if (slab == nullptr) return nullptr;
    slabs_.emplace_back(slab);
    used_ += bytes;
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
  if (groups_.size() >= most_) return false;
  const auto index = static_cast<std::uint32_t>(groups_.size());
  std::array<Cell, 4>& bytes = groups_.emplace_back();
  const auto share = [](const Stamp& stamp, unsigned byte) {
    return stamp.bytes() >> byte & 1u ? stamp : Stamp{};
  };
  for (unsigned byte = 0; byte < 4; ++byte)
    bytes[byte] = {share(cell.write, byte), {share(cell.reads[0], byte), share(cell.reads[1], byte)}};
  cell = {{marker, index, 0}, {}};
  return true;
}

}  // namespace warplab::emulator::lens
