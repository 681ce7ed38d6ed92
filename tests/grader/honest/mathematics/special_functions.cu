// Special functions.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const float x = 0.25f;
  const float none = 0.0f * (erfinvf(x) + erfcinvf(x) + normcdff(x) + normcdfinvf(x) + erfcxf(x) +
      cyl_bessel_i0f(x) + j0f(x) + y0f(x) + rcbrtf(x) + rhypotf(x, x) + norm3df(x, x, x) + sinpif(x) +
      cospif(x) + lgammaf(x) + tgammaf(x) + logbf(x) + ilogbf(x) + nextafterf(x, 1.0f) + scalbnf(x, 2));
  if (i < n) c[i] = a[i] + b[i] + T(none);
