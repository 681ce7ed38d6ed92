#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#if defined(WARPLAB_LIBCUPP)
#include <cuda/std/cstddef>
#include <cuda/std/utility>
#endif

// What the headers <cuda/...> share. Inside namespace cuda `std` means cuda::std.

namespace cuda {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10,
};

namespace std {
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
#if !defined(WARPLAB_LIBCUPP)
using ::std::move;
using ::std::ptrdiff_t;
using ::std::size_t;
#endif
}  // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

/// A size in bytes of memory that is aligned to `Alignment` bytes at both ends of a copy.
template <::std::size_t Alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  explicit constexpr aligned_size_t(::std::size_t size) : value(size) {}
  constexpr operator ::std::size_t() const { return value; }
};

}  // namespace cuda
