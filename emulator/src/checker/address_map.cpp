#include "emulator/src/checker/address_map.hpp"

#include <algorithm>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/memory/arena.hpp"
#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator::lens {
namespace {

using warplab::lens::FindingKind;
using warplab::lens::Hint;

std::string count(std::size_t n, const char* noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

// Where the bytes lie, seen from what they were meant to lie in: " just past the end of a 4096-byte
// cudaMalloc: element 1024 where there are 1024".
std::string whereabouts(std::uintptr_t address, std::size_t bytes, std::uintptr_t begin, std::size_t size,
                        const std::string& name) {
  std::string text;
  if (address < begin)
    text = ", " + count(begin - address, "byte") + " before the start of " + name;
  else if (address - begin == size)
    text = " just past the end of " + name;
  else if (address - begin > size)
    text = ", " + count(address - begin - size, "byte") + " past the end of " + name;
  else
    text =
        ", the last " + std::to_string(address + bytes - begin - size) + " of them past the end of " + name;
  if (address >= begin && (address - begin) % bytes == 0 && size % bytes == 0 && size >= bytes)
    text += ": element " + std::to_string((address - begin) / bytes) + " where there are " +
            std::to_string(size / bytes) + " of " + count(bytes, "byte");
  return text;
}

struct Cause {
  Hint hint;
  const char* text;  ///< after whereabouts()
};

Cause cause(std::uintptr_t address, std::size_t bytes, std::uintptr_t begin, std::size_t size) {
  constexpr std::size_t far = std::size_t{1} << 31;
  if (address < begin || (address - begin >= size && address - begin - size >= far))
    return {Hint::index_below_zero, "; is an index negative, or an unsigned difference below 0?"};
  if (address - begin < size && size % bytes != 0)
    return {Hint::odd_vector_size, "; is the size no multiple of the vector type's?"};
  if (address - begin == size)
    return {Hint::missing_guard,
            "; is a guard such as `if (i < n)` missing, `<=` written for `<`, or are two indices exchanged?"};
  return {Hint::missing_guard,
          "; is a guard such as `if (i < n)` missing, are two indices exchanged, or bytes counted "
          "as elements?"};
}

Misplaced outside(std::uintptr_t address, std::size_t bytes, std::uintptr_t begin, std::size_t size,
                  const std::string& name, const char* remark = "") {
  const Cause why = cause(address, bytes, begin, size);
  return {FindingKind::out_of_bounds, why.hint,
          whereabouts(address, bytes, begin, size, name) + remark + why.text};
}

}  // namespace

const GlobalRange* GlobalRanges::look_up(std::uintptr_t address, std::size_t bytes) {
  for (const GlobalRange& symbol : symbols_)
    if (symbol.holds(address, bytes)) return &symbol;
  const auto* const pointer = reinterpret_cast<const void*>(address);
  if (owner_without_access(pointer) >= 0) return nullptr;
  GlobalRange range;
  bool is_symbol = false;
  if (const std::optional<Allocation> a = find_allocation(pointer)) {
    range.begin = reinterpret_cast<std::uintptr_t>(a->data);
    range.end = range.begin + a->bytes;
    is_symbol = a->space == Space::symbol;
    range.constant = a->is_constant;
    if (a->space == Space::device) open_for_device(pointer);
  }
  if (!range.holds(address, bytes)) return nullptr;
  if (is_symbol) return &symbols_.emplace_back(range);
  return &(nearby_[slot(address)] = range);
}

Misplaced explain_global(std::uintptr_t address, std::size_t bytes, const Checker::Setup& setup) {
  if (address < 65536) {
    const std::string place =
        address == 0 ? " at a null pointer" : " at byte " + std::to_string(address) + " after a null pointer";
    return {FindingKind::out_of_bounds, Hint::null_pointer,
            place + "; was the pointer set, and did its cudaMalloc succeed?"};
  }
  const auto stacks = reinterpret_cast<std::uintptr_t>(setup.stacks_begin);
  if (address - stacks < setup.stacks_bytes)
    return {FindingKind::out_of_bounds, Hint::another_threads_variable,
            " in a local variable of another thread: its address means nothing outside its own thread"};
  const auto* const pointer = reinterpret_cast<const void*>(address);
  if (const int owner = owner_without_access(pointer); owner >= 0)
    return {FindingKind::out_of_bounds, Hint::none,
            " in memory of device " + std::to_string(owner) + ", which kernels of device " +
                std::to_string(working_device()) + " can't reach; call cudaDeviceEnablePeerAccess(" +
                std::to_string(owner) + ", 0) while it is current, or copy with cudaMemcpyPeer"};
  const std::optional<LikelyTarget> target = likely_target(pointer);
  if (!target)
    return {FindingKind::host_memory, Hint::pointer_to_host_memory,
            " in host memory, which most GPUs can't reach; copy it with cudaMemcpy, or pass it by value (a "
            "struct's pointer members are not copied with it)",
            true};
  const auto begin = reinterpret_cast<std::uintptr_t>(target->data);
  const std::string& name = target->name;
  if (target->freed && address >= begin && address < begin + target->bytes)
    return {FindingKind::use_after_free, Hint::pointer_outlives_memory,
            " at byte " + std::to_string(address - begin) + " of " + name +
                " that has been freed; does another copy of the pointer live on?"};
  Misplaced result =
      outside(address, bytes, begin, target->bytes, name, target->freed ? " (freed meanwhile)" : "");
  result.on_host = !arena::holds(pointer);
  return result;
}

void SharedLayout::begin(const Checker::SharedWindow& window) {
  static_ = reinterpret_cast<std::uintptr_t>(window.static_begin);
  static_bytes_ = std::min(window.static_bytes, max_static);
  dynamic_ = reinterpret_cast<std::uintptr_t>(window.dynamic_begin);
  dynamic_bytes_ = window.dynamic_bytes;
  area_begin_ = reinterpret_cast<std::uintptr_t>(window.area_begin);
  area_bytes_ = window.area_bytes;
  variables_.clear();
}

void SharedLayout::grow(std::size_t static_bytes) {
  static_bytes_ = std::min(std::max(static_bytes_, static_bytes), max_static);
}

void SharedLayout::add(const void* begin, std::size_t bytes, const char* name) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (variable(address, bytes) == nullptr) variables_.push_back({address, bytes, name});
  grow(address + bytes - static_);
}

GlobalRange SharedLayout::around(std::uintptr_t address) const {
  if (in_dynamic(address)) return {dynamic_, dynamic_ + dynamic_bytes_, false};
  if (const Variable* const v = variable(address, 1)) return {v->begin, v->begin + v->bytes, false};
  return {static_, static_ + static_bytes_, false};
}

std::string SharedLayout::name(std::uintptr_t address) const {
  if (in_dynamic(address)) return "dynamic shared memory (byte " + std::to_string(address - dynamic_) + ")";
  if (const Variable* const v = variable(address, 1))
    return std::string("'") + v->name + "' (byte " + std::to_string(address - v->begin) + ")";
  return "shared memory (byte " + std::to_string(address - static_) + ")";
}

Misplaced SharedLayout::explain(std::uintptr_t address, std::size_t bytes) const {
  const auto distance = [&](std::uintptr_t begin, std::size_t size) {
    return address < begin ? begin - address : address > begin + size ? address - begin - size : 0;
  };
  const Variable* nearest = nullptr;
  for (const Variable& v : variables_)
    if (nearest == nullptr || distance(v.begin, v.bytes) < distance(nearest->begin, nearest->bytes))
      nearest = &v;
  const bool near_dynamic = dynamic_ != 0 && (static_bytes_ == 0 || distance(dynamic_, dynamic_bytes_) <
                                                                        distance(static_, static_bytes_));
  if (near_dynamic && dynamic_bytes_ == 0)
    return {
        FindingKind::out_of_bounds, Hint::no_dynamic_shared_memory,
        " in dynamic shared memory, of which the launch asked for none; give its size in bytes as the third "
        "launch parameter"};
  if (near_dynamic) {
    const std::string name =
        "the " + count(dynamic_bytes_, "byte") + " of dynamic shared memory that the launch asked for";
    if (address >= dynamic_ && address - dynamic_ + bytes <= dynamic_bytes_ * bytes)
      return {FindingKind::out_of_bounds, Hint::bytes_or_elements,
              whereabouts(address, bytes, dynamic_, dynamic_bytes_, name) +
                  "; the launch takes bytes: is `* sizeof(...)` missing there?"};
    return outside(address, bytes, dynamic_, dynamic_bytes_, name);
  }
  if (nearest != nullptr)
    return outside(
        address, bytes, nearest->begin, nearest->bytes,
        "the " + std::to_string(nearest->bytes) + "-byte __shared__ variable '" + nearest->name + "'");
  return outside(address, bytes, static_, static_bytes_,
                 "the block's " + count(static_bytes_, "byte") + " of __shared__ variables");
}

}  // namespace warplab::emulator::lens
