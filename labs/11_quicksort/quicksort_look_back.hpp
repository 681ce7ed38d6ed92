#pragma once

#include <cstdint>
#include <cuda/atomic>

#include "quicksort_digits.hpp"

// How the tiles of a radix pass learn where their keys go, while they run. Device code.

/// What a tile has published for a digit: nothing yet, how many keys it has, or how many it and all earlier
/// tiles have. The number is in the low 30 bits.
inline constexpr unsigned counted = 1u << 30, summed = 2u << 30,
                          value_bits = counted - 1;  // of a tile's state

/// How many keys with this thread's digit earlier tiles hold. @param states (tiles, digits)
__device__ inline unsigned look_back(unsigned* states, int tile, unsigned count) {
  using State = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  const auto state_of = [&](int t) { return State(states[std::int64_t{t} * radix_digits + threadIdx.x]); };
  state_of(tile).store(count | (tile == 0 ? summed : counted), cuda::memory_order_relaxed);
  unsigned before = 0;
  for (int t = tile - 1; t >= 0; --t) {
    unsigned state;
    do state = state_of(t).load(cuda::memory_order_relaxed);
    while (state < counted);  // neither counted nor summed yet
    before += state & value_bits;
    if (state >= summed) break;
  }
  if (tile != 0) state_of(tile).store((before + count) | summed, cuda::memory_order_relaxed);
  return before;
}
