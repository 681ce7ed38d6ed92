// Scans of cooperative groups.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const auto group = cg::coalesced_threads();
  const unsigned before = cg::exclusive_scan(group, 1u), with = cg::inclusive_scan(group, 1u,
      cg::plus<unsigned>());
  if (i < n && before == group.thread_rank() && with == before + 1) c[i] = a[i] + b[i];
