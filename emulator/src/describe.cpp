#include <cstdarg>
#include <cstdint>
#include <cstdio>

#include "allocations.hpp"
#include "arena.hpp"
#include "memory.hpp"

namespace warplab::emulator {
namespace {

__attribute__((format(printf, 1, 2))) std::string text(const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

std::string what(std::size_t bytes, const char* function, unsigned long long number, bool freed) {
  return text("a %zu-byte %s (number %llu)%s", bytes, function, number, freed ? " that has been freed" : "");
}

// An address in or near a region of one allocation.
std::string relative_to(const Region& r, const char* byte) {
  const bool freed = r.state == Region::State::freed;
  const std::string name = r.packed
                               ? std::string("a block of small allocations") + (freed ? ", all freed" : "")
                               : what(r.bytes, r.function, r.number, freed);
  if (byte < r.data) return text("%td bytes before the start of %s", r.data - byte, name.c_str());
  const std::size_t offset = static_cast<std::size_t>(byte - r.data);
  if (offset < r.bytes) return text("byte %zu of %s", offset, name.c_str());
  if (offset == r.bytes) return text("just past the end of %s", name.c_str());
  return text("%zu bytes past the end of %s", offset - r.bytes, name.c_str());
}

}  // namespace

std::string describe_address(const void* address) {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  if (value == 0) return "a null pointer";
  if (value < 65536) return text("%zu bytes from a null pointer", static_cast<std::size_t>(value));
  const auto* const byte = static_cast<const char*>(address);

  if (const std::optional<Allocation> a = find_allocation(address)) {
    const std::size_t offset = static_cast<std::size_t>(byte - a->data);
    if (a->space == Space::symbol) return text("byte %zu of the %s", offset, a->function.c_str());
    return text("byte %zu of %s", offset, what(a->bytes, a->function.c_str(), a->number, false).c_str());
  }
  const Region* const region = arena::find(address);
  if (!region) {  // behind the last region, perhaps: nothing stands there to find
    constexpr std::ptrdiff_t step = 64 * 1024, reach = 256 * step;
    for (std::ptrdiff_t back = step; back <= reach; back += step)
      if (const Region* const previous = arena::find(byte - back)) return relative_to(*previous, byte);
    return "host memory";
  }
  // A guard stands between two regions: the nearer one is meant.
  if (byte < region->begin)
    if (const Region* const previous = arena::before(*region))
      if (byte - previous->end < region->begin - byte) return relative_to(*previous, byte);
  return relative_to(*region, byte);
}

}  // namespace warplab::emulator
