// sincosf, sincos and sincospi.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  float s, k;
  sincosf(0.5f, &s, &k);
  double t, l;
  sincos(0.5, &t, &l);
  float u, v;
  sincospif(0.5f, &u, &v);
  if (i < n) c[i] = T(rintf(s * s + k * k)) * a[i] + T(rint(t * t + l * l) * rintf(u)) * b[i];
