// An early return and a goto.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i >= n) return;
  if (n < 0) goto end;
  c[i] = a[i] + b[i];
  end:;
