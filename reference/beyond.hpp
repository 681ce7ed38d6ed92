#pragma once

#include <cstdint>

namespace warplab::reference {

/// What is beyond the edge of an image: nothing (such pixels are not written), the nearest pixel, 0, or
/// the image mirrored at its outermost pixels (dcb|abcd|cba).
enum class Beyond { untouched, clamp, zero, reflect };

/// Where a pixel outside a row of `n` is read: in [0, n), or -1 where it is 0 (and where nothing is written).
std::int64_t index_beyond(std::int64_t i, std::int64_t n, Beyond rule);

}  // namespace warplab::reference
