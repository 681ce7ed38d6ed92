#include "warplab_emulator/copies/tensor_copies.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/copies/bulk_copies.hpp"
#include "emulator/src/copies/tensor_map.hpp"
#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator {
namespace {

constexpr std::size_t chunk_bytes = 16;

TensorMap read_map(const void* map, const Site& site) {
  if (map == nullptr || reinterpret_cast<std::uintptr_t>(map) % 64 != 0)
    device_fault_at(site, cudaErrorMisalignedAddress,
                    "%s at %s:%d: the tensor map is at %p, which is not a multiple of 64", site.what,
                    site.file, site.line, map);
  isolation::permit(map, sizeof(CUtensorMap), false);
  TensorMap contents;
  std::memcpy(&contents, map, sizeof contents);
  if (!contents.is_valid())
    device_fault_at(site, cudaErrorIllegalInstruction,
                    "%s at %s:%d: the tensor map at %p has not been encoded; the host does that with "
                    "cuTensorMapEncodeTiled, and passes it as a __grid_constant__ parameter",
                    site.what, site.file, site.line, map);
  return contents;
}

TensorMap read_map_of(const TensorBox& box, const Site& site) {
  const TensorMap map = read_map(box.map, site);
  if (map.rank != box.rank)
    device_fault_at(
        site, cudaErrorIllegalInstruction,
        "%s at %s:%d: the tensor map has been encoded for %u dimensions, the instruction is for %u",
        site.what, site.file, site.line, map.rank, box.rank);
  return map;
}

void require_place(const void* shared, const char* what, const Site& site) {
  if (reinterpret_cast<std::uintptr_t>(shared) % 128 != 0)
    device_fault_at(site, cudaErrorMisalignedAddress,
                    "%s at %s:%d: the %s in shared memory (%p) must be a multiple of 128 bytes", site.what,
                    site.file, site.line, what, shared);
}

/// Ends the kernel unless the box begins at a multiple of 16 bytes: an H100 stops at any other.
void require_begin(const TensorMap& map, const TensorBox& box, const Site& site) {
  const long long bytes = 1ll * box.begin[0] * static_cast<long long>(map.element_bytes());
  if (bytes % static_cast<long long>(chunk_bytes) != 0)
    device_fault_at(
        site, cudaErrorIllegalInstruction,
        "%s at %s:%d: the box begins at %d in the innermost dimension, which is %lld bytes; a box "
        "must begin at a multiple of 16 bytes",
        site.what, site.file, site.line, box.begin[0], bytes);
}

/// Ends the kernel if a box that is stored begins before the tensor: an H100 stops there, and not at loads.
void require_no_begin_outside(const TensorBox& box, const Site& site) {
  for (unsigned d = 0; d < box.rank; ++d)
    if (box.begin[d] < 0)
      device_fault_at(site, cudaErrorIllegalInstruction,
                      "%s at %s:%d: the box begins at %d in dimension %u, before the tensor; a box that is "
                      "stored may only end outside",
                      site.what, site.file, site.line, box.begin[d], d);
}

/// A line of a box: what lies together, as far as it is inside the tensor.
struct Line {
  std::byte* global;
  std::size_t offset;  ///< in the box's image, before it is swizzled
  std::size_t bytes;
};

/// Calls `visit` for each line that is inside the tensor, at least in part.
template <class Visit>
void for_each_line(const TensorMap& map, const TensorBox& box, Visit visit) {
  const auto element = map.element_bytes();
  const long long first = std::max(0, box.begin[0]);
  const long long end =
      std::min<long long>(static_cast<long long>(map.extent[0]), 0ll + box.begin[0] + map.box[0]);
  if (first >= end) return;
  const auto skipped = static_cast<std::size_t>(first - box.begin[0]) * element;
  const auto bytes = static_cast<std::size_t>(end - first) * element;
  std::size_t lines = 1;
  for (unsigned d = 1; d < map.rank; ++d) lines *= map.box_extent(d);
  for (std::size_t line = 0; line < lines; ++line) {
    std::uint64_t address = map.address + static_cast<std::uint64_t>(first) * element;
    bool inside = true;
    std::size_t rest = line;
    for (unsigned d = 1; d < map.rank; ++d) {
      const long long at =
          box.begin[d] + static_cast<long long>(rest % map.box_extent(d)) * map.element_stride[d];
      rest /= map.box_extent(d);
      inside = inside && at >= 0 && at < static_cast<long long>(map.extent[d]);
      address += static_cast<std::uint64_t>(at) * map.stride[d - 1];
    }
    if (inside)
      visit(Line{reinterpret_cast<std::byte*>(address), line * map.box_row_bytes() + skipped, bytes});
  }
}

/// Lets the caller reach global memory line by line, and looks an allocation up once.
class Reach {
 public:
  Reach(bool writes, const Site& site) : writes_(writes), site_(site) {}
  void require(const std::byte* address, std::size_t bytes) {
    const auto* const begin = reinterpret_cast<const char*>(address);
    if (!known_ || begin < known_->data || begin + bytes > known_->data + known_->bytes) {
      require_global(address, bytes, writes_, site_);
      known_ = find_allocation(address);
    }
    isolation::permit(address, bytes, writes_);
  }

 private:
  bool writes_;
  const Site& site_;
  std::optional<Allocation> known_;
};

/// Where a byte of the image lies, from `place` on: bits 4 to 6 of its address are mixed with bits 7 to 9.
std::size_t swizzled(const TensorMap& map, const void* place, std::size_t offset) {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(place) + offset;
  return (address ^ (address >> 7 & map.mixed_bits()) << 4) - reinterpret_cast<std::uintptr_t>(place);
}

/// Fills the image with what elements outside the tensor are.
void fill(const TensorMap& map, std::vector<std::byte>& image) {
  image.assign(map.box_bytes(), std::byte{0});
  if (map.fills_with_nan == 0) return;
  const std::size_t element = map.element_bytes();
  for (std::size_t i = 0; i < image.size(); ++i)
    image[i] = i % element == element - 1 ? std::byte{0x7f} : std::byte{0xff};
}

/// The tensor's type in a reduction; ends the kernel if the hardware has no such reduction.
BulkType type_of(const TensorMap& map, BulkOperation operation, const Site& site) {
  static constexpr BulkType types[] = {BulkType::b32, BulkType::b32,  BulkType::u32, BulkType::s32,
                                       BulkType::u64, BulkType::s64,  BulkType::f16, BulkType::f32,
                                       BulkType::f64, BulkType::bf16, BulkType::f32, BulkType::f32,
                                       BulkType::f32};
  using enum BulkOperation;
  const CUtensorMapDataType type = map.data_type();
  const bool wide_float = is_floating_point(type) && map.element_bytes() >= 4;
  const bool turns = operation == increment || operation == decrement;
  const bool bits = operation == bit_and || operation == bit_or || operation == bit_xor;
  const bool fits =
      operation == store ||
      (map.element_bytes() >= (is_floating_point(type) ? 2u : 4u) && !(wide_float && operation != add) &&
       !((bits || turns) && is_floating_point(type)) && !(turns && type != CU_TENSOR_MAP_DATA_TYPE_UINT32));
  if (!fits)
    device_fault_at(site, cudaErrorIllegalInstruction,
                    "%s at %s:%d: there is no such reduction of the elements of this tensor map", site.what,
                    site.file, site.line);
  return types[type];
}

}  // namespace

std::size_t stage_tensor(const TensorBox& box, const void* to, const Site& site) {
  const TensorMap map = read_map_of(box, site);
  require_place(to, "destination", site);
  require_begin(map, box, site);
  require_shared(to, map.box_bytes(), site);
  const void* const code = caller_code(__builtin_return_address(0));
  BlockObserver* const observer = running_worker()->observer.get();
  std::vector<std::byte> image;
  fill(map, image);
  Reach reach(false, site);
  unsigned sectors = 0;
  for_each_line(map, box, [&](const Line& line) {
    reach.require(line.global, line.bytes);
    if (observer != nullptr) sectors += observer->tensor_load(line.global, line.bytes, sectors, code);
    std::memcpy(image.data() + line.offset, line.global, line.bytes);
  });
  std::vector<std::byte>& staged = asynchronous_work_of(*running_worker()).staged;
  staged.resize(image.size());
  for (std::size_t at = 0; at < image.size(); at += chunk_bytes)
    std::memcpy(staged.data() + swizzled(map, to, at), image.data() + at, chunk_bytes);
  return staged.size();
}

void issue_tensor_store(const TensorBox& box, const void* from, BulkOperation operation, const Site& site) {
  const TensorMap map = read_map_of(box, site);
  require_place(from, "source", site);
  require_begin(map, box, site);
  require_no_begin_outside(box, site);
  require_shared(from, map.box_bytes(), site);
  std::vector<BulkPiece> pieces;
  for_each_line(map, box, [&](const Line& line) {
    for (std::size_t done = 0; done < line.bytes; done += chunk_bytes) {
      // An H100 stores whole chunks: also what lies in the last one after the tensor's line.
      const bool whole = operation == BulkOperation::store;
      const std::size_t bytes = whole ? chunk_bytes : std::min(chunk_bytes, line.bytes - done);
      pieces.push_back({line.global + done, swizzled(map, from, line.offset + done), bytes});
    }
  });
  add_bulk_store({std::move(pieces),
                  static_cast<const std::byte*>(from),
                  map.box_bytes(),
                  {operation, type_of(map, operation, site)},
                  site,
                  caller_code(__builtin_return_address(0)),
                  {}});
}

void prefetch_tensor(const TensorBox& box, const Site& site) { read_map_of(box, site); }

}  // namespace warplab::emulator
