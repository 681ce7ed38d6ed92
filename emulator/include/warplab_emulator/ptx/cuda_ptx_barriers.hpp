#pragma once

#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/ptx/cuda_ptx_tags.hpp"
#include "warplab_emulator/ptx/ptx_async.hpp"

// cuda::ptx: barriers in shared memory, fences, and the barrier of a cluster.

namespace cuda::ptx {
namespace details {

inline char* bytes_of(::std::uint64_t* barrier) { return reinterpret_cast<char*>(barrier); }

}  // namespace details

WARPLAB_PTX void mbarrier_init(::std::uint64_t* barrier, const ::std::uint32_t& count, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::mbarrier_init(details::bytes_of(barrier), count,
                                          {"cuda::ptx::mbarrier_init", file, line});
}

// --- Arriving. A barrier of space_cluster may be another block's; of that no state is returned. ---

#define WARPLAB_PTX_ARRIVE(name, parameters, ...)                                               \
  WARPLAB_PTX ::std::uint64_t name parameters {                                                 \
    return ::warplab::emulator::ptx::mbarrier_arrive(details::bytes_of(barrier), {__VA_ARGS__}, \
                                                     {"cuda::ptx::" #name, file, line});        \
  }
#define WARPLAB_PTX_ARRIVE_REMOTE(name, parameters, ...)                                 \
  WARPLAB_PTX void name parameters {                                                     \
    ::warplab::emulator::ptx::mbarrier_arrive(details::bytes_of(barrier), {__VA_ARGS__}, \
                                              {"cuda::ptx::" #name, file, line});        \
  }
WARPLAB_PTX_ARRIVE(mbarrier_arrive, (::std::uint64_t * barrier, WARPLAB_CALLER), )
WARPLAB_PTX_ARRIVE(mbarrier_arrive, (::std::uint64_t * barrier, const ::std::uint32_t& count, WARPLAB_CALLER),
                   .count = count)
WARPLAB_PTX_ARRIVE(mbarrier_arrive_no_complete,
                   (::std::uint64_t * barrier, const ::std::uint32_t& count, WARPLAB_CALLER), .count = count,
                   .may_complete = false)
#define WARPLAB_PTX_ARRIVE_WITH(sem, orders)                                                               \
  template <dot_scope scope>                                                                               \
  WARPLAB_PTX_ARRIVE(mbarrier_arrive,                                                                      \
                     (sem, scope_t<scope>, space_shared_t, ::std::uint64_t * barrier, WARPLAB_CALLER),     \
                     .releases = orders)                                                                   \
  template <dot_scope scope>                                                                               \
  WARPLAB_PTX_ARRIVE(mbarrier_arrive,                                                                      \
                     (sem, scope_t<scope>, space_shared_t, ::std::uint64_t * barrier,                      \
                      const ::std::uint32_t& count, WARPLAB_CALLER),                                       \
                     .count = count, .releases = orders)                                                   \
  WARPLAB_PTX_ARRIVE_REMOTE(                                                                               \
      mbarrier_arrive, (sem, scope_cluster_t, space_cluster_t, ::std::uint64_t * barrier, WARPLAB_CALLER), \
      .releases = orders)                                                                                  \
      WARPLAB_PTX_ARRIVE_REMOTE(mbarrier_arrive,                                                           \
                                (sem, scope_cluster_t, space_cluster_t, ::std::uint64_t * barrier,         \
                                 const ::std::uint32_t& count, WARPLAB_CALLER),                            \
                                .count = count, .releases = orders) template <dot_scope scope>             \
      WARPLAB_PTX_ARRIVE(mbarrier_arrive_expect_tx,                                                        \
                         (sem, scope_t<scope>, space_shared_t, ::std::uint64_t * barrier,                  \
                          const ::std::uint32_t& bytes, WARPLAB_CALLER),                                   \
                         .bytes = bytes, .releases = orders)                                               \
      WARPLAB_PTX_ARRIVE_REMOTE(mbarrier_arrive_expect_tx,                                                 \
                                (sem, scope_cluster_t, space_cluster_t, ::std::uint64_t * barrier,         \
                                 const ::std::uint32_t& bytes, WARPLAB_CALLER),                            \
                                .bytes = bytes, .releases = orders)
WARPLAB_PTX_ARRIVE_WITH(sem_release_t, true)
WARPLAB_PTX_ARRIVE_WITH(sem_relaxed_t, false)
#undef WARPLAB_PTX_ARRIVE_WITH
#undef WARPLAB_PTX_ARRIVE_REMOTE
#undef WARPLAB_PTX_ARRIVE

template <dot_scope scope, dot_space space>
WARPLAB_PTX void mbarrier_expect_tx(sem_relaxed_t, scope_t<scope>, space_t<space>, ::std::uint64_t* barrier,
                                    ::std::uint32_t bytes, WARPLAB_CALLER) {
  ::warplab::emulator::ptx::mbarrier_expect_tx(details::bytes_of(barrier), bytes,
                                               {"cuda::ptx::mbarrier_expect_tx", file, line});
}

// --- Waiting. A time hint changes nothing. ---

#define WARPLAB_PTX_WAIT(name, function, orders, phase, ...)                                    \
  WARPLAB_PTX bool name(__VA_ARGS__, WARPLAB_CALLER) {                                          \
    const ::warplab::emulator::Site site{"cuda::ptx::" #name, file, line};                      \
    return ::warplab::emulator::ptx::function(details::bytes_of(barrier), phase, orders, site); \
  }
#define WARPLAB_PTX_WAITS(name, function, phase, ...)                                                     \
  WARPLAB_PTX_WAIT(name, function, true, phase, ::std::uint64_t* barrier, __VA_ARGS__)                    \
  template <dot_scope scope>                                                                              \
  WARPLAB_PTX_WAIT(name, function, true, phase, sem_acquire_t, scope_t<scope>, ::std::uint64_t* barrier,  \
                   __VA_ARGS__)                                                                           \
  template <dot_scope scope>                                                                              \
  WARPLAB_PTX_WAIT(name, function, false, phase, sem_relaxed_t, scope_t<scope>, ::std::uint64_t* barrier, \
                   __VA_ARGS__)
#define WARPLAB_PTX_PARITY const ::std::uint32_t& parity
#define WARPLAB_PTX_STATE const ::std::uint64_t& state
#define WARPLAB_PTX_HINT const ::std::uint32_t&
WARPLAB_PTX_WAITS(mbarrier_test_wait, mbarrier_test_wait, ::warplab::emulator::parity_of_state(state, site),
                  WARPLAB_PTX_STATE)
WARPLAB_PTX_WAITS(mbarrier_try_wait, mbarrier_try_wait, ::warplab::emulator::parity_of_state(state, site),
                  WARPLAB_PTX_STATE)
WARPLAB_PTX_WAITS(mbarrier_try_wait, mbarrier_try_wait, ::warplab::emulator::parity_of_state(state, site),
                  WARPLAB_PTX_STATE, WARPLAB_PTX_HINT)
WARPLAB_PTX_WAITS(mbarrier_test_wait_parity, mbarrier_test_wait, parity, WARPLAB_PTX_PARITY)
WARPLAB_PTX_WAITS(mbarrier_try_wait_parity, mbarrier_try_wait, parity, WARPLAB_PTX_PARITY)
WARPLAB_PTX_WAITS(mbarrier_try_wait_parity, mbarrier_try_wait, parity, WARPLAB_PTX_PARITY, WARPLAB_PTX_HINT)
#undef WARPLAB_PTX_HINT
#undef WARPLAB_PTX_STATE
#undef WARPLAB_PTX_PARITY
#undef WARPLAB_PTX_WAITS
#undef WARPLAB_PTX_WAIT

// --- Fences ---

template <dot_sem sem, dot_scope scope>
WARPLAB_PTX void fence(sem_t<sem>, scope_t<scope>) {
  ::__threadfence();
}
WARPLAB_PTX void fence_mbarrier_init(sem_release_t, scope_cluster_t) { ::__threadfence(); }
WARPLAB_PTX void fence_proxy_alias() { ::__threadfence(); }
WARPLAB_PTX void fence_proxy_async() {
  ::warplab::emulator::fence_async_proxy();
  ::__threadfence();
}
template <dot_space space>
WARPLAB_PTX void fence_proxy_async(space_t<space>) {
  fence_proxy_async();
}

/// Tensor maps that a kernel has changed are seen at once.
template <dot_scope scope>
WARPLAB_PTX void fence_proxy_tensormap_generic(sem_release_t, scope_t<scope>) {
  ::__threadfence();
}
template <class N32, dot_scope scope>
WARPLAB_PTX void fence_proxy_tensormap_generic(sem_acquire_t, scope_t<scope>, const void*, N32) {
  ::__threadfence();
}

// --- Clusters ---

WARPLAB_PTX void barrier_cluster_arrive(WARPLAB_CALLER) {
  ::warplab::emulator::cluster_arrive(true, {"cuda::ptx::barrier_cluster_arrive", file, line});
}
WARPLAB_PTX void barrier_cluster_arrive(sem_release_t, WARPLAB_CALLER) { barrier_cluster_arrive(file, line); }
WARPLAB_PTX void barrier_cluster_arrive(sem_relaxed_t, WARPLAB_CALLER) {
  ::warplab::emulator::cluster_arrive(false, {"cuda::ptx::barrier_cluster_arrive", file, line});
}
WARPLAB_PTX void barrier_cluster_wait(WARPLAB_CALLER) {
  ::warplab::emulator::cluster_wait({"cuda::ptx::barrier_cluster_wait", file, line});
}
WARPLAB_PTX void barrier_cluster_wait(sem_acquire_t, WARPLAB_CALLER) { barrier_cluster_wait(file, line); }
WARPLAB_PTX ::std::uint32_t getctarank(space_cluster_t, const void* address, WARPLAB_CALLER) {
  return ::warplab::emulator::rank_of_shared(address, {"cuda::ptx::getctarank", file, line});
}

}  // namespace cuda::ptx
