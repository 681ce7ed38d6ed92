#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <optional>

// Lab 03: C[row][col] = A[row][col] + B[row][col].
//
//   a, b   (rows, cols)   device memory, row-major without gaps, read only
//   c      (rows, cols)   device memory, row-major without gaps, written; shares no element with a or b
//   rows, cols            any numbers from 0, with rows * cols < 2^63
//   T                     float, double or int
//   sums                  of integers must fit into T, as for + in C++
//
//   grid                  blocks to launch, x along the columns, y along the rows; empty: the rung's choice
//   block                 threads per block, likewise, of any shape up to 1024 threads
//   stream                where the kernel is queued; the launcher returns without waiting for it
//
// A launcher throws std::invalid_argument for a negative size and for a grid or block that CUDA forbids.

/// One element per thread. Also refuses a grid that leaves rows or columns without a thread, and a matrix so
/// tall that no grid covers it (more than 65535 blocks of rows).
template <class T>
void matrix_add_one_per_thread(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols,
                               std::optional<dim3> grid, dim3 block, cudaStream_t stream);

/// Threads stride over rows and columns: every grid is right.
template <class T>
void matrix_add_grid_stride(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols,
                            std::optional<dim3> grid, dim3 block, cudaStream_t stream);

/// The matrix as one array, 16 bytes per access. Grid and block have one dimension here; every grid is right.
template <class T>
void matrix_add_vectorized(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols,
                           std::optional<dim3> grid, dim3 block, cudaStream_t stream);
