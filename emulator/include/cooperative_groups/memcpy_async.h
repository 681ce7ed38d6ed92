#pragma once

// CUDA on the CPU: cooperative_groups::memcpy_async. Each thread copies its share at once, so that a kernel
// which forgets to wait sees the others' shares missing.

#include <cstddef>

#include "../cooperative_groups.h"

namespace cooperative_groups {

/// Copies `bytes` bytes together; complete for all threads after wait().
template <class Group, class T>
void memcpy_async(const Group& group, T* dst, const T* src, std::size_t bytes) {
  auto* to = reinterpret_cast<unsigned char*>(dst);
  const auto* from = reinterpret_cast<const unsigned char*>(src);
  constexpr std::size_t chunk = sizeof(T) > 16 ? sizeof(T) : 16;
  for (std::size_t at = group.thread_rank() * chunk; at < bytes; at += group.size() * chunk)
    __builtin_memcpy(to + at, from + at, bytes - at < chunk ? bytes - at : chunk);
}

/// Copies as many elements as both sides have.
template <class Group, class T>
void memcpy_async(const Group& group, T* dst, std::size_t dst_count, const T* src, std::size_t src_count) {
  memcpy_async(group, dst, src, (dst_count < src_count ? dst_count : src_count) * sizeof(T));
}

template <class Group>
void wait(const Group& group, WARPLAB_CALLER) {
  group.sync(file, line);
}
/// Waits for all copies: that includes all but the last `Stage`.
template <unsigned Stage, class Group>
void wait_prior(const Group& group, WARPLAB_CALLER) {
  group.sync(file, line);
}

}  // namespace cooperative_groups
