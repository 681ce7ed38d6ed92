#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/launch_shape.hpp"

// Lab 04: out[j] = sum over 0 <= i < m of filter[i] * in[j + i], for every 0 <= j < n. Elements of in from n
// on count as 0, so that out has as many elements as in.
//
//   in       (n)   device memory, read only
//   filter   (m)   device memory, read only; finite: a tap beyond the end counts as tap * 0, which must be 0
//   out      (n)   device memory, written; shares no element with in or filter
//   n              any number from 0, in 64 bits
//   m              from 1 taps to 2^31 - 1; may exceed n. Some rungs hold fewer: each says how many
//   T              float or double
//
//   block          threads per block, in x only: 1 to 1024
//   stream         where the work is queued; the launcher returns without waiting for it
//
// A launcher throws std::invalid_argument for a negative n, for m < 1, for out == in or out == filter, for a
// block that CUDA forbids, and for more taps than its memory holds.
//
// The rungs that have the filter in constant memory copy it there, on the stream and before their kernel. A
// process has one such memory for each rung: calls of one rung in two streams share it, so the second may
// change the filter of the first unless it waits for it. Calls in one stream are in order.

/// The definition as a kernel: out itself is the running sum, written at every tap.
/// The filter is in global memory.
template <class T>
void conv1d_global_stored(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                          cudaStream_t stream);
// BEGIN WITHHELD
/// The same with the filter in constant memory (64 KiB), and in shared memory (48 KiB).
template <class T>
void conv1d_constant_stored(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                            cudaStream_t stream);
template <class T>
void conv1d_shared_stored(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                          cudaStream_t stream);
// END WITHHELD

/// The running sum in a register: out is written once per element.
template <class T>
void conv1d_global(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                   cudaStream_t stream);

/// The filter in constant memory: m * sizeof(T) up to 64 KiB.
template <class T>
void conv1d_constant(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                     cudaStream_t stream);

/// The filter in shared memory, which every block fills for itself: m * sizeof(T) up to 48 KiB.
template <class T>
void conv1d_shared(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                   cudaStream_t stream);

/// The input in shared memory, a tile of block + m - 1 elements up to 48 KiB; the filter in constant memory.
template <class T>
void conv1d_tiled(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                  cudaStream_t stream);

/// How many neighbouring outputs each thread of register_tiled has: 4 of float or 2 of double, where n is
/// small; else 20 or 14, an odd number of vectors of 16 bytes.
template <class T>
inline constexpr int conv1d_few_outputs = 16 / sizeof(T);
template <class T>
inline constexpr int conv1d_many_outputs = conv1d_few_outputs<T>*(sizeof(T) == 4 ? 5 : 7);

/// Several outputs per thread, from a window of the input in registers. Any number of taps.
/// @param outputs per thread, few or many; 0: as suits n
template <class T>
void conv1d_register_tiled(const T* in, const T* filter, T* out, std::int64_t n, int m, int outputs,
                           cudaStream_t stream);

inline constexpr std::size_t conv1d_constant_bytes = 64 * 1024;  ///< that a program's variables may have
inline constexpr std::size_t conv1d_shared_bytes = 48 * 1024;    ///< that any kernel's block may ask for

/// Whether there is anything to compute. @throws std::invalid_argument for what every launcher refuses
inline bool conv1d_has_work(const void* in, const void* filter, const void* out, std::int64_t n, int m) {
  warplab::check_size("n", n);
  if (m < 1) warplab::refuse("m is ", m, "; a filter has 1 tap at the least");
  if (n == 0) return false;  // a grid of 0 blocks is an error in CUDA
  if (out == in || out == filter)
    warplab::refuse("out is ", out == in ? "in" : "filter",
                    ": threads would read what others have already overwritten");
  return true;
}

/// Refuses a filter that has more taps than fit. @param room for how many elements of T, in `where`
/// @throws std::invalid_argument naming both numbers
template <class T>
void conv1d_check_taps(int m, std::size_t room, const char* where) {
  if (static_cast<std::size_t>(m) > room)
    warplab::refuse("a filter of ", m, " taps of ", sizeof(T), " bytes: ", where, " has room for ", room,
                    "; register_tiled takes any number");
}

/// Refuses a number of outputs per thread that register_tiled has no kernel for. @throws
/// std::invalid_argument
template <class T>
void conv1d_check_outputs(int outputs) {
  if (outputs != 0 && outputs != conv1d_few_outputs<T> && outputs != conv1d_many_outputs<T>)
    warplab::refuse(outputs, " outputs per thread: register_tiled has ", conv1d_few_outputs<T>, " or ",
                    conv1d_many_outputs<T>, " of this type");
}
