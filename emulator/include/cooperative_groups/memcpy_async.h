#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: cooperative_groups::memcpy_async. The copied bytes are there after the wait, not before.

#include <cstddef>

#include "../cooperative_groups.h"
#include "../warplab_emulator/atomics/thread_scope.hpp"
#include "../warplab_emulator/copies/async_copies.hpp"
#include "../warplab_emulator/lens/lens_markers.hpp"

namespace cooperative_groups {

/// Copies `bytes` bytes together; complete for all threads after wait().
template <class Group, class T, class Size>
WARPLAB_INLINE_IF_INSTRUMENTED void memcpy_async(const Group& group, T* dst, const T* src,
                                                 const Size& bytes) {
  using namespace warplab::emulator;
  issue_share(group.thread_rank(), group.size(), dst, src, bytes, common_alignment(dst, src),
              header_calls::issue_copy);
  commit_copies();
}

/// Copies as many elements as both sides have.
template <class Group, class T, class DstCount, class SrcCount>
WARPLAB_INLINE_IF_INSTRUMENTED void memcpy_async(const Group& group, T* dst, const DstCount& dst_count,
                                                 const T* src, const SrcCount& src_count) {
  const std::size_t to = dst_count, from = src_count;
  memcpy_async(group, dst, src, (to < from ? to : from) * sizeof(T));
}

/// Waits for all copies of the group.
template <class Group>
void wait(const Group& group, WARPLAB_CALLER) {
  warplab::emulator::await_copies(0);
  group.sync(file, line);
}
/// Waits for all copies but the last `Stage`.
template <unsigned Stage, class Group>
void wait_prior(const Group& group, WARPLAB_CALLER) {
  warplab::emulator::await_copies(Stage);
  group.sync(file, line);
}

}  // namespace cooperative_groups

#include "warplab_emulator/user_macros_back.inc"
