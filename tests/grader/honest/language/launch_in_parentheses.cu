// A kernel in parentheses, launched where a statement begins after a condition.
// clang-format off
//! solves first_program/block_count
//! of
  if (n > 0) count_kernel<<<blocks, threads>>>(device_in.data(), n, limit, device_count.data());
//! becomes
  if (n > 0) (count_kernel)<<<blocks, threads>>>(device_in.data(), n, limit, device_count.data());
