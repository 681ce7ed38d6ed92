#pragma once

#include <math.h>

// CUDA's fast approximations. They are at least as accurate here, but fail where a GPU's fail: __powf of a
// negative base is a NaN, __fdividef by a huge divisor is 0. glibc declares some of these names for itself
// (with these types); its header comes first, and forced inlining keeps the library's own functions of those
// names out of the way.
#define WARPLAB_FAST [[gnu::always_inline]] inline

WARPLAB_FAST float __expf(float x) noexcept { return expf(x); }
WARPLAB_FAST float __exp10f(float x) noexcept { return exp2f(x * 3.321928094887362f); }
WARPLAB_FAST float __logf(float x) noexcept { return logf(x); }
WARPLAB_FAST float __log2f(float x) noexcept { return log2f(x); }
WARPLAB_FAST float __log10f(float x) noexcept { return log10f(x); }
WARPLAB_FAST float __sinf(float x) noexcept { return sinf(x); }
WARPLAB_FAST float __cosf(float x) noexcept { return cosf(x); }
WARPLAB_FAST float __tanf(float x) noexcept { return tanf(x); }
WARPLAB_FAST float __tanhf(float x) noexcept { return tanhf(x); }
WARPLAB_FAST float __powf(float x, float y) noexcept { return exp2f(y * log2f(x)); }
WARPLAB_FAST void __sincosf(float x, float* sptr, float* cptr) noexcept {
  *sptr = sinf(x);
  *cptr = cosf(x);
}

/// x / y, but 0 (or NaN for an infinite x) where 2^126 < |y| < 2^128.
WARPLAB_FAST float __fdividef(float x, float y) noexcept {
  const float size = fabsf(y);
  return size > 0x1p126f && size < INFINITY ? x * 0.0f : x / y;
}
WARPLAB_FAST float fdividef(float x, float y) noexcept { return x / y; }

/// x within 0 and 1; 0 for a NaN.
WARPLAB_FAST float __saturatef(float x) noexcept { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

#undef WARPLAB_FAST
