// A place that is never reached.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (n < 0) __builtin_unreachable();
  if (i < n) c[i] = a[i] + b[i];
