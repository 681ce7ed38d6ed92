#pragma once

#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/copies/tensor_copies.hpp"
#include "warplab_emulator/ptx/cuda_ptx_tags.hpp"

// cuda::ptx: copies of boxes of tensors. Coordinates begin with the dimension
// along which elements lie together.

namespace cuda::ptx {

namespace details {

template <int rank>
WARPLAB_PTX ::warplab::emulator::TensorBox tensor_box(const void* map, const ::std::int32_t (&begin)[rank]) {
  static_assert(rank <= 5, "a tensor has at most 5 dimensions");
  ::warplab::emulator::TensorBox box{map, rank, {}};
  for (int i = 0; i < rank; ++i) box.begin[i] = begin[i];
  return box;
}

}  // namespace details

/// Into shared memory. The barrier is in the block that the box goes to.
template <dot_space space, int rank>
WARPLAB_PTX ::std::enable_if_t<space != dot_space::global> cp_async_bulk_tensor(
    space_t<space>, space_global_t, void* to, const void* map, const ::std::int32_t (&begin)[rank],
    ::std::uint64_t* barrier, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_tensor_load(static_cast<char*>(to), details::tensor_box(map, begin),
                                                      reinterpret_cast<char*>(barrier),
                                                      {"cuda::ptx::cp_async_bulk_tensor", file, line});
}
/// Multicast to the blocks of the cluster whose bits are set.
template <int rank>
WARPLAB_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                      const ::std::int32_t (&begin)[rank], ::std::uint64_t* barrier,
                                      const ::std::uint16_t& ranks, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_tensor_multicast(
      static_cast<char*>(to), details::tensor_box(map, begin), reinterpret_cast<char*>(barrier), ranks,
      {"cuda::ptx::cp_async_bulk_tensor", file, line});
}
/// Out of shared memory, waited for in groups.
template <int rank>
WARPLAB_PTX void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,
                                      const ::std::int32_t (&begin)[rank], const void* from, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_tensor_store(
      details::tensor_box(map, begin), static_cast<const char*>(from),
      ::warplab::emulator::BulkOperation::store, {"cuda::ptx::cp_async_bulk_tensor", file, line});
}
template <dot_op op, int rank>
WARPLAB_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_t<op>, const void* map,
                                             const ::std::int32_t (&begin)[rank], const void* from,
                                             WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_tensor_store(
      details::tensor_box(map, begin), static_cast<const char*>(from),
      details::reduction<unsigned, op>().operation, {"cuda::ptx::cp_reduce_async_bulk_tensor", file, line});
}

}  // namespace cuda::ptx
