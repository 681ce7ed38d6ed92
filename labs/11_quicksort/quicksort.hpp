#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

// Lab 11: out holds the keys of in, in order.
//
//   in         (n)   device memory, read only
//   out        (n)   device memory, written; no part of it is in `in`
//   T                int, float or double; on the emulator also UndecidedKey. Kernels copy keys and compare
//                    them with comes_before(). They need nothing else of T.
//   order            of floating-point keys: -infinity, negative numbers, -0, +0, positive numbers,
//                    +infinity, NaNs. NaNs with the sign set come last, in the reverse order of their bits,
//                    the others before them in the order of their bits. So only keys with the same bits are
//                    equal, and out is unique: stability does not matter.
//   n                0 to 1,000,000,000
//   workspace        device memory, aligned to 256 bytes; what it holds before a call does not matter
//   workspace_bytes  its size
//   stream           where the work is queued; the launcher returns without waiting for it
//
// A launcher throws std::invalid_argument for an n outside of its bounds and for a workspace that is too
// small. The first four launch kernels from kernels. A launch that the device refuses, since too many wait,
// costs time but no key: whoever asked for it sorts the range itself.

/// A thread partitions, and launches a kernel for each side, down to nothing. No workspace.
template <class T>
void quicksort_recursive(const T* in, T* out, std::int64_t n, void* workspace, std::size_t workspace_bytes,
                         cudaStream_t stream);

/// The same, but ranges of at most quicksort_base keys are sorted by a block in shared memory. No workspace.
template <class T>
void quicksort_small_ranges(const T* in, T* out, std::int64_t n, void* workspace, std::size_t workspace_bytes,
                            cudaStream_t stream);

/// A block partitions. Workspace: n keys.
template <class T>
void quicksort_block_partition(const T* in, T* out, std::int64_t n, void* workspace,
                               std::size_t workspace_bytes, cudaStream_t stream);

/// A block partitions into three parts about a better pivot, to a limited depth. Workspace: n keys.
template <class T>
void quicksort_three_way(const T* in, T* out, std::int64_t n, void* workspace, std::size_t workspace_bytes,
                         cudaStream_t stream);

/// All ranges of a level are partitioned by one launch of the host's. Workspace: QuicksortLevels.
template <class T>
void quicksort_level_synchronous(const T* in, T* out, std::int64_t n, void* workspace,
                                 std::size_t workspace_bytes, cudaStream_t stream);

/// Any sort that copies keys and compares them, by kernels that the host launches. Workspace:
/// quicksort_open_workspace().
template <class T>
void quicksort_open_contract(const T* in, T* out, std::int64_t n, void* workspace,
                             std::size_t workspace_bytes, cudaStream_t stream);

/// Not a quicksort: a radix sort, 8 bits per pass. Workspace: QuicksortRadix.
template <class T>
void quicksort_radix(const T* in, T* out, std::int64_t n, void* workspace, std::size_t workspace_bytes,
                     cudaStream_t stream);

/// What a library does: cub::DeviceMergeSort and cub::DeviceRadixSort. Workspace: what CUB asks for.
template <class T>
void quicksort_cub_merge(const T* in, T* out, std::int64_t n, void* workspace, std::size_t workspace_bytes,
                         cudaStream_t stream);
template <class T>
void quicksort_cub_radix(const T* in, T* out, std::int64_t n, void* workspace, std::size_t workspace_bytes,
                         cudaStream_t stream);
