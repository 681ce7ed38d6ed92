// A group of the lanes that are active.
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
  if (i < n) {
    const auto group = cg::coalesced_threads();
    if (group.thread_rank() < group.size()) c[i] = a[i] + b[i];
  }
