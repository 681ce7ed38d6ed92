#pragma once

#include "warplab_emulator/block/thread.hpp"

// wgmma: the products of a warpgroup, four warps that begin at a multiple of four. The last of its 128
// threads that comes computes for all of them.

namespace warplab::emulator {

/// What elements of the operands are.
enum class WgmmaFormat : unsigned char { half, bfloat16, tf32, signed_byte, unsigned_byte, e4m3, e5m2 };

constexpr bool is_byte_integer(WgmmaFormat format) {
  return format == WgmmaFormat::signed_byte || format == WgmmaFormat::unsigned_byte;
}
constexpr unsigned wgmma_element_bytes(WgmmaFormat format) {
  if (format == WgmmaFormat::tf32) return 4;
  return format == WgmmaFormat::half || format == WgmmaFormat::bfloat16 ? 2 : 1;
}
/// The depth k of a product: 32 bytes of an operand's line.
constexpr unsigned wgmma_depth(WgmmaFormat format) { return 32 / wgmma_element_bytes(format); }

/// m64nNkK: what the instruction says.
struct WgmmaKind {
  unsigned n;
  WgmmaFormat a, b;
  bool sums_are_half = false;
  bool saturate = false;                               ///< sums of int stop at the ends of int's range
  bool a_in_registers = false;                         ///< else a descriptor gives it, as it always gives b
  bool a_along_rows = false, b_along_columns = false;  ///< what lies together in memory is not along k
  bool negate_a = false, negate_b = false;             ///< imm-scale-a, imm-scale-b: -1
  bool operator==(const WgmmaKind& other) const {
    return n == other.n && a == other.a && b == other.b && sums_are_half == other.sums_are_half &&
           saturate == other.saturate && a_in_registers == other.a_in_registers &&
           a_along_rows == other.a_along_rows && b_along_columns == other.b_along_columns &&
           negate_a == other.negate_a && negate_b == other.negate_b;
  }
  constexpr unsigned sum_words() const { return sums_are_half ? n / 4 : n / 2; }  ///< registers of a thread
};

/// The operands of a thread.
struct WgmmaOperands {
  unsigned* sums;     ///< d, of kind.sum_words() registers; added to unless `add` is false
  const unsigned* a;  ///< four registers, if a is in registers
  unsigned long long a_matrix, b_matrix;  ///< descriptors
  bool add;                               ///< scale-d
};

/// Waits for the warpgroup, and computes sums = a * b + sums. Products are exact; sums of floats are rounded
/// to nearest in the order of k, beginning with `sums`; a half is rounded once, at the end.
void multiply_warpgroup(const WgmmaKind& kind, const WgmmaOperands& operands, const Site& site);

/// wgmma.fence: registers and shared memory may be read by the products that follow.
void wgmma_fence();
/// wgmma.commit_group: closes the group of the products since the last one.
void wgmma_commit();
/// wgmma.wait_group: at most `left` groups are still running.
void wgmma_wait(unsigned left);

/// setmaxnreg: @pre registers is a multiple of 8 from 24 to 256, or the kernel ends.
void set_registers(unsigned registers, const Site& site);

}  // namespace warplab::emulator
