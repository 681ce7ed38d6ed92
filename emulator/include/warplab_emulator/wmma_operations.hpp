#pragma once

#include <cstddef>

#include "warplab_emulator/warp.hpp"
#include "warplab_emulator/wmma_layout.hpp"

// What the runtime does for nvcuda::wmma with what all lanes of a warp bring. The first lane that goes on
// does it for all of them.

namespace warplab::emulator {

/// Pairs of 16-bit elements on their way to memory.
struct WmmaExchange {
  unsigned pairs[8];  ///< as the lane holds them
  unsigned words[8];  ///< as it writes them
  bool done = false;
};

/// Waits for all lanes of the warp and makes words of their pairs; `transposed`: the lanes' pairs lie across
/// the lines of memory.
void exchange_wmma_words(WmmaExchange& mine, int blocks, bool transposed, const Site& site);

[[noreturn]] void report_wmma_matrix(unsigned stride, std::size_t unit, const Site& site);

/// Whether the calling thread's accesses are recorded.
bool is_recorded() noexcept;

enum class WmmaFormat { half, bfloat16 };

/// The operands of a lane. Elements of c and d are floats, or halves where it says so.
struct WmmaOperands {
  const void *a, *b, *c;
  void* d;
  bool c_is_half, d_is_half, done;
};

/// Waits for all lanes of the warp and computes d = a * b + c for m x n x 16. Products are exact; sums are
/// floats, rounded to nearest, in the order of k and beginning with c; a half is rounded once, at the end. A
/// tensor core adds in another order and rounds otherwise: the difference is some units in the last place.
void multiply_fragments(WmmaOperands& mine, int m, int n, WmmaFormat format, const Site& site);

}  // namespace warplab::emulator
