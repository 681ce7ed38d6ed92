// A kernel by a pointer that is dereferenced, launched after an else.
// clang-format off
//! solves first_program/block_count
//! of
  if (n > 0) count_kernel<<<blocks, threads>>>(device_in.data(), n, limit, device_count.data());
//! becomes
  void (*const kernel)(const float*, int, float, int*) = &count_kernel;
  if (n > 0) (*kernel)<<<blocks, threads>>>(device_in.data(), n, limit, device_count.data());
