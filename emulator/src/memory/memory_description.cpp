#include <cstdarg>
#include <cstdint>
#include <cstdio>

#include "emulator/src/memory/arena.hpp"
#include "emulator/src/memory/memory.hpp"

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

std::string name_of(std::size_t bytes, const char* function, unsigned long long number,
                    const std::string& name) {
  if (!name.empty()) return text("%s (%zu bytes)", name.c_str(), bytes);
  return text("a %zu-byte %s (number %llu)", bytes, function, number);
}

LikelyTarget target_in(const Allocation& a) {
  return {
      a.data, a.bytes,
      a.space == Space::symbol ? "the " + a.function : name_of(a.bytes, a.function.c_str(), a.number, a.name),
      false};
}

// How far an address is from an allocation.
std::ptrdiff_t distance(const Allocation& a, const char* byte) {
  return byte < a.data ? a.data - byte : byte - (a.data + a.bytes);
}

// The nearer neighbour, if one is within `reach` bytes.
std::optional<LikelyTarget> nearer_neighbour(const char* byte, std::ptrdiff_t reach, bool symbols) {
  const auto [before, after] = neighbours_of(byte);
  const auto near = [&](const std::optional<Allocation>& a) {
    return a && (a->space == Space::symbol) == symbols && distance(*a, byte) <= reach;
  };
  if (near(before) && (!near(after) || distance(*before, byte) <= distance(*after, byte)))
    return target_in(*before);
  return near(after) ? std::optional(target_in(*after)) : std::nullopt;
}

// An address in or near a region.
LikelyTarget target_in(const Region& r, const char* byte) {
  if (!r.packed)
    return {r.data, r.bytes, name_of(r.bytes, r.function, r.number, r.name), r.state == Region::State::freed};
  if (const std::optional<LikelyTarget> small = nearer_neighbour(byte, r.end - r.begin, false)) return *small;
  return {r.begin, static_cast<std::size_t>(r.end - r.begin), "a block of small allocations", true};
}

}  // namespace

std::optional<LikelyTarget> likely_target(const void* address) {
  if (const std::optional<Allocation> a = find_allocation(address)) return target_in(*a);
  const auto* const byte = static_cast<const char*>(address);
  const Region* const region = arena::find(address);
  if (!region) {  // perhaps after the last region: there is nothing to find
    constexpr std::ptrdiff_t step = 64 * 1024, reach = 256 * step, symbols_reach = 4096;
    for (std::ptrdiff_t back = step; back <= reach; back += step)
      if (const Region* const previous = arena::find(byte - back)) return target_in(*previous, byte);
    if (arena::holds(address)) return nearer_neighbour(byte, PTRDIFF_MAX, false);
    return nearer_neighbour(byte, symbols_reach, true);
  }
  // A guard is between two regions: the nearer one is meant.
  if (byte < region->begin)
    if (const Region* const previous = arena::before(*region))
      if (byte - previous->end < region->begin - byte) return target_in(*previous, byte);
  return target_in(*region, byte);
}

std::string describe_address(const void* address) {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  if (value == 0) return "a null pointer";
  if (value < 65536) return text("%zu bytes from a null pointer", static_cast<std::size_t>(value));
  const std::optional<LikelyTarget> target = likely_target(address);
  if (!target) return "host memory";

  const auto* const byte = static_cast<const char*>(address);
  const std::string name = target->name + (target->freed ? " that has been freed" : "");
  if (byte < target->data) return text("%td bytes before the start of %s", target->data - byte, name.c_str());
  const std::size_t offset = static_cast<std::size_t>(byte - target->data);
  if (offset < target->bytes) return text("byte %zu of %s", offset, name.c_str());
  if (offset == target->bytes) return text("just past the end of %s", name.c_str());
  return text("%zu bytes past the end of %s", offset - target->bytes, name.c_str());
}

}  // namespace warplab::emulator
