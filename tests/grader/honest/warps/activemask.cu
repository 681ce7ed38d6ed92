// The lanes that are active, by __activemask.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const unsigned active = __activemask();
  if (i < n && __popc(active) > 0) c[i] = a[i] + b[i];
