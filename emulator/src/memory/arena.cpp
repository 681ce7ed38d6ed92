#include "emulator/src/memory/arena.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <deque>
#include <map>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "emulator/src/base/round_up.hpp"

namespace warplab::emulator::arena {
namespace {

constexpr std::size_t largest_arena = std::size_t{4} << 40;
constexpr std::size_t smallest_arena = std::size_t{1} << 30;
constexpr std::size_t max_regions = 1 << 16;
constexpr std::size_t quarantine_limit = 4096;

char* align_up(char* address, std::size_t alignment) {
  return reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(address) + alignment - 1) &
                                 ~(alignment - 1));
}

char* reserve(std::size_t bytes, int protection) {
  void* address = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address == MAP_FAILED ? nullptr : static_cast<char*>(address);
}

struct Arena {
  char* begin = nullptr;
  char* end = nullptr;
  std::atomic<std::uint32_t>* region_of_slot = nullptr;  // 1 + index of the region, 0 for none
  Region* regions = nullptr;

  char* fresh = nullptr;  // never used from here on
  std::size_t used_regions = 0;
  std::vector<Region*> unused_regions;
  std::deque<Region*> quarantine;                      // freed, oldest first
  std::map<char*, std::size_t> free_ranges;            // released from quarantine, neighbours merged
  std::set<std::pair<std::size_t, char*>> free_sizes;  // the same by size

  // A limit on address space (ulimit -v) leaves a smaller arena rather than none.
  Arena() {
    for (std::size_t bytes = largest_arena; bytes >= smallest_arena && !begin; bytes /= 2) {
      char* const range = reserve(bytes, PROT_NONE);
      if (!range) continue;
      char* const slots = reserve(bytes / slot * sizeof(std::uint32_t), PROT_READ | PROT_WRITE);
      if (!slots) {
        munmap(range, bytes);
        continue;
      }
      begin = fresh = align_up(range, huge_page);
      end = range + bytes - huge_page;
      region_of_slot = reinterpret_cast<std::atomic<std::uint32_t>*>(slots);
    }
    regions = reinterpret_cast<Region*>(reserve(max_regions * sizeof(Region), PROT_READ | PROT_WRITE));
    if (!regions) end = fresh;
  }

  void add_free(char* address, std::size_t bytes) {
    auto next = free_ranges.lower_bound(address);
    if (next != free_ranges.end() && address + bytes == next->first) {
      bytes += next->second;
      free_sizes.erase({next->second, next->first});
      next = free_ranges.erase(next);
    }
    if (next != free_ranges.begin()) {
      const auto previous = std::prev(next);
      if (previous->first + previous->second == address) {
        address = previous->first;
        bytes += previous->second;
        free_sizes.erase({previous->second, previous->first});
        free_ranges.erase(previous);
      }
    }
    free_ranges[address] = bytes;
    free_sizes.insert({bytes, address});
  }

  // Ranges return to use in the order in which they were freed.
  void release_oldest() {
    while (quarantine.size() > quarantine_limit && !quarantine.front()->listed) {
      Region* const region = quarantine.front();
      quarantine.pop_front();
      for (char* s = region->guard; s < region->end; s += slot)
        slot_at(s).store(0, std::memory_order_release);
      add_free(region->guard, static_cast<std::size_t>(region->end - region->guard));
      region->state = Region::State::unused;
      unused_regions.push_back(region);
    }
  }

  std::atomic<std::uint32_t>& slot_at(const char* address) const {
    return region_of_slot[static_cast<std::size_t>(address - begin) / slot];
  }
};

// Constructed before the first look-up can matter, and never destroyed: static
// destructors may still free memory.
Arena& the_arena() {
  static Arena& instance = *new Arena;
  return instance;
}

std::atomic<Region*> open_regions{nullptr};

// What the signal handler reads: set once, when the arena exists.
std::atomic<const Arena*> visible{nullptr};

}  // namespace

Region* take(std::size_t bytes) {
  Arena& a = the_arena();
  visible.store(&a, std::memory_order_release);
  const std::size_t data = round_up(bytes, 256);
  const std::size_t pages = round_up(data, page);
  const std::size_t alignment = bytes >= huge_page ? huge_page : slot;
  if (pages < bytes || pages > static_cast<std::size_t>(a.end - a.begin)) return nullptr;

  char* guard = a.fresh;
  std::size_t room = static_cast<std::size_t>(a.end - a.fresh);
  bool reused = false;
  if (const auto fit = a.free_sizes.lower_bound({pages + slot + alignment, nullptr});
      fit != a.free_sizes.end()) {
    room = fit->first;
    guard = fit->second;
    reused = true;
  }
  char* const end = align_up(guard + slot + pages, alignment);
  if (static_cast<std::size_t>(end - guard) > room) return nullptr;

  Region* region = nullptr;
  if (!a.unused_regions.empty()) {
    region = a.unused_regions.back();
    a.unused_regions.pop_back();
  } else if (a.used_regions < max_regions) {
    region = new (a.regions + a.used_regions++) Region;
  } else {
    return nullptr;
  }
  if (mprotect(end - pages, pages, PROT_READ | PROT_WRITE) != 0) {
    a.unused_regions.push_back(region);
    return nullptr;
  }
  // With huge pages, opening and closing 192 MiB costs microseconds, not milliseconds.
  if (bytes >= huge_page) madvise(end - pages, pages, MADV_HUGEPAGE);

  if (reused) {
    a.free_ranges.erase(guard);
    a.free_sizes.erase({room, guard});
    if (end < guard + room) a.add_free(end, static_cast<std::size_t>(guard + room - end));
  } else {
    a.fresh = end;
  }
  region->guard = guard;
  region->begin = end - pages;
  region->end = end;
  region->data = end - data;
  region->packed = false;
  region->also_for = 0;
  region->live = 0;
  region->next_open = nullptr;
  return region;
}

void publish(Region& region) {
  Arena& a = the_arena();
  region.state = Region::State::closed;
  if (region.space == Space::device)
    mprotect(region.begin, static_cast<std::size_t>(region.end - region.begin), PROT_NONE);
  const auto entry = static_cast<std::uint32_t>(&region - a.regions) + 1;
  for (char* s = region.guard; s < region.end; s += slot)
    a.slot_at(s).store(entry, std::memory_order_release);
}

void give_back(Region& region) {
  Arena& a = the_arena();
  region.state = Region::State::freed;
  mmap(region.begin, static_cast<std::size_t>(region.end - region.begin), PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  a.quarantine.push_back(&region);
  a.release_oldest();
}

Region* find(const void* address) noexcept {
  const Arena* const a = visible.load(std::memory_order_acquire);
  const auto* const byte = static_cast<const char*>(address);
  if (!a || byte < a->begin || byte >= a->end) return nullptr;
  const std::uint32_t entry = a->slot_at(byte).load(std::memory_order_acquire);
  return entry ? a->regions + (entry - 1) : nullptr;
}

bool holds(const void* address) noexcept {
  const Arena* const a = visible.load(std::memory_order_acquire);
  return a && address >= a->begin && address < a->end;
}

Region* before(const Region& region) noexcept {
  Region* const previous = find(region.guard - 1);
  return previous && previous->end == region.guard ? previous : nullptr;
}

bool open(Region& region) noexcept {
  Region::State state = region.state.load(std::memory_order_acquire);
  if (state == Region::State::open) return true;  // another thread was faster
  if (state != Region::State::closed) return false;
  const int saved = errno;
  const bool opened = mprotect(region.begin, static_cast<std::size_t>(region.end - region.begin),
                               PROT_READ | PROT_WRITE) == 0;
  errno = saved;
  if (!opened) return false;
  if (!region.state.compare_exchange_strong(state, Region::State::open)) return state == Region::State::open;
  region.listed = true;
  region.next_open = open_regions.load(std::memory_order_relaxed);
  while (!open_regions.compare_exchange_weak(region.next_open, &region, std::memory_order_release)) {
  }
  return true;
}

void close_all() {
  if (!open_regions.load(std::memory_order_relaxed)) return;
  for (Region* region = open_regions.exchange(nullptr, std::memory_order_acquire); region;) {
    Region* const next = region->next_open;
    if (region->state == Region::State::open) {
      mprotect(region->begin, static_cast<std::size_t>(region->end - region->begin), PROT_NONE);
      region->state = Region::State::closed;
    }
    region->listed = false;
    region = next;
  }
}

Region* first_open() noexcept { return open_regions.load(std::memory_order_acquire); }

}  // namespace warplab::emulator::arena
