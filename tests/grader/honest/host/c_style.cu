// C of an older kind.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  int t = (int) threadIdx.x;
  long long idx = (long long) blockIdx.x * blockDim.x + t;
  if (idx >= n) return;
  c[idx] = a[idx] + b[idx];
