#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "common/launch_shape.hpp"
#include "riemann_partition.hpp"
#include "riemann_shape.hpp"

// What the launchers of lab 10 check, and the shapes that they choose. Host code.

/// The partition that the integral of f asks for. @throws std::invalid_argument
/// for what every launcher refuses
template <class F>
Partition riemann_partition(F, const Integral& integral) {
  const auto [from, to, n, rule] = integral;
  if (n < 1) warplab::refuse("n is ", n, "; a sum needs 1 interval or more");
  if (n > riemann_max_intervals)
    warplab::refuse("n is ", n, "; beyond 2^52 a double does not hold each i + 1/2");
  if (!(from >= riemann_min_end && from <= riemann_max_end && to >= riemann_min_end && to <= riemann_max_end))
    warplab::refuse("the interval from ", from, " to ", to, ": its ends must lie between ", riemann_min_end,
                    " and ", riemann_max_end);
  if (from < F::least)
    warplab::refuse("the integrand has no values below ", F::least, "; the interval begins at ", from);
  if (from > to) warplab::refuse("the interval from ", from, " to ", to, " is reversed");
  if (rule < Rule::left || rule > Rule::trapezoid)
    warplab::refuse("rule ", static_cast<int>(rule), " is unknown; rules have the numbers 0 to 3");
  const double place = rule == Rule::right ? 1 : rule == Rule::midpoint ? 0.5 : 0;
  const auto count = static_cast<double>(n);
  const double width = (to - from) / count;
  return {from, to, n, width, std::fma(-width, count, to - from) / count, place, rule == Rule::trapezoid};
}

/// Refuses a block with part of a warp. @throws std::invalid_argument
inline void riemann_check_whole_warps(dim3 block) {
  warplab::check_block(block, 1);
  if (block.x % 32 != 0)
    warplab::refuse("a block of ", block,
                    ": this rung takes multiples of 32, since all lanes of a warp take part in a shuffle");
}

/// The grid asked for. Else twice as many blocks as the device has room for, so that no multiprocessor runs
/// dry while others finish, but fewer where threads would have little to do. @throws std::invalid_argument
/// for a grid that CUDA does not allow
inline dim3 riemann_grid(std::optional<dim3> asked, dim3 block, std::int64_t evaluations) {
  if (asked) {
    warplab::check_grid(*asked, 1);
    return *asked;
  }
  const std::int64_t threads = warplab::device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const std::int64_t room = warplab::multiprocessors() * (threads / block.x);
  return warplab::grid_of(riemann_blocks(evaluations, block.x, 2 * room));
}

/// Queues `*out = 0`.
template <class T>
void riemann_start(T* out, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(out, 0, sizeof *out, stream));
}

/// Refuses a workspace that is too small. @throws std::invalid_argument
inline void riemann_check_workspace(std::size_t available, std::size_t needed) {
  if (available < needed)
    warplab::refuse("a workspace of ", available, " bytes is too small: this launch needs ", needed);
}
