#pragma once

#include <cuda_runtime.h>

namespace warplab {

/// What is beyond the edge of an image when a filter reaches over it.
enum class Border {
  untouched,  ///< nothing: pixels whose neighbourhood is not whole are not written
  clamp,      ///< the nearest pixel: aaa|abcd|ddd
  zero,       ///< 0: 000|abcd|000
  reflect     ///< the image mirrored at its outermost pixels, which are not repeated: dcb|abcd|cba
};
inline constexpr const char* border_names[] = {"untouched", "clamp", "zero", "reflect"};

/// Where pixel `i` of a row (or column) of `n` is read: in [0, n), or -1 where it is 0. @pre n > 0
template <Border border>
__host__ __device__ inline int border_index(int i, int n) {
  if (i >= 0 && i < n) return i;
  if constexpr (border == Border::clamp) return i < 0 ? 0 : n - 1;
  if constexpr (border == Border::reflect) {
    if (n == 1) return 0;
    const int period = 2 * (n - 1);
    const int folded = (i < 0 ? -i : i) % period;
    return folded < n ? folded : period - folded;
  }
  return -1;
}

/// Calls `f.template operator()<Border>()` with the rule that is known only when the program runs.
template <class F>
void with_border(Border border, F&& f) {
  switch (border) {
    case Border::untouched:
      return f.template operator()<Border::untouched>();
    case Border::clamp:
      return f.template operator()<Border::clamp>();
    case Border::zero:
      return f.template operator()<Border::zero>();
    case Border::reflect:
      return f.template operator()<Border::reflect>();
  }
}

}  // namespace warplab
