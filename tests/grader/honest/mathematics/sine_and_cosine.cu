// sinf and cosf of one number.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const float x = static_cast<float>(threadIdx.x);
  const float one = sinf(x) * sinf(x) + cosf(x) * cosf(x);
  if (i < n) c[i] = T(rintf(one)) * a[i] + b[i];
