// The clock of a multiprocessor, and a nap.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const long long begin = clock64();
  __nanosleep(1);
  if (i < n && clock64() >= begin) c[i] = a[i] + b[i];
