// The parameters in a struct that the kernel takes by value.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

struct Ends {
  std::int64_t n;
  int scale;
};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const Ends ends{n, 1};
  if (i < ends.n) c[i] = T(ends.scale) * a[i] + b[i];
