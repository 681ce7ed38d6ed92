#pragma once

#include <cstdint>
#include <limits>

#include "common/host/host_array.hpp"

namespace warplab {

/// Replaces one element in 61, from an index that the seed chooses, by a value that breaks assumptions and
/// whose sums of two stay finite: -0, a subnormal, an eighth of the largest number and its negative, and 1
/// with its last bit set. Integers get a quarter of their largest and of their smallest value. Other elements
/// stay as they are.
inline void sprinkle_extreme_values(HostArray& array, std::uint64_t seed) {
  const auto sprinkle = [&]<class T>() {
    using limits = std::numeric_limits<T>;
    const auto elements = array.as<T>();
    std::uint64_t turn = seed;
    for (std::size_t i = seed % 61; i < elements.size(); i += 61, ++turn) {
      if constexpr (limits::is_integer) {
        elements[i] = turn % 2 == 0 ? static_cast<T>(limits::max() / 4) : static_cast<T>(limits::min() / 4);
      } else {
        const T values[] = {-T{0}, limits::denorm_min() * 3, limits::max() / 8, -limits::max() / 8,
                            1 + limits::epsilon()};
        elements[i] = values[turn % 5];
      }
    }
  };
  dispatch<std::uint8_t, std::int32_t, std::int64_t, float, double>(array.dtype(), sprinkle);
}

}  // namespace warplab
