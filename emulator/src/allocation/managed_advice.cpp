// What programs have said of managed memory. Nothing follows from it here, but programs can ask for it.
#include "emulator/src/allocation/managed_advice.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator {
namespace {

/// What is said of some pages.
struct Advice {
  bool is_read_mostly = false;
  int preferred = cudaInvalidDeviceId, prefetched_to = cudaInvalidDeviceId;
  std::set<int> accessed_by;
};

/// From each of these offsets in an allocation on to the next.
using Pieces = std::map<std::size_t, Advice>;

struct Advised {
  const void* data = nullptr;  ///< where the allocation begins
  Pieces pieces;
};

// By the number of the allocation, which no other gets. Never destroyed: static destructors may still ask.
std::map<unsigned long long, Advised>& advised() {
  static auto& instance = *new std::map<unsigned long long, Advised>;
  return instance;
}

/// What is said of an allocation, to add to it. What was said of freed ones is forgotten.
Pieces& pieces_of(const Allocation& allocation) {
  const auto [place, is_new] = advised().try_emplace(allocation.number, Advised{allocation.data, {}});
  if (is_new)
    std::erase_if(advised(), [](const auto& other) {
      const std::optional<Allocation> now = find_allocation(other.second.data);
      return !now || now->number != other.first;
    });
  return place->second.pieces;
}

constexpr std::size_t page_bytes = 4096;

/// A range of an allocation, widened to whole pages.
struct Pages {
  unsigned long long allocation;
  std::size_t begin, end;
};

Pages pages_of(const Allocation& allocation, const void* pointer, std::size_t bytes) {
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(pointer) - allocation.data);
  return {allocation.number, offset / page_bytes * page_bytes,
          (offset + bytes + page_bytes - 1) / page_bytes * page_bytes};
}

Pieces::iterator split_at(Pieces& pieces, std::size_t offset) {
  const auto next = pieces.upper_bound(offset);
  const Advice before = next == pieces.begin() ? Advice() : std::prev(next)->second;
  return pieces.try_emplace(offset, before).first;
}

template <class Change>
void change(const void* pointer, std::size_t bytes, Change&& change_piece) {
  const Allocation allocation = find_allocation(pointer).value();
  const Pages pages = pages_of(allocation, pointer, bytes);
  Pieces& pieces = pieces_of(allocation);
  const auto begin = split_at(pieces, pages.begin), end = split_at(pieces, pages.end);
  for (auto piece = begin; piece != end; ++piece) change_piece(piece->second);
}

/// What is said of the pages of a range, piece by piece.
std::vector<Advice> advice_on(const Pages& pages) {
  const auto known = advised().find(pages.allocation);
  Pieces pieces = known == advised().end() ? Pieces() : known->second.pieces;
  const auto begin = split_at(pieces, pages.begin), end = split_at(pieces, pages.end);
  std::vector<Advice> found;
  for (auto piece = begin; piece != end; ++piece) found.push_back(piece->second);
  return found;
}

/// The value that all pieces have, or cudaInvalidDeviceId.
int common(const std::vector<Advice>& pieces, int Advice::*value) {
  const bool is_one = std::all_of(pieces.begin(), pieces.end(),
                                  [&](const Advice& a) { return a.*value == pieces.front().*value; });
  return is_one ? pieces.front().*value : cudaInvalidDeviceId;
}

cudaMemLocationType type_of(int device) {
  return device == cudaInvalidDeviceId ? cudaMemLocationTypeInvalid
         : device == cudaCpuDeviceId   ? cudaMemLocationTypeHost
                                       : cudaMemLocationTypeDevice;
}

/// The devices that are said to access all of the pieces.
std::set<int> accessing(const std::vector<Advice>& pieces) {
  std::set<int> devices = pieces.front().accessed_by;
  for (const Advice& piece : pieces)
    std::erase_if(devices, [&](int device) { return !piece.accessed_by.contains(device); });
  return devices;
}

cudaError_t give_advice(void* data, std::size_t data_bytes, cudaMemRangeAttribute attribute,
                        const std::vector<Advice>& pieces) {
  auto* const values = static_cast<int*>(data);
  const bool is_list = attribute == cudaMemRangeAttributeAccessedBy;
  if (!data || (is_list ? data_bytes == 0 || data_bytes % sizeof(int) != 0 : data_bytes != sizeof(int)))
    return cudaErrorInvalidValue;
  const int preferred = common(pieces, &Advice::preferred),
            prefetched = common(pieces, &Advice::prefetched_to);
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *values = std::all_of(pieces.begin(), pieces.end(), [](const Advice& a) { return a.is_read_mostly; });
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributePreferredLocationId:
      *values = preferred;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
    case cudaMemRangeAttributeLastPrefetchLocationId:
      *values = prefetched;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationType:
      *values = type_of(preferred);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      *values = type_of(prefetched);
      return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy: {
      int* const end = values + data_bytes / sizeof(int);
      int* next = values;
      for (const int device : accessing(pieces))
        if (next != end) *next++ = device;
      std::fill(next, end, cudaInvalidDeviceId);
      return cudaSuccess;
    }
  }
  return cudaErrorInvalidValue;
}

cudaError_t give_all(void** data, const std::size_t* data_bytes, const cudaMemRangeAttribute* attributes,
                     std::size_t count, const void* pointer, std::size_t bytes) {
  const std::optional<Allocation> allocation = find_allocation(pointer);
  if (bytes == 0 || !allocation || allocation->space != Space::managed) return cudaErrorInvalidValue;
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(pointer) - allocation->data);
  if (bytes > allocation->bytes - offset) return cudaErrorInvalidValue;
  const std::vector<Advice> pieces = advice_on(pages_of(*allocation, pointer, bytes));
  for (std::size_t i = 0; i < count; ++i)
    if (const cudaError_t error = give_advice(data[i], data_bytes[i], attributes[i], pieces)) return error;
  return cudaSuccess;
}

}  // namespace

void note_advice(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device) {
  change(pointer, bytes, [&](Advice& piece) {
    switch (advice) {
      case cudaMemAdviseSetReadMostly:
      case cudaMemAdviseUnsetReadMostly:
        piece.is_read_mostly = advice == cudaMemAdviseSetReadMostly;
        break;
      case cudaMemAdviseSetPreferredLocation:
        piece.preferred = device;
        break;
      case cudaMemAdviseUnsetPreferredLocation:
        piece.preferred = cudaInvalidDeviceId;
        break;
      case cudaMemAdviseSetAccessedBy:
        piece.accessed_by.insert(device);
        break;
      case cudaMemAdviseUnsetAccessedBy:
        piece.accessed_by.erase(device);
    }
  });
}

void note_prefetch(const void* pointer, std::size_t bytes, int device) {
  change(pointer, bytes, [&](Advice& piece) { piece.prefetched_to = device; });
}

}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, std::size_t bytes) {
  return api_call([&] { return give_all(&data, &data_bytes, &attribute, 1, pointer, bytes); });
}

cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* data_bytes, cudaMemRangeAttribute* attributes,
                                      std::size_t count, const void* pointer, std::size_t bytes) {
  return api_call([&] {
    if (!data || !data_bytes || !attributes || count == 0) return cudaErrorInvalidValue;
    return give_all(data, data_bytes, attributes, count, pointer, bytes);
  });
}
