// What the compiler may assume.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  __builtin_assume(n > 0);
  const T* p = static_cast<const T*>(__builtin_assume_aligned(a, sizeof(T)));
  if (__builtin_expect(i < n, 1)) c[i] = __ldg(p + i) + b[i];
