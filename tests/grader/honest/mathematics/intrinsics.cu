// Fast approximations.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const float x = 1.0f + threadIdx.x % 3;
  const float y = __expf(__logf(x)) * __frcp_rn(x) * __fdividef(x, x) * rsqrtf(x) * __fsqrt_rn(x) +
      __sinf(0.0f) + __powf(x, 0.0f) - __cosf(0.0f) + __fmaf_rn(x, 0.0f, 0.0f) + 0.0f * __tanf(x) + 0.0f
      * __saturatef(x) + 0.0f*__log2f(x) + 0.0f*exp10f(0.5f) + 0.0f * __exp10f(0.5f);
  if (i < n) c[i] = T(rintf(y)) * a[i] + b[i];
