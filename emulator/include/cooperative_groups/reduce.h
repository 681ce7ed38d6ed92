#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: cooperative_groups::reduce and its operators.

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define WARPLAB_GROUP_OPERATOR(name, expression)                        \
  template <class T>                                                    \
  struct name {                                                         \
    T operator()(T a, T b) const { return static_cast<T>(expression); } \
  };

WARPLAB_GROUP_OPERATOR(plus, a + b)
WARPLAB_GROUP_OPERATOR(less, b < a ? b : a)     // the smaller
WARPLAB_GROUP_OPERATOR(greater, a < b ? b : a)  // the larger
WARPLAB_GROUP_OPERATOR(bit_and, a& b)
WARPLAB_GROUP_OPERATOR(bit_or, a | b)
WARPLAB_GROUP_OPERATOR(bit_xor, a ^ b)
#undef WARPLAB_GROUP_OPERATOR

namespace details {

/// Combines the values of a warp's group over its first `count` ranks, in their order.
template <class T, class Combine>
T combine_ranks(const WarpGroup& group, const T& value, unsigned count, Combine combine,
                const warplab::emulator::Site& site) {
  T result = value;
  unsigned rank = 0;
  warplab::emulator::for_each_value(group.lanes(), value, site, [&](int, const T& other) {
    if (rank == 0)
      result = other;
    else if (rank < count)
      result = static_cast<T>(combine(result, other));
    ++rank;
  });
  return result;
}

}  // namespace details

/// Every thread of the group gets the combined value of all.
template <class T, class Combine>
T reduce(const details::WarpGroup& group, T value, Combine combine, WARPLAB_CALLER) {
  return details::combine_ranks(group, value, group.size(), combine,
                                {"cooperative_groups::reduce", file, line});
}

}  // namespace cooperative_groups

#include "warplab_emulator/user_macros_back.inc"
