#pragma once

#include "vector_types.h"

/// J. Salmon and others, Parallel random numbers: as easy as 1, 2, 3, 2011: ten rounds turn a counter into
/// four numbers. `output` holds those of the counter, STATE of which have been taken.
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

/// The four numbers of a counter.
inline uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long left = 0xd2511f53ull * counter.x, right = 0xcd9e8d57ull * counter.z;
    counter =
        uint4{static_cast<unsigned int>(right >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(right),
              static_cast<unsigned int>(left >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(left)};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

namespace warplab::emulator {

/// Adds to the 128 bits of the counter.
inline void advance_philox(curandStatePhilox4_32_10* state, unsigned long long count) {
  const unsigned long long low = state->ctr.x | static_cast<unsigned long long>(state->ctr.y) << 32;
  const unsigned long long sum = low + count;
  state->ctr.x = static_cast<unsigned int>(sum);
  state->ctr.y = static_cast<unsigned int>(sum >> 32);
  if (sum < low && ++state->ctr.z == 0) ++state->ctr.w;
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

}  // namespace warplab::emulator

/// The next 32 bits.
inline unsigned int curand(curandStatePhilox4_32_10* state) {
  const unsigned int taken = state->STATE;
  const unsigned int number = taken == 0   ? state->output.x
                              : taken == 1 ? state->output.y
                              : taken == 2 ? state->output.z
                                           : state->output.w;
  state->STATE = (taken + 1) % 4;
  if (state->STATE == 0) warplab::emulator::advance_philox(state, 1);
  return number;
}

/// The next four times 32 bits.
inline uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 a = state->output;
  warplab::emulator::advance_philox(state, 1);
  const uint4 b = state->output;
  switch (state->STATE) {
    case 1:
      return {a.y, a.z, a.w, b.x};
    case 2:
      return {a.z, a.w, b.x, b.y};
    case 3:
      return {a.w, b.x, b.y, b.z};
    default:
      return a;
  }
}

inline void skipahead(unsigned long long count, curandStatePhilox4_32_10* state) {
  const unsigned int taken = state->STATE + static_cast<unsigned int>(count % 4);
  state->STATE = taken % 4;
  warplab::emulator::advance_philox(state, count / 4 + taken / 4);
}

/// A sequence has 2^66 numbers.
inline void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10* state) {
  const unsigned long long high =
      (state->ctr.z | static_cast<unsigned long long>(state->ctr.w) << 32) + count;
  state->ctr.z = static_cast<unsigned int>(high);
  state->ctr.w = static_cast<unsigned int>(high >> 32);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                        curandStatePhilox4_32_10* state) {
  curandStatePhilox4_32_10 fresh{};
  fresh.key = {static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  skipahead_sequence(sequence, &fresh);
  skipahead(offset, &fresh);
  *state = fresh;
}
