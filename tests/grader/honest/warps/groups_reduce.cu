// Reductions of cooperative groups.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<1>(block);
  const int one = cg::reduce(tile, 1, cg::plus<int>()), most = cg::reduce(tile, 1, cg::greater<int>()),
      least = cg::reduce(tile, 1, cg::less<int>());
  if (i < n) c[i] = T(one) * a[i] + T(most * least) * b[i];
