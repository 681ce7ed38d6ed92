#pragma once

#include "cuda.h"
#include "warplab_emulator/copies/cuda_barrier.hpp"
#include "warplab_emulator/copies/tensor_copies.hpp"

// cuda::device::experimental, which <cuda/barrier> has: bulk copies as CUDA's Programming Guide makes them.

namespace cuda::device::experimental {

WARPLAB_PTX void cp_async_bulk_global_to_shared(void* to, const void* from, ::std::uint32_t bytes,
                                                barrier<thread_scope_block>& onto, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_load(
      static_cast<char*>(to), static_cast<const char*>(from), bytes, reinterpret_cast<char*>(onto.word()),
      {"cuda::device::experimental::cp_async_bulk_global_to_shared", file, line});
}
WARPLAB_PTX void cp_async_bulk_shared_to_global(void* to, const void* from, ::std::uint32_t bytes,
                                                WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_store(
      static_cast<char*>(to), static_cast<const char*>(from), bytes, {},
      {"cuda::device::experimental::cp_async_bulk_shared_to_global", file, line});
}
WARPLAB_PTX void cp_async_bulk_commit_group() { ::warplab::emulator::commit_bulk_stores(); }
/// Waits until all groups but the last `left` have read shared memory.
template <int left>
WARPLAB_PTX void cp_async_bulk_wait_group_read() {
  ::warplab::emulator::await_bulk_stores(left, true);
}
WARPLAB_PTX void fence_proxy_async_shared_cta() {
  ::warplab::emulator::fence_async_proxy();
  ::__threadfence_block();
}

// cp_async_bulk_tensor_1d_global_to_shared() to cp_async_bulk_tensor_5d_shared_to_global():
// the box begins at these coordinates.
#define WARPLAB_TENSOR_COPIES(rank, parameters, coordinates)                                                 \
  WARPLAB_PTX void cp_async_bulk_tensor_##rank##d_global_to_shared(                                          \
      void* to, const CUtensorMap* map, WARPLAB_LIST parameters, barrier<thread_scope_block>& onto,          \
      WARPLAB_CALLER) {                                                                                      \
    ::warplab::emulator::ptx::cp_async_bulk_tensor_load(                                                     \
        static_cast<char*>(to), {map, rank, coordinates}, reinterpret_cast<char*>(onto.word()),              \
        {"cuda::device::experimental::cp_async_bulk_tensor_" #rank "d_global_to_shared", file, line});       \
  }                                                                                                          \
  WARPLAB_PTX void cp_async_bulk_tensor_##rank##d_shared_to_global(                                          \
      const CUtensorMap* map, WARPLAB_LIST parameters, const void* from, WARPLAB_CALLER) {                   \
    ::warplab::emulator::ptx::cp_async_bulk_tensor_store(                                                    \
        {map, rank, coordinates}, static_cast<const char*>(from), ::warplab::emulator::BulkOperation::store, \
        {"cuda::device::experimental::cp_async_bulk_tensor_" #rank "d_shared_to_global", file, line});       \
  }
#define WARPLAB_LIST(...) __VA_ARGS__
#define WARPLAB_BRACED(...) \
  { __VA_ARGS__ }
WARPLAB_TENSOR_COPIES(1, (int c0), WARPLAB_BRACED(c0))
WARPLAB_TENSOR_COPIES(2, (int c0, int c1), WARPLAB_BRACED(c0, c1))
WARPLAB_TENSOR_COPIES(3, (int c0, int c1, int c2), WARPLAB_BRACED(c0, c1, c2))
WARPLAB_TENSOR_COPIES(4, (int c0, int c1, int c2, int c3), WARPLAB_BRACED(c0, c1, c2, c3))
WARPLAB_TENSOR_COPIES(5, (int c0, int c1, int c2, int c3, int c4), WARPLAB_BRACED(c0, c1, c2, c3, c4))
#undef WARPLAB_BRACED
#undef WARPLAB_LIST
#undef WARPLAB_TENSOR_COPIES

}  // namespace cuda::device::experimental
