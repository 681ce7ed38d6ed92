#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/device_attribute.hpp"
#include "common/launch_shape.hpp"
#include "reduction_operators.hpp"
#include "reduction_shape.hpp"

// What the launchers of lab 08 check, and the shapes that they choose. Host code.

/// Whether there are elements to combine. @throws std::invalid_argument for what every launcher refuses
template <class Op>
bool reduction_has_elements(std::int64_t n) {
  warplab::check_size("n", n);
  if (n > 0 || Op::exists_for_nothing) return n > 0;
  warplab::refuse("the ", Op::name, " of no elements does not exist; only a sum has a value for n = 0");
}

/// Refuses a block whose halves do not meet in pairs. @throws std::invalid_argument
inline void reduction_check_power_of_two(dim3 block, unsigned least) {
  warplab::check_block(block, 1);
  if ((block.x & (block.x - 1)) != 0 || block.x < least)
    warplab::refuse("a block of ", block, ": this rung takes powers of two from ", least,
                    " to 1024, since each step joins one half of the threads to the other");
}

/// Refuses a block for which no kernel was compiled. @throws std::invalid_argument
inline void reduction_check_compiled_for(dim3 block) {
  warplab::check_block(block, 1);
  if (block.x != 128 && block.x != 256 && block.x != 512)
    warplab::refuse("a block of ", block, ": this rung is compiled for blocks of 128, 256 and 512");
}

/// Refuses a block that is not a whole number of warps. @throws std::invalid_argument
inline void reduction_check_whole_warps(dim3 block) {
  warplab::check_block(block, 1);
  if (block.x % 32 != 0)
    warplab::refuse("a block of ", block,
                    ": this rung takes multiples of 32, since all lanes of a warp take part in a shuffle");
}

/// The grid asked for. Else as many blocks as the device holds at a time, but not more than
/// give each thread an item, and within the bounds on which the tolerance relies. @param items
/// for the threads of the grid to share
/// @throws std::invalid_argument for a grid that CUDA does not allow
inline dim3 reduction_grid(std::optional<dim3> asked, dim3 block, std::int64_t items) {
  if (asked) {
    warplab::check_grid(*asked, 1);
    return *asked;
  }
  const std::int64_t threads = warplab::device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const std::int64_t resident = warplab::multiprocessors() * (threads / block.x);
  return warplab::grid_of(std::min(std::clamp(resident, reduction_min_blocks, reduction_max_blocks),
                                   std::max<std::int64_t>(1, warplab::ceil_div(items, block.x))));
}

/// How many elements are before the first that starts at a multiple of 16 bytes. @pre `in` is aligned for T
template <class T>
std::int64_t reduction_head(const T* in) {
  return static_cast<std::int64_t>((16 - reinterpret_cast<std::uintptr_t>(in) % 16) % 16 / sizeof(T));
}

/// Refuses a workspace that is too small. @throws std::invalid_argument
inline void reduction_check_workspace(std::size_t available, std::size_t needed) {
  if (available < needed)
    warplab::refuse("a workspace of ", available, " bytes is too small: this launch needs ", needed);
}
