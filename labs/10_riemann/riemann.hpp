#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>

#include "riemann_functions.hpp"
#include "riemann_partition.hpp"

// Lab 10: out[0] = width * (f(x_0) + ... + f(x_{n-1})), the sum of a rule over n
// equal intervals of [from, to].
//
//   f              an integrand of riemann_functions.hpp, by value; F::Value is float or double
//   integral       from <= to, both between -50 and 50; n from 1 to 2^52; one of four rules
//   out        (1) device memory, written
//   grid, block    blocks, and threads per block, in x; without a grid the launcher chooses one
//   workspace      device memory, aligned to 16 bytes: riemann_workspace(blocks) bytes
//   stream         where the work is queued; the launcher returns without waiting for it
//
// Nothing is read from memory but what the rung itself wrote. A launcher sets what it needs: out and
// workspace may hold anything before. It throws std::invalid_argument for an integral, a grid or a block that
// it does not take.

/// One thread and one atomic per interval. Any block.
template <class F>
void riemann_naive(F f, Integral integral, typename F::Value* out, dim3 block, cudaStream_t stream);

/// Each thread sums intervals that lie a grid apart; one atomic per thread. Any grid and block.
template <class F>
void riemann_grid_stride(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                         cudaStream_t stream);

/// The same with four sums per thread, which do not wait for each other.
template <class F>
void riemann_unrolled(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                      cudaStream_t stream);

/// The lanes of a warp join their sums by shuffles; one atomic per warp. Blocks that are a multiple of 32.
template <class F>
void riemann_warp(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                  cudaStream_t stream);

/// The warps of a block join theirs in shared memory; one atomic per block. Blocks that are a multiple of 32.
template <class F>
void riemann_shared(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                    cudaStream_t stream);

/// Simpson's rule, whatever integral.rule is: each interval's ends and midpoint with weights 1/6, 4/6, 1/6,
/// so 2n + 1 evaluations. Blocks that are a multiple of 32.
template <class F>
void riemann_simpson(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                     cudaStream_t stream);

/// Romberg's rule, whatever integral.rule is: trapezoid sums of n, 2n, 4n, 8n and 16n intervals, extrapolated
/// to width 0, by 16n + 1 evaluations. The points are exact up to n = 2^49: beyond, a double does not hold
/// each number up to 16n. Blocks that are a multiple of 32.
template <class F>
void riemann_romberg(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                     cudaStream_t stream);

/// What each addition rounds off is kept and added at the end: as exact as a sum in twice the precision.
/// Blocks that are a multiple of 32. Also refuses a workspace of fewer than riemann_workspace(blocks) bytes.
template <class F>
void riemann_compensated(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                         void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// The same bits for every grid and every block. Blocks that are a multiple of 32. Also refuses a workspace
/// of fewer than riemann_workspace(blocks) bytes.
template <class F>
void riemann_reproducible(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid,
                          dim3 block, void* workspace, std::size_t workspace_bytes, cudaStream_t stream);

/// The same evaluations, of which nothing is kept and nothing written: what the others are measured against.
template <class F>
void riemann_ceiling(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                     cudaStream_t stream);

/// What a library does: cub::DeviceReduce::TransformReduce. Also refuses a workspace
/// that is smaller than CUB asks for.
template <class F>
void riemann_cub(F f, Integral integral, typename F::Value* out, void* workspace, std::size_t workspace_bytes,
                 cudaStream_t stream);
