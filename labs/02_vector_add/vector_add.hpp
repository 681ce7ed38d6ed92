#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <optional>

// Lab 02: c[i] = a[i] + b[i] for every i with 0 <= i < n.
//
//   a, b   (n)   device memory, read only
//   c      (n)   device memory, written; shares no element with a or b
//   n            any number from 0; 64 bits, since an 80 GB GPU holds vectors of more than 2^31 elements
//   T            float, double or int; for int every sum must fit, as for + in C++
//
//   grid         blocks to launch, in x only but for one rung; empty: the rung's choice
//   block        threads per block, in x only but for one rung: 1 to 1024
//   stream       where the kernel is queued; the launcher returns without waiting for it
//
// A launcher throws std::invalid_argument for a negative n and for a grid or block that CUDA forbids.

/// One element per thread. Also refuses a grid with fewer than n threads.
template <class T>
void vector_add_one_per_thread(const T* a, const T* b, T* c, std::int64_t n, std::optional<dim3> grid,
                               dim3 block, cudaStream_t stream);

// BEGIN WITHHELD
/// One element per thread, from a block and a grid of one or two dimensions. Also refuses a grid with fewer
/// than n threads.
template <class T>
void vector_add_two_dimensional(const T* a, const T* b, T* c, std::int64_t n, std::optional<dim3> grid,
                                dim3 block, cudaStream_t stream);

// END WITHHELD
/// Threads stride over the vector: every grid is right, also one of a single block.
template <class T>
void vector_add_grid_stride(const T* a, const T* b, T* c, std::int64_t n, std::optional<dim3> grid,
                            dim3 block, cudaStream_t stream);

/// 16 bytes per access. Every grid is right, and so is every pointer that T allows: where a, b and c do not
/// all start at a multiple of 16 bytes, single elements are moved.
template <class T>
void vector_add_vectorized(const T* a, const T* b, T* c, std::int64_t n, std::optional<dim3> grid, dim3 block,
                           cudaStream_t stream);
