#pragma once

#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator {

/// Moves the five words of a XORWOW generator on by `count` steps, or by `count` times 2^67 steps.
void jump_xorwow(unsigned int (&words)[5], unsigned long long count) noexcept;
void jump_xorwow_sequences(unsigned int (&words)[5], unsigned long long count) noexcept;

}  // namespace warplab::emulator

/// G. Marsaglia, Xorshift RNGs, 2003: five words that are shifted, and a sum. The normal numbers left over
/// from a pair are kept.
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
using curandStateXORWOW_t = curandStateXORWOW;
#if defined(WARPLAB_INSTRUMENTED)
static const warplab::emulator::LensStructure warplab_structure_xorwow(
    sizeof(curandStateXORWOW), alignof(curandStateXORWOW),
    warplab::emulator::lens_members<curandStateXORWOW>());
#endif

/// The next 32 bits.
inline unsigned int curand(curandStateXORWOW* state) {
  constexpr unsigned int summand = 362437;
  const unsigned int first = state->v[0] ^ (state->v[0] >> 2), last = state->v[4];
  for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
  state->v[4] = last ^ (last << 4) ^ first ^ (first << 1);
  state->d += summand;
  return state->v[4] + state->d;
}

inline void skipahead(unsigned long long count, curandStateXORWOW* state) {
  warplab::emulator::jump_xorwow(state->v, count);
  state->d += 362437u * static_cast<unsigned int>(count);
}

/// 2^67 steps for each sequence, which leaves the sum as it is.
inline void skipahead_sequence(unsigned long long count, curandStateXORWOW* state) {
  warplab::emulator::jump_xorwow_sequences(state->v, count);
}

/// Spreads the seed over Marsaglia's first words as cuRAND does.
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                        curandStateXORWOW* state) {
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  curandStateXORWOW fresh{
      6615241u + high + low,
      {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
      0,
      0,
      0,
      0};
  skipahead_sequence(sequence, &fresh);
  skipahead(offset, &fresh);
  *state = fresh;
}
