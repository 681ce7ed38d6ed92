#pragma once

#include "warplab_emulator/ptx/ptx_arithmetic.hpp"

// Sums and differences of numbers that are longer than a register: add.cc, addc, sub.cc, subc, mad.lo.cc and
// their kin.

namespace warplab::emulator::ptx {

// CC.CF, which lasts from one asm statement to the next. PTX promises it within straight-line code only, so
// threads that wait for each other in between may share it.
#if defined(WARPLAB_INSTRUMENTED)
// Graded code has no variables of an OS thread, so the runtime has this one.
unsigned kept_carry() noexcept;
void keep_carry(unsigned carry) noexcept;
WARPLAB_PTX unsigned carry_flag() { return kept_carry(); }
WARPLAB_PTX void set_carry_flag(unsigned carry) { keep_carry(carry); }
#else
inline __constinit thread_local unsigned carry_of_thread = 0;
WARPLAB_PTX unsigned carry_flag() { return carry_of_thread; }
WARPLAB_PTX void set_carry_flag(unsigned carry) { carry_of_thread = carry; }
#endif

/// a + b, and the flag if it is taken. @tparam sets whether the flag becomes the carry
template <bool takes, bool sets, class T>
WARPLAB_PTX T add_carry(T a, T b) {
  using U = std::make_unsigned_t<T>;
  U sum;
  bool carry = __builtin_add_overflow(static_cast<U>(a), static_cast<U>(b), &sum);
  if constexpr (takes) carry |= __builtin_add_overflow(sum, static_cast<U>(carry_flag()), &sum);
  if constexpr (sets) set_carry_flag(carry);
  return static_cast<T>(sum);
}
/// a - b, and less the flag if it is taken. @tparam sets whether the flag becomes the borrow
template <bool takes, bool sets, class T>
WARPLAB_PTX T sub_carry(T a, T b) {
  using U = std::make_unsigned_t<T>;
  U difference;
  bool borrow = __builtin_sub_overflow(static_cast<U>(a), static_cast<U>(b), &difference);
  if constexpr (takes)
    borrow |= __builtin_sub_overflow(difference, static_cast<U>(carry_flag()), &difference);
  if constexpr (sets) set_carry_flag(borrow);
  return static_cast<T>(difference);
}

}  // namespace warplab::emulator::ptx
