// Attributes of g++ that warn or silence warnings.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include "vector_add.hpp"
//! becomes
#include "vector_add.hpp"

#include <cstdio>

__attribute__((format(printf, 1, 2))) static void note(const char* format, ...) { (void)format; }
__attribute__((deprecated("use the other one"))) int old_one();
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  note("%d blocks", static_cast<int>(blocks.x));
  switch (block.y) {
    case 0:
      note("no rows");
      __attribute__((fallthrough));
    default:
      break;
  }
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
