// assert and std::abort in the launcher.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cassert>
#include <cstdlib>
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  assert(blocks.x > 0);
  if (blocks.y == 0) std::abort();
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
