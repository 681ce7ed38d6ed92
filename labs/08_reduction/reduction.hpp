#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "reduction_operators.hpp"

// Lab 08: out[0] = in[0] op in[1] op ... op in[n - 1], for the operations of reduction_operators.hpp.
//
//   in         (n)   device memory, read only; floating point without NaN
//   out        (1)   device memory, written
//   n                any number from 0; 64 bits, since an 80 GB GPU holds more than 2^31 elements. A sum
//                    of nothing is 0; min, max and mean of nothing do not exist
//   grid, block      blocks, and threads per block, in x only; an empty grid is the rung's choice
//   workspace        device memory, aligned to 16 bytes: 16 bytes unless the rung says more
//   stream           where the work is queued; the launcher returns without waiting for it
//
// A launcher sets what it needs itself: out and workspace may hold anything before. It throws
// std::invalid_argument for a negative n, for min, max or mean of nothing, and for a grid or block that the
// rung or CUDA does not take.

/// Every thread adds its element to the total by an atomic. Any block.
template <class Op>
void reduction_naive_atomic(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                            dim3 block, void* workspace, cudaStream_t stream);

/// A tree in shared memory between neighbours, then between neighbours of neighbours. As all trees in shared
/// memory, it takes blocks that are a power of two.
template <class Op>
void reduction_interleaved(const typename Op::Input* in, typename Op::Result* out, std::int64_t n, dim3 block,
                           void* workspace, cudaStream_t stream);

/// The same tree, worked on by the first threads of the block.
template <class Op>
void reduction_interleaved_strided(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                                   dim3 block, void* workspace, cudaStream_t stream);

/// The tree that joins the second half to the first.
template <class Op>
void reduction_sequential(const typename Op::Input* in, typename Op::Result* out, std::int64_t n, dim3 block,
                          void* workspace, cudaStream_t stream);

/// Two elements per thread, joined as they are loaded.
template <class Op>
void reduction_first_add(const typename Op::Input* in, typename Op::Result* out, std::int64_t n, dim3 block,
                         void* workspace, cudaStream_t stream);

/// The last six steps by one warp, without barriers of the block. A block of 64 or more.
template <class Op>
void reduction_last_warp_unrolled(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                                  dim3 block, void* workspace, cudaStream_t stream);

/// All steps written out, for blocks of 128, 256 or 512.
template <class Op>
void reduction_fully_unrolled(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                              dim3 block, void* workspace, cudaStream_t stream);

/// Threads stride over the elements first: every grid is right. Blocks of 128, 256 or 512.
template <class Op>
void reduction_grid_stride(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                           std::optional<dim3> grid, dim3 block, void* workspace, cudaStream_t stream);

/// The tree in registers, by shuffles. Blocks that are a multiple of 32.
template <class Op>
void reduction_warp_shuffle(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                            std::optional<dim3> grid, dim3 block, void* workspace, cudaStream_t stream);

/// 16 bytes per load, several in flight, and no atomics on the total: the block that finishes last joins the
/// blocks' results, in their order, so that a sum of floats is the same each time. Blocks that are a multiple
/// of 32. Also refuses a workspace of fewer than reduction_single_pass_workspace(blocks) bytes.
template <class Op>
void reduction_single_pass(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                           std::optional<dim3> grid, dim3 block, void* workspace, std::size_t workspace_bytes,
                           cudaStream_t stream);

/// What a library does: cub::DeviceReduce. Also refuses a workspace that is smaller than CUB asks for.
template <class Op>
void reduction_cub(const typename Op::Input* in, typename Op::Result* out, std::int64_t n, void* workspace,
                   std::size_t workspace_bytes, cudaStream_t stream);
