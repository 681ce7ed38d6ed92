// Arrays, tuples and algorithms of libcu++.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cuda/std/array>
#include <cuda/std/utility>
#include <cuda/std/type_traits>
#include <cuda/std/cmath>
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const cuda::std::array<int, 2> ones = {1, 1};
  const auto both = cuda::std::make_pair(a[i < n ? i : 0], b[i < n ? i : 0]);
  if (i < n) c[i] = T(ones[0]) * both.first + both.second;
