#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/src/checker/checker.hpp"

namespace warplab::emulator::lens {

/// A stretch of memory that a kernel may touch: an allocation, a __device__ or __constant__ variable.
struct GlobalRange {
  std::uintptr_t begin = 1, end = 0;
  bool constant = false;
  bool holds(std::uintptr_t address, std::size_t bytes) const {
    return address >= begin && address < end && bytes <= end - address;
  }
};

/// Finds the range of an address; remembers what it found, for the time of one launch.
class GlobalRanges {
 public:
  /// The range that holds the bytes, or null: then `explain_global` says why not.
  const GlobalRange* find(std::uintptr_t address, std::size_t bytes) {
    const GlobalRange& near = nearby_[slot(address)];
    return near.holds(address, bytes) ? &near : look_up(address, bytes);
  }

 private:
  static constexpr std::size_t near_bytes = 64 * 1024;  // no two allocations share so much, mostly
  // Large arrays begin at multiples of large powers of two: the upper bits must count as well.
  static std::size_t slot(std::uintptr_t address) {
    return static_cast<std::size_t>(address / near_bytes * 0x9e3779b97f4a7c15ull >> 58);
  }
  const GlobalRange* look_up(std::uintptr_t address, std::size_t bytes);
  std::array<GlobalRange, 64> nearby_;
  std::vector<GlobalRange> symbols_;  ///< that were touched: several share a nearby_ entry
};

/// What is wrong with an address that no range holds.
struct Misplaced {
  warplab::lens::FindingKind kind = warplab::lens::FindingKind::out_of_bounds;
  warplab::lens::Hint hint = warplab::lens::Hint::none;
  std::string text;  ///< after "writes 4 bytes": " just past the end of a 4096-byte cudaMalloc (number 3)",
                     ///< and the likely cause
  bool on_host = false;  ///< outside of all device memory, though perhaps beside a device variable
};
Misplaced explain_global(std::uintptr_t address, std::size_t bytes, const Checker::Setup& setup);

/// The shared memory of one block.
class SharedLayout {
 public:
  void begin(const Checker::SharedWindow& window);
  void grow(std::size_t static_bytes);
  void add(const void* begin, std::size_t bytes, const char* name);

  /// Whether the address can only be meant for shared memory.
  bool is_shared(std::uintptr_t address) const {
    return address - area_begin_ < area_bytes_ || in_static(address) || in_dynamic(address);
  }
  /// Whether the bytes may be touched.
  bool holds(std::uintptr_t address, std::size_t bytes) const {
    if (in_dynamic(address)) return bytes <= dynamic_ + dynamic_bytes_ - address;
    if (!in_static(address) || bytes > static_ + static_bytes_ - address) return false;
    return variables_.empty() || variable(address, bytes) != nullptr;
  }
  std::size_t cells() const { return (static_bytes_ + 3) / 4 + (dynamic_bytes_ + 3) / 4; }
  /// The number of the cell of a valid address; static memory comes last, since it may grow.
  std::size_t cell(std::uintptr_t address) const {
    return in_dynamic(address) ? (address - dynamic_) / 4
                               : (dynamic_bytes_ + 3) / 4 + (address - static_) / 4;
  }
  static constexpr std::size_t max_static = 64 * 1024;  ///< with the gaps that the lens leaves

  /// The end of the window or variable around a valid address, and its beginning.
  GlobalRange around(std::uintptr_t address) const;
  /// "tile (byte 128)", "dynamic shared memory (byte 128)".
  std::string name(std::uintptr_t address) const;
  Misplaced explain(std::uintptr_t address, std::size_t bytes) const;

 private:
  struct Variable {
    std::uintptr_t begin;
    std::size_t bytes;
    const char* name;
  };
  bool in_static(std::uintptr_t address) const { return address - static_ < static_bytes_; }
  bool in_dynamic(std::uintptr_t address) const { return address - dynamic_ < dynamic_bytes_; }
  const Variable* variable(std::uintptr_t address, std::size_t bytes) const {
    for (const Variable& v : variables_)
      if (address - v.begin < v.bytes && bytes <= v.begin + v.bytes - address) return &v;
    return nullptr;
  }

  std::uintptr_t static_ = 0, dynamic_ = 0, area_begin_ = 0;
  std::size_t static_bytes_ = 0, dynamic_bytes_ = 0, area_bytes_ = 0;
  std::vector<Variable> variables_;
};

}  // namespace warplab::emulator::lens
