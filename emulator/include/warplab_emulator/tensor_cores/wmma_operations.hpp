#pragma once

#include <cstddef>

#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/tensor_cores/wmma_layout.hpp"

// What the runtime does for nvcuda::wmma with what all lanes of a warp bring. The first lane that goes on
// does it for all of them.

namespace warplab::emulator {

/// Pairs of 16-bit elements on their way to memory.
struct WmmaExchange {
  unsigned pairs[8];  ///< as the lane holds them
  unsigned words[8];  ///< as it writes them
  bool done = false;
};

namespace header_calls {
/// Waits for all lanes of the warp and makes words of their pairs; `transposed`: the lanes' pairs lie across
/// the lines of memory.
void exchange_wmma_words(WmmaExchange& mine, int blocks, bool transposed, const Site& site);
}  // namespace header_calls

[[noreturn]] void report_wmma_matrix(unsigned stride, std::size_t unit, const Site& site);

/// Whether the calling thread's accesses are recorded.
bool is_recorded() noexcept;

/// What elements of operands are.
enum class WmmaFormat { half, bfloat16, tf32, signed_byte, unsigned_byte, float64 };

/// How many of them lie together in a lane.
constexpr int wmma_run(WmmaFormat format) {
  const bool byte = format == WmmaFormat::signed_byte || format == WmmaFormat::unsigned_byte;
  return byte ? 4 : format == WmmaFormat::half || format == WmmaFormat::bfloat16 ? 2 : 1;
}
constexpr int wmma_element_bytes(WmmaFormat format) {
  return format == WmmaFormat::float64 ? 8 : 4 / wmma_run(format);
}

/// A product of an m x k matrix and a k x n matrix that the hardware has an instruction for.
struct WmmaKind {
  int m, n, k;
  WmmaFormat a, b;
};
inline constexpr WmmaKind wmma_kinds[] = {
    // nvcuda::wmma
    {16, 16, 16, WmmaFormat::half, WmmaFormat::half},
    {32, 8, 16, WmmaFormat::half, WmmaFormat::half},
    {8, 32, 16, WmmaFormat::half, WmmaFormat::half},
    {16, 16, 16, WmmaFormat::bfloat16, WmmaFormat::bfloat16},
    {32, 8, 16, WmmaFormat::bfloat16, WmmaFormat::bfloat16},
    {8, 32, 16, WmmaFormat::bfloat16, WmmaFormat::bfloat16},
    {16, 16, 16, WmmaFormat::signed_byte, WmmaFormat::signed_byte},
    {32, 8, 16, WmmaFormat::signed_byte, WmmaFormat::signed_byte},
    {8, 32, 16, WmmaFormat::signed_byte, WmmaFormat::signed_byte},
    {16, 16, 16, WmmaFormat::unsigned_byte, WmmaFormat::unsigned_byte},
    {32, 8, 16, WmmaFormat::unsigned_byte, WmmaFormat::unsigned_byte},
    {8, 32, 16, WmmaFormat::unsigned_byte, WmmaFormat::unsigned_byte},
    {16, 16, 8, WmmaFormat::tf32, WmmaFormat::tf32},
    {8, 8, 4, WmmaFormat::float64, WmmaFormat::float64},
    // mma.sync
    {16, 8, 16, WmmaFormat::half, WmmaFormat::half},
    {16, 8, 8, WmmaFormat::half, WmmaFormat::half},
    {16, 8, 16, WmmaFormat::bfloat16, WmmaFormat::bfloat16},
    {16, 8, 8, WmmaFormat::bfloat16, WmmaFormat::bfloat16},
    {16, 8, 8, WmmaFormat::tf32, WmmaFormat::tf32},
    {16, 8, 4, WmmaFormat::tf32, WmmaFormat::tf32},
    {16, 8, 32, WmmaFormat::signed_byte, WmmaFormat::signed_byte},
    {16, 8, 32, WmmaFormat::signed_byte, WmmaFormat::unsigned_byte},
    {16, 8, 32, WmmaFormat::unsigned_byte, WmmaFormat::signed_byte},
    {16, 8, 32, WmmaFormat::unsigned_byte, WmmaFormat::unsigned_byte},
    {16, 8, 16, WmmaFormat::signed_byte, WmmaFormat::signed_byte},
    {16, 8, 16, WmmaFormat::signed_byte, WmmaFormat::unsigned_byte},
    {16, 8, 16, WmmaFormat::unsigned_byte, WmmaFormat::signed_byte},
    {16, 8, 16, WmmaFormat::unsigned_byte, WmmaFormat::unsigned_byte},
};
inline constexpr int wmma_kind_count = sizeof wmma_kinds / sizeof wmma_kinds[0];

/// The number of a kind, or -1 if there is none.
constexpr int wmma_kind(int m, int n, int k, WmmaFormat a, WmmaFormat b) {
  for (int i = 0; i < wmma_kind_count; ++i)
    if (wmma_kinds[i].m == m && wmma_kinds[i].n == n && wmma_kinds[i].k == k && wmma_kinds[i].a == a &&
        wmma_kinds[i].b == b)
      return i;
  return -1;
}

/// The operands of a lane. Elements of c and d are those that sums have (int for bytes, double for doubles,
/// else float), or halves where it says so.
struct WmmaOperands {
  const void *a, *b, *c;
  void* d;
  bool c_is_half, d_is_half;
  bool saturate;  ///< sums of int stop at the ends of int's range; else they wrap
  bool done;
};

/// Waits for all lanes of the warp and computes d = a * b + c. Products are exact; sums of floats are rounded
/// to nearest, in the order of k and beginning with c; a half is rounded once, at the end; doubles are
/// multiplied and added with one rounding. A tensor core adds floats in another order and rounds otherwise:
/// the difference is some units in the last place.
void multiply_fragments(WmmaOperands& mine, int kind, const Site& site);

}  // namespace warplab::emulator
