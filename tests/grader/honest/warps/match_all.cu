// A warp asks by __match_all_sync whether all lanes have one value.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  int same = 0;
  const unsigned alike = __match_all_sync(__activemask(), blockIdx.x, &same);
  if (i < n && same && alike != 0) c[i] = a[i] + b[i];
