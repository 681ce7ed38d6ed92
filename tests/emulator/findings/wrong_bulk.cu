// Bulk copies, the barriers they are waited for at, and clusters, used without an order between what threads
// do to the same bytes.

#include <cooperative_groups.h>

#include <cstdint>
#include <cuda/ptx>

#include "tests/emulator/findings/case.hpp"

namespace {

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ void begin(std::uint64_t* barrier, unsigned arrivals) {
  if (threadIdx.x == 0) ptx::mbarrier_init(barrier, arrivals);
  __syncthreads();
}
__device__ void expect(std::uint64_t* barrier, unsigned bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier, bytes);
}
__device__ void wait_for(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// CASE bulk_load_read_too_early: the thread that issues the copy reads at once
__global__ void read_at_once(const float* in, float* out) {
  __shared__ alignas(128) float tile[64];
  __shared__ std::uint64_t barrier;
  begin(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, sizeof tile);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &barrier);
    out[0] = tile[0];  // FINDS asynchronous copy
  }
  wait_for(&barrier, 0);
}
CASE(bulk_load_read_too_early) {
  Buffer<float> in(64, 1.0f), out(64, 0.0f);
  read_at_once<<<1, 64>>>(in, out);
}

// CASE bulk_load_into_a_tile_in_use: nobody says that the tile may be filled again
__global__ void refill(const float* in, float* out) {
  __shared__ alignas(128) float tile[64];
  __shared__ std::uint64_t bars[2];
  begin(bars, 1);
  begin(bars + 1, 1);
  float sum = 0;
  for (int t = 0; t < 2; ++t) {
    if (threadIdx.x == 0) {
      expect(bars + t, sizeof tile);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 256, bars + t);  // FINDS race
    }
    wait_for(bars + t, 0);
    sum += tile[63 - threadIdx.x];  // FINDS race
  }
  out[threadIdx.x] = sum;
}
CASE(bulk_load_into_a_tile_in_use) {
  Buffer<float> in(64, 1.0f), out(64, 0.0f);
  refill<<<1, 64>>>(in, out);
}

// CASE bulk_load_waited_for_by_one: the others are not told
__global__ void one_waits(const float* in, float* out) {
  __shared__ alignas(128) float tile[64];
  __shared__ std::uint64_t barrier;
  begin(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, sizeof tile);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &barrier);  // FINDS race
    wait_for(&barrier, 0);
  }
  out[threadIdx.x] = tile[threadIdx.x];  // FINDS race
}
CASE(bulk_load_waited_for_by_one) {
  Buffer<float> in(64, 1.0f), out(64, 0.0f);
  one_waits<<<1, 64>>>(in, out);
}

// CASE relaxed_wait: what was written before the arrivals need not be seen
__global__ void waits_relaxed(int* out) {
  __shared__ int values[64];
  __shared__ std::uint64_t barrier;
  begin(&barrier, 64);
  values[threadIdx.x] = static_cast<int>(threadIdx.x);  // FINDS race
  ptx::mbarrier_arrive(&barrier);
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_relaxed, ptx::scope_cta, &barrier, 0)) {
  }
  out[threadIdx.x] = values[63 - threadIdx.x];  // FINDS race
}
CASE(relaxed_wait) {
  Buffer<int> out(64, 0);
  waits_relaxed<<<1, 64>>>(out);
}

// CASE wrong_phase: a fresh barrier says that the phase before its first has ended
__global__ void waits_for_the_phase_before(int* out) {
  __shared__ int values[64];
  __shared__ std::uint64_t barrier;
  begin(&barrier, 65);
  values[threadIdx.x] = static_cast<int>(threadIdx.x);  // FINDS race
  ptx::mbarrier_arrive(&barrier);
  wait_for(&barrier, 1);
  out[threadIdx.x] = values[63 - threadIdx.x];  // FINDS race
}
CASE(wrong_phase) {
  Buffer<int> out(64, 0);
  waits_for_the_phase_before<<<1, 64>>>(out);
}

// CASE store_without_proxy_fence: a bulk copy need not see what stores have written
__global__ void not_fenced(float* out) {
  __shared__ alignas(128) float tile[64];
  tile[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);  // FINDS proxy fence
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
CASE(store_without_proxy_fence) {
  Buffer<float> out(64, 0.0f);
  not_fenced<<<1, 64>>>(out);
}

// CASE proxy_fence_before_the_store: a fence is for what has been written
__global__ void fenced_too_early(float* out) {
  __shared__ alignas(128) float tile[64];
  ptx::fence_proxy_async(ptx::space_shared);
  tile[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);  // FINDS proxy fence
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
CASE(proxy_fence_before_the_store) {
  Buffer<float> out(64, 0.0f);
  fenced_too_early<<<1, 64>>>(out);
}

// CASE bulk_store_without_barrier: other threads' numbers may not be there yet
__global__ void no_barrier(float* out) {
  __shared__ alignas(128) float tile[64];
  tile[threadIdx.x] = 1;  // FINDS race
  ptx::fence_proxy_async(ptx::space_shared);
  if (threadIdx.x == 32) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);  // FINDS race
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
CASE(bulk_store_without_barrier) {
  Buffer<float> out(64, 0.0f);
  no_barrier<<<1, 64>>>(out);
}

// CASE source_overwritten: the copy may still read
__global__ void overwritten(float* out) {
  __shared__ alignas(128) float tile[64];
  tile[threadIdx.x] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    tile[5] = 2;  // FINDS asynchronous copy
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
CASE(source_overwritten) {
  Buffer<float> out(64, 0.0f);
  overwritten<<<1, 64>>>(out);
}

// CASE source_overwritten_by_others: they do not know that the copy has read
__global__ void others_overwrite(float* out) {
  __shared__ alignas(128) float tile[64];
  tile[threadIdx.x] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);  // FINDS race
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
  if (threadIdx.x == 33) tile[5] = 2;  // FINDS race
}
CASE(source_overwritten_by_others) {
  Buffer<float> out(64, 0.0f);
  others_overwrite<<<1, 64>>>(out);
}

// CASE cluster_without_barrier: the other block may not have written yet
__global__ __cluster_dims__(2) void reads_next_block(int* out) {
  __shared__ int value;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = static_cast<int>(blockIdx.x);  // FINDS race
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);  // FINDS race
  cluster.sync();
}
CASE(cluster_without_barrier) {
  Buffer<int> out(2, 0);
  reads_next_block<<<2, 64>>>(out);
}

// CASE cluster_barrier_relaxed: a relaxed arrival makes nothing known
__global__ __cluster_dims__(2) void arrives_relaxed(int* out) {
  __shared__ int value;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = static_cast<int>(blockIdx.x);  // FINDS race
  ptx::barrier_cluster_arrive(ptx::sem_relaxed);
  ptx::barrier_cluster_wait();
  if (threadIdx.x == 0)
    out[blockIdx.x] = *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);  // FINDS race
  cluster.sync();
}
CASE(cluster_barrier_relaxed) {
  Buffer<int> out(2, 0);
  arrives_relaxed<<<2, 64>>>(out);
}

// CASE sums_in_another_block: two blocks add to a word of the first
__global__ __cluster_dims__(2) void adds_plainly(int* out) {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&sum, 0) += 1;  // FINDS race
  cluster.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = sum;
}
CASE(sums_in_another_block) {
  Buffer<int> out(1, 0);
  adds_plainly<<<2, 32>>>(out);
}

}  // namespace
