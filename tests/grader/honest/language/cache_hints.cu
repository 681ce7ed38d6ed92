// Loads and stores with hints for caches.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) __stcs(c + i, __ldcs(a + i) + __ldcg(b + i));
  if (n < 0) __stwt(c, __ldcv(a) + __ldlu(b));
