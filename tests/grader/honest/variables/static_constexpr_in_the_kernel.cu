// A static constexpr table inside of the kernel.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  static constexpr int ones[2] = {1, 1};
  if (i < n) c[i] = T(ones[i & 1]) * a[i] + b[i];
