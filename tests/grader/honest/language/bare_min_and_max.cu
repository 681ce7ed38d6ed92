// min, max and abs without a namespace.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const std::int64_t last = min(n, i + 1), j = max(i, std::int64_t{0});
  if (j < last && abs(-1) == 1 && fmaxf(0.0f, 1.0f) == 1.0f && ::max(1, 2) == 2 && umin(1u, 2u) == 1u)
      c[j] = a[j] + b[j];
