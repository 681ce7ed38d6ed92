#include "strict/heap.hpp"

#include <sys/mman.h>

#include <map>
#include <mutex>
#include <new>

namespace warplab::emulator::strict {
namespace {

constexpr std::size_t heap_bytes = std::size_t{256} << 20;

/// Blocks by address; what describes them lies elsewhere.
struct Heap {
  std::mutex mutex;
  std::uintptr_t begin = 0, next = 0;
  std::map<std::uintptr_t, std::size_t> live;
  std::multimap<std::size_t, std::uintptr_t> idle;
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
  if (const auto known = h.idle.find(bytes); known != h.idle.end()) {
    place = known->second;
    h.idle.erase(known);
  } else {
    if (bytes > h.begin + heap_bytes - h.next) throw std::bad_alloc();
    place = h.next;
    h.next += bytes;
  }
  h.live[place] = bytes;
  return reinterpret_cast<void*>(place);
}

void free_guarded(void* pointer) noexcept {
  Heap& h = heap();
  const std::lock_guard lock(h.mutex);
  const auto known = h.live.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (known == h.live.end()) return;
  h.idle.emplace(known->second, known->first);
  h.live.erase(known);
}

bool is_guarded_heap(std::uintptr_t address, std::size_t bytes, std::size_t most) noexcept {
  Heap& h = heap();
  const std::lock_guard lock(h.mutex);
  if (address - h.begin >= heap_bytes || h.live.empty()) return false;
  auto after = h.live.upper_bound(address);
  if (after == h.live.begin()) return false;
  --after;
  if (after->second > most) return false;
  return address - after->first < after->second && bytes <= after->second - (address - after->first);
}

}  // namespace warplab::emulator::strict
