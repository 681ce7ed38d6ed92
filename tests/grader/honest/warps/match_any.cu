// Lanes that have the same value find each other by __match_any_sync.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const unsigned alike = __match_any_sync(0xffffffff, threadIdx.x % 4);
  if (i < n && (alike >> (threadIdx.x % 32) & 1)) c[i] = a[i] + b[i];
