#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: __pipeline_memcpy_async and its companions. The copied bytes are
// there after the wait, not before.

#include "driver_types.h"

#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/copies/async_copies.hpp"

/// Copies `size_and_align` (4, 8 or 16) bytes from global to shared memory, the
/// last `zfill` of them as zeros.
inline void __pipeline_memcpy_async(void* dst_shared, const void* src_global, std::size_t size_and_align,
                                    std::size_t zfill = 0, WARPLAB_CALLER) {
  using namespace warplab::emulator;
  if (size_and_align != 4 && size_and_align != 8 && size_and_align != 16)
    device_fault(illegal_instruction,
                 "__pipeline_memcpy_async at %s:%d: the size is %zu; it must be 4, 8 or 16", file, line,
                 size_and_align);
  if (common_alignment(dst_shared, src_global) < size_and_align)
    device_fault(716, "__pipeline_memcpy_async at %s:%d: an address is not aligned to %zu bytes", file, line,
                 size_and_align);
  if (!is_shared(dst_shared) || is_shared(src_global))
    device_fault(cudaErrorInvalidAddressSpace,
                 "__pipeline_memcpy_async at %s:%d: it copies from global to shared memory only", file, line);
  const std::size_t copied = zfill < size_and_align ? size_and_align - zfill : 0;
  if (copied == size_and_align)
    return issue_share(0, 1, dst_shared, src_global, size_and_align, size_and_align,
                       header_calls::issue_copy);
  alignas(16) unsigned char filled[16] = {};
  const auto* const from = static_cast<const unsigned char*>(src_global);
  std::size_t done = 0;  // piece by piece, for the lens to count
  for (; done + 4 <= copied; done += 4) {
    const auto piece = read_piece<4>(from + done);
    __builtin_memcpy(filled + done, &piece, sizeof piece);
  }
  for (; done < copied; ++done) filled[done] = from[done];
  header_calls::issue_padded_copy(dst_shared, filled, from, static_cast<unsigned>(size_and_align),
                                  static_cast<unsigned>(copied));
}

inline void __pipeline_commit() { warplab::emulator::commit_copies(); }

/// Waits for all but the last `n` commits.
inline void __pipeline_wait_prior(std::size_t n) { warplab::emulator::await_copies(n); }

#include "warplab_emulator/user_macros_back.inc"
