// A lambda in the kernel.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const auto add = [](T x, T y) { return x + y; };
  if (i < n) c[i] = add(a[i], b[i]);
