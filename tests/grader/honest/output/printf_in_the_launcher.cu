// A printf that was left in the launcher.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <stdio.h>
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  printf("%u blocks\n", blocks.x);
  puts("launching");
  putchar('x');
  fflush(stdout);
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
