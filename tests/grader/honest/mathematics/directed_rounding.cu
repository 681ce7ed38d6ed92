// Sums, products and roots with a stated rounding.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const float low = __fadd_rd(1.0f, 1e-9f), high = __fadd_ru(1.0f, 1e-9f);  // 1, and the next one
  const double root = __dsqrt_rz(4.0) * __dmul_ru(0.5, 1.0) * __ddiv_rz(1.0, 1.0) * __dadd_rd(1.0, 1e-20);
  const bool differ = low == 1.0f && high > 1.0f && __fmaf_rz(low, low, -1e-9f) < 1.0f;
  if (i < n) c[i] = differ ? T(root) * a[i] + b[i] : T(0);
