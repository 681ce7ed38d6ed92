#include "emulator/src/recorder/memory_kind.hpp"

#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <vector>

#include "emulator/src/memory/arena.hpp"
#include "emulator/src/memory/generation.hpp"
#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator::lens {
namespace {

struct Range {
  std::uintptr_t begin = 0, end = 0;
  bool holds(std::uintptr_t address) const { return address - begin < end - begin; }
};

// Segments of the program and of the modules that it has loaded, with this OS thread's copies of their
// thread-local variables, ascending; and its stack.
thread_local std::vector<Range> segments;
thread_local Range os_stack;
// The allocation outside the arena that was last asked for: a variable, as a rule.
thread_local Range last_variable;
thread_local MemoryKind last_kind;

/// Addresses that were found to be the program's own: arguments of kernels and indices, as a rule, which each
/// thread reads. They stay so while nothing is allocated or freed.
class OwnAddresses {
 public:
  bool holds(std::uintptr_t address, unsigned long long generation) {
    if (generation != generation_) {
      clear();
      generation_ = generation;
    }
    const Pair& pair = all_[place_of(address)];
    return address != 0 && (pair.last == address || pair.before == address);  // 0 stands for none
  }
  void add(std::uintptr_t address) {
    Pair& pair = all_[place_of(address)];
    pair = {address, pair.last};
  }
  void clear() { all_.fill({}); }

 private:
  /// Two at a place: a thread that reads both in turn must not lose one for the other each time.
  struct Pair {
    std::uintptr_t last = 0, before = 0;
  };
  static std::size_t place_of(std::uintptr_t address) {
    return static_cast<std::size_t>(address * 0x9e3779b97f4a7c15ull >> 57);
  }
  std::array<Pair, 128> all_{};
  unsigned long long generation_ = 0;
};
thread_local constinit OwnAddresses own_addresses;

int add_segments(dl_phdr_info* info, std::size_t, void*) {
  const auto thread_local_data = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD) {
      const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
      segments.push_back({begin, begin + segment.p_memsz});
    } else if (segment.p_type == PT_TLS && thread_local_data != 0) {
      segments.push_back({thread_local_data, thread_local_data + segment.p_memsz});
    }
  }
  return 0;
}

bool is_own(std::uintptr_t address) {
  const auto after = std::upper_bound(segments.begin(), segments.end(), address,
                                      [](std::uintptr_t a, const Range& r) { return a < r.begin; });
  if (after != segments.begin() && std::prev(after)->holds(address)) return true;
  if (os_stack.holds(address)) return true;
  // What the C library keeps of the thread lies around the thread pointer.
  constexpr std::uintptr_t reach = 4096;
  const auto thread = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
  return address - (thread - reach) < 2 * reach;
}

// Just outside a __device__ or __constant__ variable: the instrumented build has data of its own
// elsewhere, so that one is meant.
bool is_beside_a_symbol(std::uintptr_t address) {
  constexpr std::uintptr_t reach = 256;
  const auto [before, after] = neighbours_of(reinterpret_cast<const void*>(address));
  const auto is_near = [&](const std::optional<Allocation>& a) {
    if (!a || a->space != Space::symbol) return false;
    const auto begin = reinterpret_cast<std::uintptr_t>(a->data);
    return address < begin ? begin - address <= reach : address - (begin + a->bytes) <= reach;
  };
  return is_near(before) || is_near(after);
}

}  // namespace

void refresh_memory_kinds() {
  segments.clear();
  dl_iterate_phdr(add_segments, nullptr);
  std::sort(segments.begin(), segments.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  last_variable = {};
  own_addresses.clear();
  pthread_attr_t attributes;
  if (os_stack.end == 0 && pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* begin = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &begin, &bytes);
    pthread_attr_destroy(&attributes);
    os_stack = {reinterpret_cast<std::uintptr_t>(begin), reinterpret_cast<std::uintptr_t>(begin) + bytes};
  }
}

MemoryKind memory_kind(const void* address) noexcept {
  if (arena::find(address) != nullptr) return MemoryKind::global;
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (last_variable.holds(place)) return last_kind;
  const unsigned long long generation = allocation_generation();
  if (own_addresses.holds(place, generation)) return MemoryKind::own;
  if (const std::optional<Allocation> known = find_allocation(address)) {
    const auto begin = reinterpret_cast<std::uintptr_t>(known->data);
    last_variable = {begin, begin + known->bytes};
    last_kind = known->is_constant ? MemoryKind::constant : MemoryKind::global;
    return last_kind;
  }
  if (!is_own(place) || is_beside_a_symbol(place)) return MemoryKind::unknown;
  own_addresses.add(place);
  return MemoryKind::own;
}

}  // namespace warplab::emulator::lens
