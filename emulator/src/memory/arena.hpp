#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator {

/// A stretch of the arena that holds one allocation, or a block of small ones: an inaccessible guard of at
/// least 64 KiB, then whole pages [begin, end). The next region's guard follows.
struct Region {
  enum class State : std::uint8_t { unused, closed, open, freed };

  std::atomic<State> state{State::unused};
  Space space = Space::host;
  int device = 0;                         ///< whose memory it is
  std::atomic<std::uint8_t> also_for{0};  ///< devices that a pool lets touch it, a bit each
  bool packed = false;                    ///< holds many small allocations
  std::atomic<bool> listed{false};        ///< is in the list of open regions
  Region* next_open = nullptr;            ///< in that list
  char* guard = nullptr;                  ///< where the leading guard begins
  char* begin = nullptr;
  char* end = nullptr;
  std::size_t live = 0;  ///< allocations in a packed region

  // The allocation of a region that is not packed; kept after it was freed, to explain a use after free.
  char* data = nullptr;
  std::size_t bytes = 0;
  unsigned long long number = 0;
  const char* function = "";
  std::string name;  ///< what its owner calls it, or ""
};

/// One reservation of address space from which all memory of the emulator comes, so that a signal
/// handler can find the region of any address by a table look-up. Callers hold the memory lock for
/// everything not said to be signal-safe.
namespace arena {

inline constexpr std::size_t page = 4096;
inline constexpr std::size_t slot = 64 * 1024;
inline constexpr std::size_t huge_page = 2 * 1024 * 1024;

/// Takes a region for `bytes` of data that end flush with its last page; its pages are readable
/// and writable, and the region is not visible to `find` until `publish`. @return null when
/// address space or regions are exhausted.
Region* take(std::size_t bytes);

void publish(Region& region);

/// Gives the pages back to the system and closes the range for good: it is reused
/// only after thousands of others.
void give_back(Region& region);

/// The region around an address, its leading guard included, or null. Signal-safe.
Region* find(const void* address) noexcept;

/// Whether an address lies in the reservation, where nothing but the emulator's memory is.
bool holds(const void* address) noexcept;

/// The region that ends where the guard of `region` begins, or null.
Region* before(const Region& region) noexcept;

/// Makes a region accessible or inaccessible; an open one is put in the list of open regions. Signal-safe.
bool open(Region& region) noexcept;

/// Closes all open regions.
void close_all();

/// The list of open regions, by next_open.
Region* first_open() noexcept;

}  // namespace arena
}  // namespace warplab::emulator
