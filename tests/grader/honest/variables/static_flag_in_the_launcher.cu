// A static flag in the launcher.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  static bool first = true;
  if (first) first = false;
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
