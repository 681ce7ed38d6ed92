#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/host/dtype.hpp"

namespace warplab {

/// Extents of a block or a grid, x fastest, without a dependency on CUDA.
using Extent3 = std::array<unsigned, 3>;

/// A named number of a case beyond its size, such as "launches" or a choice of the lab's.
struct Parameter {
  std::string name;
  double value = 0;
  std::string label = {};  ///< what people read where the number stands for a choice: "clamp"
  bool of_rung = false;    ///< says how a rung works: inputs and expected values do not depend on it
  bool operator==(const Parameter&) const = default;
};

/// One instance of a lab's problem: how large, of what type, from which seed, launched how.
struct Case {
  std::vector<std::pair<std::string, std::int64_t>> size;  ///< named, in the order of `--size`: rows, cols
  DType dtype = DType::f32;
  std::uint64_t seed = 1;
  std::optional<Extent3> block;  ///< threads per block; the rung's own choice if absent
  std::optional<Extent3> grid;   ///< blocks; as many as the size needs if absent
  std::vector<Parameter> params;

  /// The extent called `name`. @throws std::invalid_argument if there is none.
  std::int64_t extent(std::string_view name) const { return const_cast<Case*>(this)->extent(name); }
  std::int64_t& extent(std::string_view name) {
    for (auto& [key, value] : size)
      if (key == name) return value;
    throw std::invalid_argument("this case has no size called '" + std::string(name) + "'");
  }

  /// The parameter called `name`, or `fallback`.
  double param(std::string_view name, double fallback) const {
    for (const Parameter& parameter : params)
      if (parameter.name == name) return parameter.value;
    return fallback;
  }

  /// Sets the parameter called `name`, which need not exist yet.
  void set_param(std::string_view name, double value, std::string label = {}) {
    for (Parameter& parameter : params)
      if (parameter.name == name) {
        parameter.value = value;
        parameter.label = std::move(label);
        return;
      }
    params.push_back({std::string(name), value, std::move(label)});
  }
};

}  // namespace warplab
