#pragma once

#include "vector_types.h"

namespace warplab::emulator {

/// Threads of a block of that shape, or blocks of a grid or a cluster.
inline unsigned long long count_in(const dim3& shape) { return 1ull * shape.x * shape.y * shape.z; }

/// The index of a thread in its block, or of a block in its grid, by its number: x runs first.
template <class Number>  // unsigned and of any width: few divide fast
uint3 place_in(const dim3& shape, Number number) {
  const Number row = number / shape.x;
  return {static_cast<unsigned>(number - row * shape.x), static_cast<unsigned>(row % shape.y),
          static_cast<unsigned>(row / shape.y)};
}

/// The number of an index.
inline unsigned long long number_in(const dim3& shape, const uint3& place) {
  return place.x + shape.x * (place.y + 1ull * shape.y * place.z);
}

}  // namespace warplab::emulator
