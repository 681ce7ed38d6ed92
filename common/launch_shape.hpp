#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>

#include "common/throwing.hpp"

namespace warplab {

/// CUDA's limits on a launch, the same on every architecture since sm_30.
inline constexpr std::int64_t max_block_threads = 1024;
inline constexpr std::int64_t max_grid_x = 2147483647;
inline constexpr std::int64_t max_grid_yz = 65535;

/// a / b rounded up, for a >= 0 and b > 0. Unlike (a + b - 1) / b it cannot overflow.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// Refuses what a launcher cannot take, with a sentence of these parts. @throws std::invalid_argument
template <class... Parts>
[[noreturn]] void refuse(Parts... parts) {
  throw_invalid_argument(Sentence(parts...));
}

/// Refuses a negative extent. @throws std::invalid_argument naming it.
inline void check_size(const char* name, std::int64_t value) {
  if (value < 0) refuse(name, " is ", value, "; it must be 0 or more");
}

/// Refuses a block that CUDA cannot launch, or that has more than `dimensions` dimensions.
/// @throws std::invalid_argument naming the shape and the limit.
inline void check_block(dim3 block, int dimensions) {
  if ((dimensions < 3 && block.z != 1) || (dimensions < 2 && block.y != 1))
    refuse("a block of ", block, " threads: this rung takes blocks of ", dimensions,
           dimensions == 1 ? " dimension" : " dimensions");
  if (block.x == 0 || block.y == 0 || block.z == 0) refuse("a block of ", block, " has no threads");
  if (block.x > max_block_threads || block.y > max_block_threads || block.z > 64 ||
      std::int64_t{block.x} * block.y * block.z > max_block_threads)
    refuse("a block of ", block, " is too large: CUDA allows 1024 threads in all, and 64 in z");
}

/// Refuses a grid that CUDA cannot launch, or that has more than `dimensions` dimensions.
/// @throws std::invalid_argument naming the shape and the limit.
inline void check_grid(dim3 grid, int dimensions) {
  if ((dimensions < 3 && grid.z != 1) || (dimensions < 2 && grid.y != 1))
    refuse("a grid of ", grid, " blocks: this rung takes grids of ", dimensions,
           dimensions == 1 ? " dimension" : " dimensions");
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) refuse("a grid of ", grid, " has no blocks");
  if (grid.x > max_grid_x || grid.y > max_grid_yz || grid.z > max_grid_yz)
    refuse("a grid of ", grid, " blocks is too large: CUDA allows 2147483647 in x, 65535 in y and z");
}

/// A grid of x by y blocks. @throws std::invalid_argument if CUDA allows no grid that large.
inline dim3 grid_of(std::int64_t x, std::int64_t y = 1) {
  if (x > max_grid_x || y > max_grid_yz)
    refuse("this size needs a grid of ", x, "x", y,
           " blocks, and CUDA allows 2147483647 in x and 65535 in y; use larger blocks, or a rung whose "
           "threads stride over the grid");
  return dim3(static_cast<unsigned>(x), static_cast<unsigned>(y));
}

/// Blocks of one layer of grid_in_layers(). Graded code is compiled with few, so that small sizes show
/// whether it reads blockIdx.z. Programs have as many as CUDA allows, or what --blocks-down says, which
/// travels in the environment.
inline constexpr std::int64_t graded_blocks_down = 63;
inline constexpr const char* blocks_down_variable = "WARPLAB_BLOCKS_DOWN";
#ifdef WARPLAB_FEW_BLOCKS_DOWN
inline std::int64_t max_blocks_down() { return graded_blocks_down; }
#else
inline std::int64_t max_blocks_down() {
  const char* const given = std::getenv(blocks_down_variable);
  const std::int64_t number = given != nullptr ? std::strtol(given, nullptr, 10) : 0;
  return number > 0 && number < max_grid_yz ? number : std::int64_t{max_grid_yz};
}
#endif

/// A grid of `across` by `down` blocks for any `down`: beyond CUDA's 65,535 in y they go on in further layers
/// of z. A block's number down is blockIdx.z * gridDim.y + blockIdx.y, and may lie past the last one.
inline dim3 grid_in_layers(std::int64_t across, std::int64_t down) {
  const std::int64_t layers = ceil_div(down, max_blocks_down());
  return dim3(static_cast<unsigned>(across), static_cast<unsigned>(ceil_div(down, layers)),
              static_cast<unsigned>(layers));
}

}  // namespace warplab
