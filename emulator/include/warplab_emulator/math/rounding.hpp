#pragma once

#include <cfenv>

// Most functions of CUDA's own are here templates that take no arguments (`template <class...>`): of those
// that would be instantiated in every .cu file, 700 and more, only the ones that it calls are.

namespace warplab::emulator {

/// The four roundings that CUDA's intrinsics name: rn, rz, ru, rd.
enum class Rounding { nearest, to_zero, up, down };

/// Computes `operation(a)` under a rounding. Slow (it sets the processor's mode) unless it is to nearest.
/// The volatile copies keep the compiler from moving or folding the operation past the change of mode.
template <Rounding rounding, class A, class Operation>
auto with_rounding(A a, Operation operation) noexcept {
  if constexpr (rounding == Rounding::nearest) {
    return operation(a);
  } else {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    const int before = std::fegetround();
    std::fesetround(modes[static_cast<int>(rounding)]);
    volatile A input = a;
    volatile auto result = operation(static_cast<A>(input));
    std::fesetround(before);
    return static_cast<decltype(operation(a))>(result);
  }
}

}  // namespace warplab::emulator
