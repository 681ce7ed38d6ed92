#include "emulator/src/memory/memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/base/errors.hpp"
#include "emulator/src/memory/arena.hpp"
#include "emulator/src/memory/device_memory.hpp"
#include "warplab_emulator/api/memory_names.hpp"

namespace warplab::emulator {

constinit std::atomic<unsigned long long> allocation_changes{0};

namespace {

// What lies between the data and the inaccessible guards: a NaN in every type, never the poison, and another
// one around the next allocation, so that what a kernel copies or adds from pad to pad shows.
constexpr unsigned guard_word(unsigned long long number) {
  const auto low = static_cast<unsigned>(0x81 + number % 0x79);  // no byte that is often written
  return 0xFF00FF00u | low << 16 | low;
}
// Of regions that small allocations share.
constexpr unsigned shared_guard_word = guard_word(0);
constexpr std::size_t packed_pad = 256;
// Each open region costs two mappings of the 65530 that Linux allows a process; beyond
// this many, small ones share one.
constexpr std::size_t max_guarded_regions = 8000;
constexpr std::size_t packed_region_bytes = 256 * 1024;
constexpr std::size_t largest_packed = 32 * 1024;

struct Memory {
  std::mutex lock;
  std::map<const char*, Allocation, std::less<>>
      allocations;                              // by address; symbols and registered ranges too
  std::map<const Region*, Space> host_visible;  // regions that are never closed
  Region* packing[3 * max_devices] = {};        // device, managed, pinned: where small ones go
  char* packing_next[3 * max_devices] = {};
  std::size_t guarded_regions = 0;
  std::size_t device_bytes[max_devices] = {};
  unsigned long long count = 0;
};

Memory& memory() {
  static Memory& instance = *new Memory;
  return instance;
}

std::size_t round_up(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

void fill(char* begin, std::size_t bytes, unsigned word) {
  // The word is made of two equal halves: any even offset sees the same pattern, an
  // odd first byte is written apart.
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(begin);
  const auto byte_at = [word](std::uintptr_t a) { return static_cast<char>(word >> (8 * (a % 4))); };
  std::size_t i = 0;
  for (; i < bytes && (address + i) % 8 != 0; ++i) begin[i] = byte_at(address + i);
  const std::uint64_t pair = std::uint64_t{word} << 32 | word;
  std::uint64_t* const words = reinterpret_cast<std::uint64_t*>(begin + i);
  const std::size_t count = (bytes - i) / 8;
  std::fill_n(words, count, pair);
  for (i += count * 8; i < bytes; ++i) begin[i] = byte_at(address + i);
}

// The first and one past the last byte of [begin, end) that no longer hold the guard pattern.
std::pair<const char*, const char*> touched(const char* begin, const char* end, unsigned word) {
  const auto is_intact = [&](const char* p) {
    return *p == static_cast<char>(word >> (8 * (reinterpret_cast<std::uintptr_t>(p) % 4)));
  };
  constexpr std::ptrdiff_t period = 4;
  const char* first = begin;
  const char* const period_end = begin + std::min(end - begin, period);
  while (first < period_end && is_intact(first)) ++first;
  if (first == end) return {end, end};
  // After each launch, so it is quick: all bytes are equal to those a period before them.
  if (first - begin == period && std::memcmp(begin, first, static_cast<std::size_t>(end - first)) == 0)
    return {end, end};
  while (first < end && is_intact(first)) ++first;
  const char* last = end;
  while (last > first && is_intact(last - 1)) --last;
  return {first, last};
}

int packing_index(Space space) {
  return 3 * current_device() + (space == Space::device ? 0 : space == Space::managed ? 1 : 2);
}

// A region for one allocation, filled and published.
Region* guarded_region(Memory& m, std::size_t bytes, Space space, const char* function,
                       unsigned long long number) {
  Region* const region = arena::take(bytes);
  if (!region) return nullptr;
  region->space = space;
  region->device = current_device();
  region->bytes = bytes;
  region->number = number;
  region->function = function;
  region->name.clear();
  fill(region->begin, static_cast<std::size_t>(region->data - region->begin), guard_word(number));
  fill(region->data + bytes, static_cast<std::size_t>(region->end - region->data) - bytes,
       guard_word(number));
  poison(region->data, bytes);
  arena::publish(*region);
  if (space != Space::device) m.host_visible[region] = space;
  ++m.guarded_regions;
  return region;
}

// Room in a region that many small allocations share; between them lie pads.
Region* packed_region(Memory& m, std::size_t bytes, Space space, char** data) {
  Region*& region = m.packing[packing_index(space)];
  char*& next = m.packing_next[packing_index(space)];
  const std::size_t need = round_up(bytes) + packed_pad;
  if (!region || next + need > region->end) {
    region = arena::take(packed_region_bytes);
    if (!region) return nullptr;
    region->space = space;
    region->device = current_device();
    region->packed = true;
    region->function = "many small allocations";
    region->bytes = packed_region_bytes;
    fill(region->begin, static_cast<std::size_t>(region->end - region->begin), shared_guard_word);
    next = region->begin + packed_pad;
    arena::publish(*region);
    if (space != Space::device) m.host_visible[region] = space;
  }
  *data = next;
  next += need;
  if (space == Space::device) arena::open(*region);  // what the host may use is never closed
  poison(*data, bytes);
  ++region->live;
  return region;
}

void forget_region(Memory& m, Region& region) {
  m.host_visible.erase(&region);
  for (Region*& packing : m.packing)
    if (packing == &region) packing = nullptr;
  if (!region.packed) --m.guarded_regions;
  arena::give_back(region);
}

void erase_allocation(Memory& m, std::map<const char*, Allocation, std::less<>>::iterator entry) {
  const Allocation& allocation = entry->second;
  if (allocation.space == Space::device || allocation.space == Space::managed)
    m.device_bytes[allocation.device] -= round_up(allocation.bytes);
  Region& region = *allocation.region;
  if (!region.packed || --region.live == 0) forget_region(m, region);
  ++allocation_changes;
  m.allocations.erase(entry);
}

}  // namespace

void poison(void* begin, std::size_t bytes) {
  constexpr std::size_t worth_threads = 16u << 20;
  char* const first = static_cast<char*>(begin);
  if (bytes < worth_threads) return fill(first, bytes, poison_word);  // a block's shared memory, for example
  const unsigned threads = std::min(std::max(std::thread::hardware_concurrency(), 1u), 8u);  // reads a file
  if (threads == 1) return fill(first, bytes, poison_word);
  // Most of the time goes into the system's zeroing of fresh pages, which threads share well.
  const std::size_t share = (bytes / threads + arena::huge_page) / arena::huge_page * arena::huge_page;
  std::vector<std::thread> others;
  others.reserve(threads);
  std::size_t begun = std::min(share, bytes);
  try {
    for (std::size_t next; begun < bytes; begun = next) {
      next = std::min(begun + share, bytes);
      others.emplace_back(fill, first + begun, next - begun, poison_word);
    }
  } catch (const std::system_error&) {  // the system has no thread left
  }
  fill(first, std::min(share, bytes), poison_word);
  fill(first + begun, bytes - begun, poison_word);
  for (std::thread& other : others) other.join();
}

cudaError_t allocate(void** pointer, std::size_t bytes, Space space, const char* function, const void* caller,
                     Asker asker) {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  const bool counts = space == Space::device || space == Space::managed;
  const std::size_t left =
      counts ? device_memory_total() - m.device_bytes[current_device()] : device_memory_total();
  if (bytes > left || round_up(bytes) > left || !host_can_provide(bytes)) {
    report(
        "%s of %zu bytes: the emulated device has %zu bytes (75 %% of this machine's memory%s) and %zu are "
        "in use",
        function, bytes, device_memory_total(), device_count() > 1 ? ", divided by the devices" : "",
        m.device_bytes[current_device()]);
    return cudaErrorMemoryAllocation;
  }
  Allocation allocation{.bytes = bytes,
                        .space = space,
                        .number = ++m.count,
                        .function = function,
                        .caller = caller,
                        .device = current_device(),
                        .asker = asker};
  if (m.guarded_regions >= max_guarded_regions && bytes <= largest_packed) {
    allocation.region = packed_region(m, bytes, space, &allocation.data);
  } else {
    allocation.region = guarded_region(m, bytes, space, function, allocation.number);
    if (allocation.region) allocation.data = allocation.region->data;
  }
  if (!allocation.region) {
    report("%s of %zu bytes: the system gives this process no more address space or mappings", function,
           bytes);
    return cudaErrorMemoryAllocation;
  }
  if (counts) m.device_bytes[allocation.device] += round_up(bytes);
  *pointer = allocation.data;
  ++allocation_changes;
  m.allocations.emplace(allocation.data, std::move(allocation));
  return cudaSuccess;
}

cudaError_t release(void* pointer, Space space, const char* function, Asker asker) {
  Memory& m = memory();
  bool is_of_kernel = false;
  const char* right_function = nullptr;
  {
    const std::lock_guard lock(m.lock);
    const auto found = m.allocations.find(static_cast<const char*>(pointer));
    if (found != m.allocations.end() && found->second.region) {
      const Space actual = found->second.space;
      right_function = actual == Space::pinned ? "cudaFreeHost" : "cudaFree";
      is_of_kernel = found->second.asker == Asker::kernel;
      if (found->second.asker == asker &&
          (actual == space || (space == Space::device && actual == Space::managed))) {
        erase_allocation(m, found);
        return cudaSuccess;
      }
    }
  }
  if (asker == Asker::kernel)
    report("%s(%p) in a kernel: this is %s; a kernel frees what cudaMalloc gave a kernel, once", function,
           pointer, describe_address(pointer).c_str());
  else if (is_of_kernel)
    report("%s(%p): a kernel's cudaMalloc gave this memory, so only a kernel can free it", function, pointer);
  else if (right_function != nullptr)
    report("%s(%p): this is %s; free it with %s", function, pointer, describe_address(pointer).c_str(),
           right_function);
  else
    report("%s(%p): this is %s; free the pointer that %s returned, once", function, pointer,
           describe_address(pointer).c_str(), space == Space::device ? "cudaMalloc" : "cudaMallocHost");
  return cudaErrorInvalidValue;
}

void release_all(int device) {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  ++allocation_changes;
  for (auto entry = m.allocations.begin(); entry != m.allocations.end();) {
    const auto next = std::next(entry);
    const bool is_its_own = entry->second.device == device;
    if (is_its_own && entry->second.region)
      erase_allocation(m, entry);
    else if (is_its_own && entry->second.space == Space::pinned)
      m.allocations.erase(entry);
    entry = next;
  }
}

void name_memory(const void* address, const char* name) {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  const auto after = m.allocations.upper_bound(static_cast<const char*>(address));
  if (after == m.allocations.begin()) return;
  Allocation& allocation = std::prev(after)->second;
  if (address != allocation.data && address >= allocation.data + allocation.bytes) return;
  allocation.name = name;
  if (allocation.region && !allocation.region->packed) allocation.region->name = name;
}

std::optional<Allocation> find_allocation(const void* address) {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  const auto* const byte = static_cast<const char*>(address);
  auto after = m.allocations.upper_bound(byte);
  if (after == m.allocations.begin()) return std::nullopt;
  const Allocation& candidate = std::prev(after)->second;
  if (byte >= candidate.data + candidate.bytes) return std::nullopt;
  return candidate;
}

Neighbours neighbours_of(const void* address) {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  Neighbours found;
  const auto after = m.allocations.upper_bound(static_cast<const char*>(address));
  if (after != m.allocations.end()) found.after = after->second;
  if (after != m.allocations.begin()) found.before = std::prev(after)->second;
  return found;
}

cudaError_t register_host(void* pointer, std::size_t bytes) {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  char* const data = static_cast<char*>(pointer);
  auto after = m.allocations.lower_bound(data + bytes);
  if (after != m.allocations.begin()) {
    const Allocation& previous = std::prev(after)->second;
    if (previous.data + previous.bytes > data) {
      report("cudaHostRegister(%p, %zu): part of this range is already known to CUDA (%s)", pointer, bytes,
             previous.function.c_str());
      return cudaErrorHostMemoryAlreadyRegistered;
    }
  }
  ++allocation_changes;
  m.allocations.emplace(data, Allocation{.data = data,
                                         .bytes = bytes,
                                         .space = Space::pinned,
                                         .number = ++m.count,
                                         .function = "cudaHostRegister",
                                         .device = current_device()});
  return cudaSuccess;
}

cudaError_t unregister_host(void* pointer) {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  const auto found = m.allocations.find(static_cast<const char*>(pointer));
  if (found == m.allocations.end() || found->second.region || found->second.space != Space::pinned)
    return cudaErrorHostMemoryNotRegistered;
  ++allocation_changes;
  m.allocations.erase(found);
  return cudaSuccess;
}

void register_symbol(const void* address, std::size_t bytes, const char* name, bool constant,
                     bool read_only) {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  char* const data = static_cast<char*>(const_cast<void*>(address));
  // A module that was unloaded may have left symbols where the next one has its own.
  for (auto old = m.allocations.lower_bound(data); old != m.allocations.end() && old->first < data + bytes;)
    old = m.allocations.erase(old);
  const std::string kind = constant ? "__constant__ variable " : "__device__ variable ";
  ++allocation_changes;
  m.allocations.insert_or_assign(data, Allocation{.data = data,
                                                  .bytes = bytes,
                                                  .space = Space::symbol,
                                                  .function = kind + name,
                                                  .host_has_address = false,
                                                  .is_constant = constant,
                                                  .read_only = read_only});
}

void give_symbol_address(const void* address) {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  const auto after = m.allocations.upper_bound(static_cast<const char*>(address));
  if (after != m.allocations.begin()) std::prev(after)->second.host_has_address = true;
}

std::vector<LiveAllocation> live_allocations() {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  std::vector<LiveAllocation> live;
  for (const auto& [address, a] : m.allocations)
    if (a.space != Space::symbol)
      live.push_back({address, a.bytes, a.space, a.number, a.function, a.caller,
                      a.space == Space::pinned && a.region == nullptr});
  std::sort(live.begin(), live.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return live;
}

std::size_t device_memory_used(int device) {
  const std::lock_guard lock(memory().lock);
  return memory().device_bytes[device];
}

Space space_of(const void* address) {
  if (const Region* const region = arena::find(address)) return region->space;
  const std::optional<Allocation> known = find_allocation(address);
  return known ? known->space : Space::host;
}

bool open_for_device(const void* address) noexcept {
  Region* const region = arena::find(address);
  if (!region || region->space != Space::device || owner_without_access(address) >= 0) return false;
  const auto* const byte = static_cast<const char*>(address);
  return byte >= region->begin && byte < region->end && arena::open(*region);
}

bool is_device_only(const void* address) noexcept {
  const Region* const region = arena::find(address);
  return region && region->space == Space::device;
}

int owner_without_access(const void* address) noexcept {
  const Region* const region = arena::find(address);
  const int device = working_device();
  if (device < 0 || !region || region->space != Space::device || may_reach(device, region->device)) return -1;
  return region->also_for.load(std::memory_order_relaxed) >> device & 1 ? -1 : region->device;
}

void let_device_touch(const void* address, int device, bool allowed) {
  Region* const region = arena::find(address);
  if (!region) return;
  const auto bit = static_cast<std::uint8_t>(1u << device);
  if (allowed)
    region->also_for.fetch_or(bit, std::memory_order_relaxed);
  else
    region->also_for.fetch_and(static_cast<std::uint8_t>(~bit), std::memory_order_relaxed);
}

void close_device_memory() { arena::close_all(); }

WorkingDevice::WorkingDevice(int device) {
  if (device_count() > 1) arena::close_all();  // what a copy or another device has opened
  set_working_device(device);
}

WorkingDevice::~WorkingDevice() {
  if (device_count() > 1) arena::close_all();
  set_working_device(-1);
}

namespace {

// Reports and repairs one pad of the allocation `data` of so many bytes.
bool check_pad(const char* begin, const char* end, const char* data, std::size_t bytes, const char* function,
               unsigned long long number, Space space, const char* kernel, bool packed) {
  const unsigned word = packed ? shared_guard_word : guard_word(number);
  const auto [first, last] = touched(begin, end, word);
  if (first == end) return true;
  const bool past = first >= data;
  const std::ptrdiff_t distance = past ? first - (data + bytes) : data - first;
  report(
      "kernel %s%s wrote outside its memory: %td bytes were changed, the first %td bytes %s a %zu-byte %s "
      "(number %llu), at offset %td; is an index not guarded against the size?",
      kernel, space == Space::device ? "" : " (or host code before it)", last - first, distance,
      past ? "past the end of" : "before the start of", bytes, function, number, first - data);
  fill(const_cast<char*>(first), static_cast<std::size_t>(last - first), word);
  return false;
}

bool check_region(Memory& m, const Region& r, const char* kernel) {
  if (!r.packed)
    return check_pad(r.begin, r.data, r.data, r.bytes, r.function, r.number, r.space, kernel, r.packed) &&
           check_pad(r.data + r.bytes, r.end, r.data, r.bytes, r.function, r.number, r.space, kernel,
                     r.packed);
  auto entry = m.allocations.lower_bound(r.begin);
  bool intact = true;
  for (const char* pad = r.begin; intact && entry != m.allocations.end() && entry->first < r.end; ++entry) {
    const Allocation& a = entry->second;
    // Half of the pad between two allocations is blamed on each.
    const char* const end = a.data + a.bytes;
    const char* const next = a.data + round_up(a.bytes) + packed_pad / 2;
    intact = check_pad(std::max<const char*>(pad, a.data - packed_pad / 2), a.data, a.data, a.bytes,
                       a.function.c_str(), a.number, a.space, kernel, r.packed) &&
             check_pad(end, next, a.data, a.bytes, a.function.c_str(), a.number, a.space, kernel, r.packed);
    pad = next;
  }
  return intact;
}

}  // namespace

// A closed region cannot have been written to, so only open ones are looked at.
cudaError_t check_guard_zones(const char* kernel) {
  Memory& m = memory();
  const std::lock_guard lock(m.lock);
  bool intact = true;
  for (const Region* r = arena::first_open(); r && intact; r = r->next_open)
    if (r->state == Region::State::open) intact = check_region(m, *r, kernel);
  for (auto entry = m.host_visible.begin(); entry != m.host_visible.end() && intact; ++entry)
    intact = check_region(m, *entry->first, kernel);
  return intact ? cudaSuccess : cudaErrorIllegalAddress;
}

}  // namespace warplab::emulator
