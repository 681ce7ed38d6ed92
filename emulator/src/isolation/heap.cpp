#include "emulator/src/isolation/heap.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include "emulator/src/base/round_up.hpp"

namespace warplab::emulator::isolation {
namespace {

constexpr std::size_t heap_bytes = std::size_t{256} << 20;

/// What a block takes of the range: so each begins at a multiple of the largest alignment that types ask for.
constexpr std::size_t taken(std::size_t bytes) { return round_up(bytes, guarded_alignment); }

/// Blocks by address; what describes them lies elsewhere.
struct Heap {
  std::mutex mutex;
  std::uintptr_t begin = 0, next = 0;
  std::map<std::uintptr_t, std::size_t> live;  ///< how many bytes
  std::multimap<std::size_t, std::uintptr_t> idle;

  bool holds(std::uintptr_t address, std::size_t size) const {
    if (address - begin >= heap_bytes || live.empty()) return false;
    auto after = live.upper_bound(address);
    if (after == live.begin()) return false;
    const auto& [first, bytes] = *--after;
    const std::size_t offset = address - first;
    return offset < bytes && size <= bytes - offset;
  }
};

Heap& heap() {
  static auto& instance = *new Heap;
  return instance;
}

}  // namespace

void* allocate_guarded(std::size_t bytes) {
  Heap& h = heap();
  const std::lock_guard lock(h.mutex);
  if (bytes > heap_bytes) throw std::bad_alloc();
  bytes = (bytes + 15) / 16 * 16 + (bytes == 0 ? 16 : 0);
  if (h.begin == 0) {
    void* const memory =
        mmap(nullptr, heap_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    h.begin = h.next = reinterpret_cast<std::uintptr_t>(memory);
  }
  std::uintptr_t place = 0;
  if (const auto known = h.idle.find(taken(bytes)); known != h.idle.end()) {
    place = known->second;
    h.idle.erase(known);
  } else {
    if (taken(bytes) > h.begin + heap_bytes - h.next) throw std::bad_alloc();
    place = h.next;
    h.next += taken(bytes);
  }
  h.live[place] = bytes;
  return reinterpret_cast<void*>(place);
}

void free_guarded(void* pointer) noexcept {
  Heap& h = heap();
  const std::lock_guard lock(h.mutex);
  const auto known = h.live.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (known == h.live.end()) return;
  h.idle.emplace(taken(known->second), known->first);
  h.live.erase(known);
}

void* reallocate_guarded(void* pointer, std::size_t bytes) {
  std::size_t old_bytes = 0;
  {
    Heap& h = heap();
    const std::lock_guard lock(h.mutex);
    const auto known = h.live.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (known == h.live.end()) return nullptr;
    old_bytes = known->second;
  }
  void* const block = allocate_guarded(bytes);
  std::memcpy(block, pointer, std::min(bytes, old_bytes));
  free_guarded(pointer);
  return block;
}

bool is_heap_of_host(std::uintptr_t address, std::size_t bytes) noexcept {
  Heap& h = heap();
  const std::lock_guard lock(h.mutex);
  return h.holds(address, bytes);
}

}  // namespace warplab::emulator::isolation
