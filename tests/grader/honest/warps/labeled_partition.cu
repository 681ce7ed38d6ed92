// Groups of lanes by a label and by a predicate.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const auto group = cg::coalesced_threads();
  const auto halves = cg::binary_partition(group, threadIdx.x % 2 == 0);
  const auto fours = cg::labeled_partition(group, threadIdx.x % 4);
  if (i < n && halves.size() >= fours.size()) c[i] = a[i] + b[i];
