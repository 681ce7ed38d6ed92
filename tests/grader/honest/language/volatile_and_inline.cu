// volatile pointers.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  volatile T* const out = c;
  if (i < n) out[i] = a[i] + b[i];
