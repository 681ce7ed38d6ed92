#pragma once

#include <cstdint>

#include "warplab_emulator/block/cluster.hpp"
#include "warplab_emulator/ptx/ptx_warp.hpp"

// cuda::ptx: special registers.

namespace cuda::ptx {

#define WARPLAB_PTX_REGISTER(type, name, expression) \
  WARPLAB_PTX type get_sreg_##name() { return static_cast<type>(expression); }
#define WARPLAB_PTX_DIMENSIONS(name, expression)                  \
  WARPLAB_PTX_REGISTER(::std::uint32_t, name##_x, (expression).x) \
  WARPLAB_PTX_REGISTER(::std::uint32_t, name##_y, (expression).y) \
  WARPLAB_PTX_REGISTER(::std::uint32_t, name##_z, (expression).z)
WARPLAB_PTX_DIMENSIONS(tid, ::warplab::emulator::current_indices.thread)
WARPLAB_PTX_DIMENSIONS(ntid, ::warplab::emulator::current_indices.block_dim)
WARPLAB_PTX_DIMENSIONS(ctaid, ::warplab::emulator::current_indices.block)
WARPLAB_PTX_DIMENSIONS(nctaid, ::warplab::emulator::current_indices.grid_dim)
WARPLAB_PTX_DIMENSIONS(clusterid, ::warplab::emulator::cluster_place().cluster)
WARPLAB_PTX_DIMENSIONS(nclusterid, ::warplab::emulator::cluster_place().clusters)
WARPLAB_PTX_DIMENSIONS(cluster_ctaid, ::warplab::emulator::cluster_place().block)
WARPLAB_PTX_DIMENSIONS(cluster_nctaid, ::warplab::emulator::cluster_place().shape)
WARPLAB_PTX_REGISTER(::std::uint32_t, cluster_ctarank, ::warplab::emulator::cluster_place().rank)
WARPLAB_PTX_REGISTER(::std::uint32_t, cluster_nctarank, ::warplab::emulator::cluster_place().blocks)
WARPLAB_PTX_REGISTER(bool, is_explicit_cluster, ::warplab::emulator::cluster_place().is_explicit)
WARPLAB_PTX_REGISTER(::std::uint32_t, laneid, ::warplab::emulator::ptx::laneid())
WARPLAB_PTX_REGISTER(::std::uint32_t, warpid, ::warplab::emulator::ptx::thread_rank() / 32u)
WARPLAB_PTX_REGISTER(::std::uint32_t, smid, ::warplab::emulator::ptx::smid())
WARPLAB_PTX_REGISTER(::std::uint32_t, nsmid, ::warplab::emulator::ptx::nsmid())
WARPLAB_PTX_REGISTER(::std::uint32_t, lanemask_eq, 1u << ::warplab::emulator::ptx::laneid())
WARPLAB_PTX_REGISTER(::std::uint32_t, lanemask_lt, (1u << ::warplab::emulator::ptx::laneid()) - 1u)
WARPLAB_PTX_REGISTER(::std::uint32_t, lanemask_le, (2u << ::warplab::emulator::ptx::laneid()) - 1u)
WARPLAB_PTX_REGISTER(::std::uint32_t, lanemask_gt, ~((2u << ::warplab::emulator::ptx::laneid()) - 1u))
WARPLAB_PTX_REGISTER(::std::uint32_t, lanemask_ge, ~((1u << ::warplab::emulator::ptx::laneid()) - 1u))
WARPLAB_PTX_REGISTER(::std::uint32_t, clock, ::clock64())
WARPLAB_PTX_REGISTER(::std::uint64_t, clock64, ::clock64())
WARPLAB_PTX_REGISTER(::std::uint32_t, clock_hi, ::warplab::emulator::ptx::high(::clock64()))
WARPLAB_PTX_REGISTER(::std::uint64_t, globaltimer, ::warplab::emulator::ptx::globaltimer())
WARPLAB_PTX_REGISTER(::std::uint32_t, globaltimer_lo, ::warplab::emulator::ptx::globaltimer())
WARPLAB_PTX_REGISTER(::std::uint32_t, globaltimer_hi,
                     ::warplab::emulator::ptx::high(::warplab::emulator::ptx::globaltimer()))
WARPLAB_PTX_REGISTER(::std::uint32_t, dynamic_smem_size, ::warplab::emulator::ptx::dynamic_smem_size())
WARPLAB_PTX_REGISTER(::std::uint32_t, total_smem_size, ::warplab::emulator::ptx::total_smem_size())
WARPLAB_PTX_REGISTER(::std::uint32_t, aggr_smem_size, ::warplab::emulator::ptx::aggr_smem_size())
#undef WARPLAB_PTX_DIMENSIONS
#undef WARPLAB_PTX_REGISTER

}  // namespace cuda::ptx
