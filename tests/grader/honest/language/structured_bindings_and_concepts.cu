// Newer C++: concepts, structured bindings, if constexpr.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <concepts>

template <class I>
  requires std::integral<I>
__device__ auto pair_of(I x, I y) {
  struct Pair {
    I first, second;
  };
  return Pair{x, y};
}
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const auto [x, y] = pair_of(i, n);
  if constexpr (sizeof(T) >= 4) {
    if (x < y) c[i] = a[i] + b[i];
  }
