// auto, decltype and trailing return types.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  auto add = [=](auto x, auto y) -> decltype(x + y) { return x + y; };
  if (i < n) c[i] = add(a[i], b[i]);
