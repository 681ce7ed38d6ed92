#pragma once

#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/ptx/cuda_ptx_tags.hpp"
#include "warplab_emulator/ptx/ptx_async.hpp"

// cuda::ptx: asynchronous copies.

namespace cuda::ptx {

// --- Into shared memory. The barrier is in the block that the bytes go to. ---

template <dot_space space>
WARPLAB_PTX ::std::enable_if_t<space != dot_space::global> cp_async_bulk(space_t<space>, space_global_t,
                                                                         void* to, const void* from,
                                                                         const ::std::uint32_t& bytes,
                                                                         ::std::uint64_t* barrier,
                                                                         WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_load(static_cast<char*>(to), static_cast<const char*>(from), bytes,
                                               reinterpret_cast<char*>(barrier),
                                               {"cuda::ptx::cp_async_bulk", file, line});
}
/// Multicast to the blocks of the cluster whose bits are set.
WARPLAB_PTX void cp_async_bulk(space_cluster_t, space_global_t, void* to, const void* from,
                               const ::std::uint32_t& bytes, ::std::uint64_t* barrier,
                               const ::std::uint16_t& ranks, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_multicast(static_cast<char*>(to), static_cast<const char*>(from),
                                                    bytes, reinterpret_cast<char*>(barrier), ranks,
                                                    {"cuda::ptx::cp_async_bulk", file, line});
}
WARPLAB_PTX void cp_async_bulk(space_cluster_t, space_shared_t, void* to, const void* from,
                               const ::std::uint32_t& bytes, ::std::uint64_t* barrier, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_transfer(static_cast<char*>(to), static_cast<const char*>(from),
                                                   bytes, reinterpret_cast<char*>(barrier), {},
                                                   {"cuda::ptx::cp_async_bulk", file, line});
}
template <dot_op op, class T>
WARPLAB_PTX void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_t<op>, T* to, const T* from,
                                      ::std::uint32_t bytes, ::std::uint64_t* barrier, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_transfer(
      reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), bytes,
      reinterpret_cast<char*>(barrier), details::reduction<T, op>(),
      {"cuda::ptx::cp_reduce_async_bulk", file, line});
}
/// From registers.
template <class T>
WARPLAB_PTX void st_async(T* to, const T& value, ::std::uint64_t* barrier, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::st_async(reinterpret_cast<char*>(to),
                                     ::warplab::emulator::ptx::Group<T, 1>{{value}},
                                     reinterpret_cast<char*>(barrier), {"cuda::ptx::st_async", file, line});
}

// --- Out of shared memory, waited for in groups ---

WARPLAB_PTX void cp_async_bulk(space_global_t, space_shared_t, void* to, const void* from,
                               const ::std::uint32_t& bytes, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_store(static_cast<char*>(to), static_cast<const char*>(from), bytes,
                                                {}, {"cuda::ptx::cp_async_bulk", file, line});
}
template <dot_op op, class T>
WARPLAB_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_t<op>, T* to, const T* from,
                                      ::std::uint32_t bytes, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_bulk_store(
      reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), bytes, details::reduction<T, op>(),
      {"cuda::ptx::cp_reduce_async_bulk", file, line});
}
WARPLAB_PTX void cp_async_bulk_commit_group() { ::warplab::emulator::commit_bulk_stores(); }
template <int n>
WARPLAB_PTX void cp_async_bulk_wait_group(n32_t<n>) {
  ::warplab::emulator::await_bulk_stores(n, false);
}
template <int n>
WARPLAB_PTX void cp_async_bulk_wait_group_read(n32_t<n>) {
  ::warplab::emulator::await_bulk_stores(n, true);
}

// --- Of a few bytes, onto a barrier ---

WARPLAB_PTX void cp_async_mbarrier_arrive(::std::uint64_t* barrier, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_mbarrier_arrive(reinterpret_cast<char*>(barrier), false,
                                                     {"cuda::ptx::cp_async_mbarrier_arrive", file, line});
}
WARPLAB_PTX void cp_async_mbarrier_arrive_noinc(::std::uint64_t* barrier, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::cp_async_mbarrier_arrive(
      reinterpret_cast<char*>(barrier), true, {"cuda::ptx::cp_async_mbarrier_arrive_noinc", file, line});
}

}  // namespace cuda::ptx
