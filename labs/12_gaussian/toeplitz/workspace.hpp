#pragma once

#include <algorithm>
#include <cstddef>

/// Filters as matrices hold them: 1, 2, 4 or 8; those that nobody asked for are zero.
constexpr int toeplitz_filters(int count) { return count > 4 ? 8 : count > 2 ? 4 : count; }

/// Columns between the first that a tile loads and the first that its filters touch. With them a tile starts
/// at a multiple of 4 pixels.
constexpr int toeplitz_lead(int side) { return (4 - side / 2 % 4) % 4; }

/// Columns of the image that `outputs` neighbouring outputs need, in whole matrices of 16.
constexpr int toeplitz_columns(int side, int outputs) {
  return (outputs + side - 1 + toeplitz_lead(side) + 15) / 16 * 16;
}

/// Bytes of workspace that each of the Toeplitz rungs needs at most: its tables. @pre
/// count is 1 to max_tensor_filters
inline std::size_t toeplitz_workspace_bytes(int count, int side) {
  const int filters = toeplitz_filters(count);
  const auto rows = static_cast<std::size_t>(side);
  const std::size_t wmma = rows * toeplitz_columns(side, 16) * filters * 16 * 3;  // 24 halves hold 16
  const std::size_t wgmma = rows * (toeplitz_columns(side, 64 / filters) + 80) * 64 * 2;
  return std::max(wmma, wgmma);
}
