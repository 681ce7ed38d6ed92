// The operator _Pragma.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  _Pragma("unroll") for (int k = 0; k < 1; ++k)
    if (i < n) c[i] = a[i] + b[i];
  #pragma unroll 1
  for (int k = 0; k < 0; ++k) __syncwarp();
