#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: cooperative_groups::inclusive_scan and exclusive_scan.

#include "reduce.h"

namespace cooperative_groups {

/// Rank r gets the combined value of the ranks 0 to r.
template <class T, class Combine>
T inclusive_scan(const details::WarpGroup& group, T value, Combine combine, WARPLAB_CALLER) {
  return details::combine_ranks(group, value, group.thread_rank() + 1, combine,
                                {"cooperative_groups::inclusive_scan", file, line});
}
template <class T>
T inclusive_scan(const details::WarpGroup& group, T value, WARPLAB_CALLER) {
  return inclusive_scan(group, value, plus<T>{}, file, line);
}

/// Rank r gets the combined value of the ranks below it; rank 0 gets T's zero.
template <class T, class Combine>
T exclusive_scan(const details::WarpGroup& group, T value, Combine combine, WARPLAB_CALLER) {
  const unsigned rank = group.thread_rank();
  const T below =
      details::combine_ranks(group, value, rank, combine, {"cooperative_groups::exclusive_scan", file, line});
  return rank == 0 ? T{} : below;
}
template <class T>
T exclusive_scan(const details::WarpGroup& group, T value, WARPLAB_CALLER) {
  return exclusive_scan(group, value, plus<T>{}, file, line);
}

}  // namespace cooperative_groups

#include "warplab_emulator/user_macros_back.inc"
