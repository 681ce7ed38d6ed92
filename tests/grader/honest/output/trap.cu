// A trap where something cannot be.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (blockDim.x == 0) __trap();
  if (i < n) c[i] = a[i] + b[i];
