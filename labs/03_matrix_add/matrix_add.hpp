#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <optional>

// Lab 03: C[row][col] = A[row][col] + B[row][col].
//
//   a, b   (rows, cols)   device memory, row-major, read only; without gaps if not stated otherwise
//   c      (rows, cols)   device memory, likewise, written; shares no element with a or b
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

/// Rows with gaps: each begins `pitch` bytes after the one before, as cudaMallocPitch returns it. A pitch is
/// at least cols * sizeof(T) and a multiple of sizeof(T). What lies between rows keeps its bytes. 16 bytes
/// per access where a, b, c and the pitch allow it; every grid is right. Also refuses a pitch that is too
/// small.
template <class T>
void matrix_add_pitched(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols,
                        std::int64_t pitch, std::optional<dim3> grid, dim3 block, cudaStream_t stream);
