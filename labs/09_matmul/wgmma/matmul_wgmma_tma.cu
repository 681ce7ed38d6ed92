// wgmma and TMA: one thread brings the tiles, two warpgroups multiply them where they lie.
//
// A warpgroup's product m64n256k16 reads both operands from shared memory, where mma_ldmatrix needs them in
// registers. The tensor memory accelerator (TMA) copies a whole box per instruction, swizzled, with zeros
// beyond the edge. So a block has roles: one thread keeps a ring of stages full, two warpgroups empty it,
// and they share the ring and two barriers per stage. The two blocks of a cluster need the same tiles of B,
// and each copies one half for both. A persistent grid goes from tile to tile, so that the ring fills while
// sums are stored. Where D has few tiles, slices of k are summed apart.
// Ceiling: the Tensor Cores. For 4.2 million operations a block reads 32 KB from L2, and its neighbour 16 KB.
// Stops being good: below 1024^3 the launch takes longer than the product.
// Source: PTX ISA 9.0, wgmma, cp.async.bulk.tensor; NVIDIA's CUTLASS, warp-specialized kernels of sm_90.
#include "common/device/cluster_launch.hpp"
#include "common/device_attribute.hpp"
#include "matmul.hpp"
#include "matmul_launch.hpp"
#include "wgmma/parts.hpp"
#include "wgmma/plan.hpp"
#include "wgmma/products.hpp"
#include "wgmma/ptx.hpp"
#include "wgmma/tensor_map.hpp"

template <class T, class Tile>
__global__ void __launch_bounds__(384, 1)
    matmul_wgmma_tma_kernel(const __grid_constant__ CUtensorMap map_a,  // (m, k)
                            const __grid_constant__ CUtensorMap map_b,  // (k, n)
                            Matmul<T> p, WgmmaPlan plan) {
  extern __shared__ unsigned char bytes[];
  unsigned char* const ring = bytes + (1024 - shared_address(bytes) % 1024) % 1024;  // (stages, A and B)
  __shared__ std::uint64_t full[Tile::stages], empty[Tile::stages];
  constexpr int consumers = 2, cluster = Tile::cluster;
  const unsigned rank = cluster > 1 ? cluster_rank() : 0;
  const int warpgroup = threadIdx.x / 128, first = blockIdx.x / cluster, clusters = gridDim.x / cluster;
  if (threadIdx.x == 0) {
    for (int s = 0; s < Tile::stages; ++s)
      barrier_init(&full[s], 1), barrier_init(&empty[s], consumers * cluster);
    fence_barriers();
  }
  __syncthreads();                  // waits for the barriers
  if (cluster > 1) cluster_sync();  // and for those of the other block

  int stage = 0;
  unsigned parity = 0;
  const auto next_stage = [&] {
    if (++stage == Tile::stages) stage = 0, parity ^= 1;
  };
  if (warpgroup == 0) {
    registers_down<40>();
    if (threadIdx.x == 0)
      for (std::int64_t tile = first; tile < plan.tiles(); tile += clusters) {
        const WgmmaPlace place = wgmma_place<Tile>(plan, tile, rank);
        for (int step = 0; step < plan.steps; ++step, next_stage()) {
          barrier_wait(&empty[stage], parity ^ 1);  // passes at once in the first round
          barrier_expect(&full[stage], Tile::stage_bytes);
          unsigned char* const a = ring + stage * Tile::stage_bytes;
          unsigned char* const b = a + Tile::a_bytes;
          const int k = static_cast<int>((place.slice * unsigned(plan.steps) + step) * Tile::depth);
          tma_load(a, &map_a, place.row, k, &full[stage]);
          constexpr int boxes = Tile::cols / 64 / cluster;  // this block's share of B
          for (int i = rank * boxes; i < static_cast<int>(rank + 1) * boxes; ++i)
            tma_load_for_all<cluster>(b + i * Tile::box_bytes, &map_b, k, place.col + i * 64, &full[stage]);
        }
      }
  } else {
    registers_up<232>();
    const int consumer = warpgroup - 1, tid = threadIdx.x % 128;
    const auto release = [&](int used) {  // signals the copying thread of each block that wrote this stage
      if (tid < cluster) barrier_arrive_at(&empty[used], tid);
    };
    for (std::int64_t tile = first; tile < plan.tiles(); tile += clusters) {
      const WgmmaPlace place = wgmma_place<Tile>(plan, tile, rank);
      float sums[Tile::cols / 2];
      int before = -1;
      for (int step = 0; step < plan.steps; ++step, next_stage()) {
        barrier_wait(&full[stage], parity);
        const unsigned char* const a =
            ring + stage * Tile::stage_bytes + consumer * (Tile::a_bytes / consumers);
        const unsigned char* const b = ring + stage * Tile::stage_bytes + Tile::a_bytes;
        pin(sums);
        products_begin();
#pragma unroll
        for (int k = 0; k < Tile::depth; k += 16)
          multiply_add(sums, operand_at(a + k * 2, 16, 1024), operand_at(b + k * 128, Tile::box_bytes, 1024),
                       step > 0 || k > 0, T());
        products_commit();
        products_wait<1>();  // the step before is done, this one goes on
        if (before >= 0) release(before);
        before = stage;
      }
      products_wait<0>();
      pin(sums);
      release(before);
      wgmma_store(p, place, place.row + consumer * 64, tid, sums);
    }
  }
  if (cluster > 1) cluster_sync();  // until nobody signals a barrier of this block any more
}

template <class Tile, class T>
static void launch(const Matmul<T>& p, const WgmmaPlan& plan, int processors, cudaStream_t stream) {
  const std::int64_t clusters = std::min<std::int64_t>(plan.tiles(), processors / Tile::cluster);
  launch_in_clusters(matmul_wgmma_tma_kernel<T, Tile>, static_cast<unsigned>(clusters * Tile::cluster),
                     Tile::cluster, 384, Tile::shared_bytes, stream,
                     tensor_map(p.a, p.m, p.k, p.lda, Tile::rows),
                     tensor_map(p.b, p.k, p.n, p.ldb, Tile::depth), p, plan);
}

template <class T>
void matmul_wgmma_tma(const Matmul<T>& product, void* workspace, std::size_t workspace_bytes,
                      cudaStream_t stream) {
  if (!matmul_check(product)) return;
  Matmul<T> p = product;
  WgmmaParts<T> parts(p, workspace, workspace_bytes, stream);  // copies rows that the accelerator cannot read
  if (p.k == 0) return parts.join(product, 0, stream);
  const int processors = warplab::multiprocessors();
  const auto wide = wgmma_plan<WideTile>(p.m, p.n, p.k, processors, parts.bytes());
  const auto middle = wgmma_plan<MiddleTile>(p.m, p.n, p.k, processors, parts.bytes());
  const auto narrow = wgmma_plan<NarrowTile>(p.m, p.n, p.k, processors, parts.bytes());
  const double best = std::min({wide.microseconds, middle.microseconds, narrow.microseconds});
  const WgmmaPlan& plan = best == wide.microseconds ? wide : best == middle.microseconds ? middle : narrow;
  if (plan.slices > 1) parts.sum_apart(p);
  if (&plan == &wide)
    launch<WideTile>(p, plan, processors, stream);
  else if (&plan == &middle)
    launch<MiddleTile>(p, plan, processors, stream);
  else
    launch<NarrowTile>(p, plan, processors, stream);
  if (plan.slices > 1) parts.join(product, plan.slices, stream);
}

MATMUL_INSTANTIATE(wgmma_tma, __half)
MATMUL_INSTANTIATE(wgmma_tma, __nv_bfloat16)
