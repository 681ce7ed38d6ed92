#pragma once

#include <cstddef>
#include <cstdint>

#include "warplab_emulator/tensor_cores/wgmma.hpp"

namespace warplab::emulator {

/// Where a descriptor of wgmma says that an operand lies in the shared memory of the calling thread's block.
/// An operand is made of chunks of 16 bytes. PTX ISA, "Matrix descriptor format" and "Canonical layouts".
class WgmmaMatrix {
 public:
  /// @param along_k chunks lie along k ("K-major"); else across it ("MN-major")
  /// @param lines the operand's extent across k
  WgmmaMatrix(unsigned long long descriptor, bool along_k, unsigned lines);

  /// The chunk `part` (0 or 1) of a line. @pre along k
  const std::byte* chunk_of_line(unsigned line, unsigned part) const {
    return at(line % 8 * pitch_ + line / 8 * stride_ + part * next_chunk_);
  }
  /// The chunk of 8 elements of 16 bits from line 8 * `group`, at place `k`. @pre across k
  const std::byte* chunk_across(unsigned group, unsigned k) const {
    if (swizzle_ == 0) return at(k % 8 * 16 + k / 8 * leading_ + group * stride_);
    return at(k % 8 * pitch_ + k / 8 * stride_ + group % (pitch_ / 16) * 16 +
              group / (pitch_ / 16) * leading_);
  }

  /// Calls `visit(chunk)` for every chunk of a product of the format.
  template <class Visit>
  void for_each_chunk(unsigned depth, Visit visit) const {
    if (along_k_) {
      for (unsigned line = 0; line < lines_; ++line)
        for (unsigned part = 0; part < 2; ++part) visit(chunk_of_line(line, part));
    } else {
      for (unsigned k = 0; k < depth; ++k)
        for (unsigned group = 0; group < lines_ / 8; ++group) visit(chunk_across(group, k));
    }
  }

  /// Ends the kernel unless all chunks are in the block's shared memory. @param which "A" or "B"
  void require_inside(unsigned depth, const char* which, const Site& site) const;

  bool begins_at_generic_address() const;

 private:
  /// An offset from the operand's beginning; bits 4 to 6 of the address are mixed with bits 7 to 9.
  const std::byte* at(unsigned offset) const {
    const unsigned address = (start_ + offset) & 0x3ffffu;
    const unsigned place = address ^ ((((address >> 7) - base_) & swizzle_) << 4);
    return reinterpret_cast<const std::byte*>((place >= dynamic_window_ ? dynamic_ : static_) + place);
  }

  unsigned start_, leading_, stride_, base_;
  unsigned swizzle_;  ///< the bits that are mixed: 0, 1, 3 or 7
  unsigned pitch_;    ///< bytes from a line to the next
  unsigned next_chunk_;
  unsigned lines_;
  bool along_k_;
  unsigned dynamic_window_;          ///< where addresses of dynamic memory begin
  std::uintptr_t static_, dynamic_;  ///< what to add to an address
};

}  // namespace warplab::emulator
