// A local array that holds a thread's values.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  T own[16];
  for (int k = 0; k < 16; ++k) own[k] = T(k);
  if (i < n) c[i] = a[i] + own[1] * b[i];
