// Correct: bulk copies, barriers in shared memory and clusters. None of these may be complained about.

#include <cooperative_groups.h>

#include <cstdint>
#include <cuda/ptx>

#include "tests/emulator/findings/case.hpp"

namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ void expect(std::uint64_t* barrier, unsigned bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier, bytes);
}
__device__ void wait_for(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// CASE ring_of_tiles: one thread fills, the others empty, and both wait for each other
__global__ void fill_and_empty(const float* in, float* out, int tiles) {
  __shared__ alignas(128) float tile[2][64];
  __shared__ std::uint64_t full[2], empty[2];
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; ++i) {
      ptx::mbarrier_init(full + i, 1);
      ptx::mbarrier_init(empty + i, 64);
    }
  __syncthreads();
  if (threadIdx.x >= 64) {
    if (threadIdx.x == 64)
      for (int t = 0; t < tiles; ++t) {
        wait_for(empty + t % 2, (t / 2 & 1) ^ 1);
        expect(full + t % 2, sizeof tile[0]);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[t % 2], in + 64 * t, sizeof tile[0],
                           full + t % 2);
      }
    return;
  }
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    wait_for(full + t % 2, t / 2 & 1);
    sum += tile[t % 2][63 - threadIdx.x];
    ptx::mbarrier_arrive(empty + t % 2);
  }
  out[threadIdx.x] = sum;
}
CASE(ring_of_tiles) {
  Buffer<float> in(64 * 7, 1.0f), out(64, 0.0f);
  fill_and_empty<<<2, 96>>>(in, out, 7);
}

// CASE load_change_store: in and out of one tile
__global__ void add_one(float* x) {
  __shared__ alignas(128) float tile[64];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    expect(&barrier, sizeof tile);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, x + 64 * blockIdx.x, sizeof tile,
                       &barrier);
  }
  __syncthreads();
  wait_for(&barrier, 0);
  tile[threadIdx.x] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, x + 64 * blockIdx.x, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
  __syncthreads();
  tile[threadIdx.x] = 0;
}
CASE(load_change_store) {
  Buffer<float> x(64 * 4, 1.0f);
  add_one<<<4, 64>>>(x);
}

// CASE proxy_fence_by_the_issuer: after the barrier, for what all have written
__global__ void fenced_by_one(float* out) {
  __shared__ alignas(128) float tile[64];
  tile[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
CASE(proxy_fence_by_the_issuer) {
  Buffer<float> out(64, 0.0f);
  fenced_by_one<<<1, 64>>>(out);
}

// CASE sums_of_blocks: reductions in bulk of many blocks into one row
__global__ void add_rows(int* out) {
  __shared__ alignas(128) int row[64];
  row[threadIdx.x] = static_cast<int>(blockIdx.x);
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, row, sizeof row);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
CASE(sums_of_blocks) {
  Buffer<int> out(64, 0);
  add_rows<<<5, 64>>>(out);
}

// CASE cluster_exchange: shared memory of the next block, between barriers of the cluster
__global__ __cluster_dims__(4) void exchange(int* out) {
  __shared__ int values[2][32];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int round = 0; round < 3; ++round) {
    values[round % 2][threadIdx.x] = static_cast<int>(blockIdx.x) + round;
    cluster.sync();
    out[32 * blockIdx.x + threadIdx.x] =
        cluster.map_shared_rank(values[round % 2], (cluster.block_rank() + 1) % 4)[31 - threadIdx.x];
  }
  cluster.sync();
}
CASE(cluster_exchange) {
  Buffer<int> out(32 * 8, 0);
  exchange<<<8, 32>>>(out);
}

// CASE cluster_multicast: each block brings half of a tile for both, and refills it when both have used it
__global__ __cluster_dims__(2) void multicast(const float* in, float* out, int tiles) {
  __shared__ alignas(128) float tile[2][32];
  __shared__ std::uint64_t full, empty;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_init(&empty, 64);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (threadIdx.x == 0) {
      wait_for(&empty, (t & 1) ^ 1);
      expect(&full, sizeof tile);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[rank], in + 64 * t + 32 * rank,
                         sizeof tile[0], &full, static_cast<std::uint16_t>(3));
    }
    __syncwarp();
    wait_for(&full, t & 1);
    sum += tile[0][threadIdx.x] + tile[1][threadIdx.x];
    for (int other = 0; other < 2; ++other)
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                           cluster.map_shared_rank(&empty, other));
  }
  out[32 * blockIdx.x + threadIdx.x] = sum;
  cluster.sync();
}
CASE(cluster_multicast) {
  Buffer<float> in(64 * 5, 1.0f), out(32 * 4, 0.0f);
  multicast<<<4, 32>>>(in, out, 5);
}

// CASE turned_by_async_stores: st.async goes down columns, and all of a warp's meet in one bank
__global__ void turn_by_async_stores(const int* in, int* out) {
  __shared__ int tile[32][32];
  __shared__ std::uint64_t full;
  const unsigned x = threadIdx.x, y = threadIdx.y;
  if (x == 0 && y == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    expect(&full, sizeof tile);
  }
  __syncthreads();
  ptx::st_async(&tile[x][y], in[32 * y + x], &full);
  wait_for(&full, 0);
  out[32 * y + x] = tile[y][x];
}
CASE(turned_by_async_stores) {
  Buffer<int> in(1024, 1), out(1024, 0);
  turn_by_async_stores<<<1, dim3(32, 32)>>>(in, out);
}

}  // namespace
