#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/dtype.hpp"

namespace warplab {

/// Extents of a block or a grid, x fastest, without a dependency on CUDA.
using Extent3 = std::array<unsigned, 3>;

/// One instance of a lab's problem: how large, of what type, from which seed, launched how.
struct Case {
  std::vector<std::pair<std::string, std::int64_t>> size;  ///< named, in the order of `--size`: rows, cols
  DType dtype = DType::f32;
  std::uint64_t seed = 1;
  std::optional<Extent3> block;                        ///< threads a block; the rung's own choice if absent
  std::optional<Extent3> grid;                         ///< blocks; as many as the size needs if absent
  std::vector<std::pair<std::string, double>> params;  ///< further named parameters, such as "launches"

  /// The extent called `name`. @throws std::invalid_argument if there is none.
  std::int64_t extent(std::string_view name) const {
    for (const auto& [key, value] : size)
      if (key == name) return value;
    throw std::invalid_argument("this case has no size called '" + std::string(name) + "'");
  }

  /// The parameter called `name`, or `fallback`.
  double param(std::string_view name, double fallback) const {
    for (const auto& [key, value] : params)
      if (key == name) return value;
    return fallback;
  }
};

}  // namespace warplab
