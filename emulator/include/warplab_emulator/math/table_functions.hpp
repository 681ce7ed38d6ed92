#pragma once

#include <math.h>

namespace warplab::emulator::header_calls {
// Functions of doubles for which a GPU reads coefficients from a table in global memory. The lens counts it.
[[gnu::const]] double lens_sin(double x) noexcept;
[[gnu::const]] double lens_cos(double x) noexcept;
[[gnu::const]] double lens_sinpi(double x) noexcept;
[[gnu::const]] double lens_cospi(double x) noexcept;
}  // namespace warplab::emulator::header_calls

#if defined(WARPLAB_INSTRUMENTED)
/// Defines a function of the C library for those who call it; its address is that of the library's.
#define WARPLAB_INSTEAD_OF_LIBC extern "C" inline __attribute__((always_inline, gnu_inline))

// Like nvcc, g++ works out sin(0.5) beforehand, and leaves out a call whose result nobody needs. But it must
// not make one sincos() of sin(x) and cos(x), as it would with its own functions.
WARPLAB_INSTEAD_OF_LIBC double sin(double x) noexcept {
  return __builtin_constant_p(x) ? __builtin_sin(x) : warplab::emulator::header_calls::lens_sin(x);
}
WARPLAB_INSTEAD_OF_LIBC double cos(double x) noexcept {
  return __builtin_constant_p(x) ? __builtin_cos(x) : warplab::emulator::header_calls::lens_cos(x);
}
#endif
