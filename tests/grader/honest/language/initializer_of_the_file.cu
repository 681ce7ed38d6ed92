// A table of the host that is made when the program begins.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <array>

static const auto squares = [] {
  std::array<int, 4> all{};
  for (int i = 0; i < 4; ++i) all[i] = i * i;
  return all;
}();
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  if (squares[2] != 4) return;
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
