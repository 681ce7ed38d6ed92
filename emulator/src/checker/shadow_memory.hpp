#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "emulator/src/checker/access_stamp.hpp"

namespace warplab::emulator::lens {

/// Cells for every 4 bytes of global memory that was touched, up to a limit.
class ShadowMemory {
 public:
  explicit ShadowMemory(std::size_t limit) : limit_(limit), table_(1024) {}
  ~ShadowMemory();
  ShadowMemory(const ShadowMemory&) = delete;

  /// The cell of the 4 bytes at `address`, or null where memory has run out.
  Cell* at(std::uintptr_t address) {
    const std::uintptr_t page = address / page_bytes;
    if (page != last_page_) {
      Cell* const cells = find(page);
      if (cells == nullptr) return nullptr;
      last_page_ = page;
      last_cells_ = cells;
    }
    return last_cells_ + address % page_bytes / 4;
  }

 private:
  static constexpr std::size_t page_bytes = 512, page_cells = page_bytes / 4;
  struct Slot {
    std::uintptr_t page = 0;
    Cell* cells = nullptr;
  };
  Cell* find(std::uintptr_t page) {
    for (std::size_t i = hash(page);; ++i) {
      Slot& slot = table_[i & (table_.size() - 1)];
      if (slot.page == page) return slot.cells;
      if (slot.cells == nullptr) return add(page);
    }
  }
  static std::size_t hash(std::uintptr_t page) {
    return static_cast<std::size_t>(page * 0x9e3779b97f4a7c15ull >> 20);
  }
  Cell* add(std::uintptr_t page);
  Cell* new_page();

  std::size_t limit_, used_ = 0, pages_ = 0;
  std::vector<Slot> table_;  ///< open addressing; a power of two
  std::vector<Cell*> slabs_;
  std::size_t left_in_slab_ = 0;
  bool is_clear_ = false;  ///< the last slab: no launch has used it
  std::uintptr_t last_page_ = ~std::uintptr_t{0};
  Cell* last_cells_ = nullptr;
};

/// Words whose bytes were written by different threads: each byte then has a cell of its own.
class SplitCells {
 public:
  explicit SplitCells(std::size_t limit) : max_groups_(limit / sizeof(std::array<Cell, 4>)) {}
  void clear() { groups_.clear(); }
  static bool is_split(const Cell& cell) { return cell.write.who == marker; }
  std::array<Cell, 4>& of(const Cell& cell) { return groups_[cell.write.tick]; }
  /// Gives each byte a cell with what the word's cell knew. @return false where memory has run out.
  bool split(Cell& cell);

 private:
  static constexpr std::uint64_t marker = ~std::uint64_t{0};
  std::size_t max_groups_;
  std::deque<std::array<Cell, 4>> groups_;
};

}  // namespace warplab::emulator::lens
