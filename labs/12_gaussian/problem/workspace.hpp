#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "gaussian_limits.hpp"
#include "toeplitz/workspace.hpp"

namespace warplab {

/// Device memory in bytes that a rung's launcher wants at its `workspace`. More filters than a matrix has
/// columns come in groups, one after another.
inline std::size_t gaussian_workspace_bytes(std::string_view rung, int count, int side) {
  const bool has_tables = rung.starts_with("toeplitz") || rung == "auto";
  return has_tables ? toeplitz_workspace_bytes(std::min(count, max_tensor_filters), side) : 0;
}

}  // namespace warplab
