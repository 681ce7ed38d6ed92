#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

// Lab 00: whole programs. Every function below is host code. Its arrays are in host memory, but for those of
// the last task; it allocates device memory, copies the inputs there, launches a kernel, copies the result
// back, and frees what it allocated.
//
// Each returns cudaSuccess, or the code of the first CUDA call that failed. (Task 1 does not look at errors
// yet: its function returns the last one.) A function that returns anything but cudaSuccess has freed all
// device memory, and has not written to its outputs. Counts may be 0: then nothing is launched. `n` is at
// most 2^30, so that an int holds it when it is rounded up to whole blocks. Inputs are never written to.
// Every file also holds a `main` function, so each is a program.

/// out[i] = a * x[i] + y[i] for i in [0, n).
/// @param x,y,out (n) float, host
cudaError_t first_program_saxpy(float a, const float* x, const float* y, float* out, int n);

/// Writes `copies` copies of `in`, one after the other: out[i] = in[i % n] for i in [0, n * copies).
/// @param in      (n) float, host
/// @param out     (n * copies) float, host
/// @param copies  the device may have no room for the result; its 4 * n * copies bytes fit into 63 bits
/// @param threads per block, at least 1; may be more than a block can have
cudaError_t first_program_checked(const float* in, int n, float* out, std::int64_t copies, int threads);

/// Adds a * x to y once as a warm-up and then `launches` times, and measures the latter with events.
/// @param x,y,out      (n) float, host; out[i] = y[i] + (1 + launches) * a * x[i]
/// @param launches     at least 1
/// @param milliseconds of one launch, on average; 0 if n is 0
/// @param gb_per_s     10^9 bytes per second: a launch reads x and y and writes y; 0 if n is 0
cudaError_t first_program_timed(float a, const float* x, const float* y, float* out, int n, int launches,
                                float* milliseconds, float* gb_per_s);

/// out[r][c] = column[r] * row[c]: the multiplication table of two vectors.
/// @pre rows * cols < 2^31, since indices are ints; rows, cols <= 65,535 * 16: a grid has 65,535 blocks in y
/// @param column (rows) int, host
/// @param row    (cols) int, host
/// @param out    (rows, cols) int, host, row-major
cudaError_t first_program_outer_product(const int* column, int rows, const int* row, int cols, int* out);

/// out[i] = even_work(in[i]) for even i, and odd_work(in[i]) for odd i.
/// @param in,out (n) int, host
cudaError_t first_program_uniform_warps(const int* in, int* out, int n);

/// How many elements are above `limit`.
/// @param in    (n) float, host
/// @param count (1) int, host
cudaError_t first_program_block_count(const float* in, int n, float limit, int* count);

/// out[i] = a[i].x * b[i].x + a[i].y * b[i].y + a[i].z * b[i].z.
/// @param a,b (n) float3, host
/// @param out (n) float, host
cudaError_t first_program_dot3(const float3* a, const float3* b, float* out, int n);

/// out[i] = x[i] + y[i]. What is in `first` already writes x, and what is in `second` writes y. The sum is
/// there when `first` has come so far; what the caller then puts into `second` may write to y. The host waits
/// for neither.
/// @param x,y,out (n) float, device
cudaError_t first_program_two_streams(const float* x, const float* y, float* out, int n, cudaStream_t first,
                                      cudaStream_t second);

/// What a function returns while it is still to be written. Delete the call when you have written it.
inline cudaError_t todo(const char* hint) {
  std::printf("to do: %s\n", hint);
  return cudaErrorNotYetImplemented;
}
