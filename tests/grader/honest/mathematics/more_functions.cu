// Functions of cmath that come with a second result or an exponent.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  int e, q;
  float whole;
  const float x = 1.5f;
  const float none = 0.0f * (frexpf(x, &e) + modff(x, &whole) + remquof(x, 1.0f, &q) + ldexpf(x, e) +
      scalbnf(x, 1) + logbf(x) + float(ilogbf(x)) + nextafterf(x, 2.0f) + fdimf(x, x) + cbrtf(x));
  const double zero = 0.0 * (nextafter(1.0, 2.0) + scalbn(1.0, 2) + logb(1.0) + j0(1.0) + j1(1.0) + jn(2,
      1.0) + y0(1.0));
  if (i < n && isfinite(none) && !isnan(zero) && !signbit(1.0f)) c[i] = a[i] + b[i];
