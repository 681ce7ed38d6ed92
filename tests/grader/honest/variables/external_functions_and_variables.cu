// Functions and variables of the file that are neither static nor in a namespace.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

__device__ int scale_of_all = 1;
int number_of_calls = 0;
int next_call() { return ++number_of_calls; }
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = T(scale_of_all) * a[i] + b[i];
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  next_call();
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
