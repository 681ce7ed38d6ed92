#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "peer_workspace.hpp"
#include "separable_workspace.hpp"
#include "toeplitz_workspace.hpp"

namespace warplab {

/// Device memory in bytes that a rung's launcher wants at its `workspace`.
inline std::size_t gaussian_workspace_bytes(std::string_view rung, int width, int height, int channels,
                                            int count, int side) {
  const int at_once = std::min(count, 8);  // more come in groups, one after another
  const auto toeplitz = [&] { return toeplitz_workspace_bytes(width, height, channels, at_once, side); };
  const auto separable = [&] { return separable_workspace_bytes(width, height, channels, at_once, side); };
  if (rung.starts_with("toeplitz")) return toeplitz();
  if (rung.starts_with("separable_")) return separable();
  if (rung == "auto") return std::max(toeplitz(), separable());
  if (rung == "cudnn" || rung == "cufft") return peer_workspace_bytes(width, height, channels, count, side);
  return 0;
}

}  // namespace warplab
