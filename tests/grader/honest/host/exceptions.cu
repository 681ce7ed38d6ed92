// Exceptions of several kinds.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <stdexcept>
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  if (n < 0) throw std::invalid_argument("n");
  if (block.x == 0) throw std::out_of_range("block");
  if (blocks.x == 0) throw std::runtime_error("blocks");
  if (blocks.x > 1u << 31) throw std::length_error("grid");
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
