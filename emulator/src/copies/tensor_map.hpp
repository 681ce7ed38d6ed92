#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

namespace warplab::emulator {

/// What the emulator keeps in a CUtensorMap.
struct TensorMap {
  static constexpr std::uint64_t mark = 0x70616d5f726f736eull;
  static constexpr unsigned max_dimensions = 5;

  std::uint64_t magic;    ///< `mark` in a map that has been encoded
  std::uint64_t address;  ///< of the first element, in global memory
  std::uint64_t extent[max_dimensions];
  std::uint64_t stride[max_dimensions - 1];  ///< in bytes, of dimensions 1, 2, ...
  std::uint16_t box[max_dimensions];
  std::uint8_t element_stride[max_dimensions];
  std::uint8_t rank, type, swizzle, fills_with_nan;
  std::uint32_t sum;  ///< of all bytes before it

  CUtensorMapDataType data_type() const { return static_cast<CUtensorMapDataType>(type); }
  unsigned element_bytes() const;
  /// Elements that a box has along a dimension. The first dimension has no element stride.
  unsigned box_extent(unsigned dimension) const {
    return dimension == 0 ? box[0]
                          : (box[dimension] + element_stride[dimension] - 1u) / element_stride[dimension];
  }
  unsigned box_row_bytes() const { return box[0] * element_bytes(); }
  std::size_t box_bytes() const;
  /// The bits 4 to 6 of an address that are mixed with its bits 7 to 9.
  unsigned mixed_bits() const;

  std::uint32_t checksum() const;
  /// Whether cuTensorMapEncodeTiled may have made it: others can write all bytes of a map, its sum too.
  bool is_valid() const { return magic == mark && sum == checksum() && is_sound(); }

 private:
  bool is_sound() const;
};
static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap));

/// Bytes of an element, or 0 for a type that there is none of here.
unsigned tensor_element_bytes(CUtensorMapDataType type);
bool is_floating_point(CUtensorMapDataType type);

}  // namespace warplab::emulator
