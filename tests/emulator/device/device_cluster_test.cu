// Thread block clusters. Ordinary CUDA for compute capability 9.0: a GPU gives the same results.

#include <cooperative_groups.h>

#include <cstdint>
#include <cuda/ptx>
#include <vector>

#include "tests/emulator/device_array.hpp"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using warplab::test::DeviceArray;

namespace {

template <class... P, class... A>
cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, dim3 cluster, A... arguments) {
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = grid;
  configuration.blockDim = block;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  const cudaError_t error = cudaLaunchKernelEx(&configuration, kernel, arguments...);
  cudaGetLastError();
  return error;
}

}  // namespace

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// --- Who is where ---

__global__ void places(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x != 0) return;
  unsigned* const mine = out + 10 * (blockIdx.x + gridDim.x * blockIdx.y);
  mine[0] = cluster.block_rank();
  mine[1] = cluster.num_blocks();
  mine[2] = cluster.block_index().x;
  mine[3] = cluster.block_index().y;
  mine[4] = cluster.num_threads();
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(mine[5]));
  asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(mine[6]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(mine[7]));
  asm volatile("{\n.reg .pred p;\nmov.pred p, %%is_explicit_cluster;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(mine[8]));
  mine[9] = ptx::get_sreg_cluster_ctarank() + 100 * __clusterSizeInBlocks();
}
__global__ void __cluster_dims__(2, 1, 1) places_of_pairs(unsigned* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = 10 * __clusterIdx().x + __clusterRelativeBlockRank();
}
template <class T>
__global__ __cluster_dims__(4) void places_of_fours(T* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<T>(cg::this_cluster().block_rank());
}

TEST(DeviceCluster, EveryBlockKnowsItsPlace) {
  const DeviceArray<unsigned> out(10 * 6 * 4);
  ASSERT_EQ(launch(places, dim3(6, 4), 64, dim3(3, 2), out.data()), cudaSuccess);
  const std::vector<unsigned> all = out.host();
  for (unsigned x = 0; x < 6; ++x)
    for (unsigned y = 0; y < 4; ++y) {
      const unsigned rank = x % 3 + 3 * (y % 2);
      const auto first = all.begin() + 10 * (x + 6 * y);
      EXPECT_EQ(std::vector<unsigned>(first, first + 10),
                (std::vector<unsigned>{rank, 6, x % 3, y % 2, 384, x / 3, 2, 2, 1, 600 + rank}));
    }
}

TEST(DeviceCluster, AKernelMayBeDeclaredWithItsShape) {
  const DeviceArray<unsigned> out(4);
  places_of_pairs<<<4, 32>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned>{0, 1, 10, 11}));
  const DeviceArray<int> ints(4);
  places_of_fours<<<4, 32>>>(ints.data());
  EXPECT_EQ(ints.host(), (std::vector<int>{0, 1, 2, 3}));
}

template <int blocks, class T>
__global__ __cluster_dims__(blocks) void ranks_of(T* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<T>(cg::this_cluster().block_rank());
}
template <class T, int blocks>
__global__ void __cluster_dims__(blocks / 2, 2) deduced_ranks(T* out, std::integral_constant<int, blocks>) {
  if (threadIdx.x == 0) out[blockIdx.x + gridDim.x * blockIdx.y] = cg::this_cluster().block_rank();
}

TEST(DeviceCluster, AShapeMayDependOnTheParametersOfATemplate) {
  const DeviceArray<int> out(4);
  ranks_of<2><<<4, 32>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<int>{0, 1, 0, 1}));
  ranks_of<4, int><<<4, 32>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<int>{0, 1, 2, 3}));
  void (*const kernel)(int*) = ranks_of<2, int>;
  kernel<<<4, 32>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<int>{0, 1, 0, 1}));
  deduced_ranks<<<dim3(2, 2), 32>>>(out.data(), std::integral_constant<int, 4>());
  EXPECT_EQ(out.host(), (std::vector<int>{0, 1, 2, 3}));
  deduced_ranks<<<dim3(2, 2), 32>>>(out.data(), std::integral_constant<int, 2>());
  EXPECT_EQ(out.host(), (std::vector<int>{0, 0, 1, 1}));
  cudaFuncAttributes attributes{};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, ranks_of<2, int>), cudaSuccess);
  EXPECT_EQ(attributes.requiredClusterWidth, 2);
}

struct Shape {
  unsigned factors[2];
};
__global__ void __launch_bounds__(64) __cluster_dims__(2, 2)
    scaled_ranks(const __grid_constant__ Shape shape, unsigned* out) {
  if (threadIdx.x == 0)
    out[blockIdx.x + gridDim.x * blockIdx.y] = shape.factors[1] * cg::this_cluster().block_rank();
}

TEST(DeviceCluster, ADeclarationMayHaveOtherAttributes) {
  const DeviceArray<unsigned> out(8);
  scaled_ranks<<<dim3(4, 2), 64>>>(Shape{{1, 10}}, out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned>{0, 10, 0, 10, 20, 30, 20, 30}));
}

TEST(DeviceCluster, WithoutClustersEachBlockIsOne) {
  const DeviceArray<unsigned> out(20);
  places<<<2, 32>>>(out.data());
  const std::vector<unsigned> all = out.host();
  EXPECT_EQ(std::vector<unsigned>(all.begin() + 10, all.end()),
            (std::vector<unsigned>{0, 1, 0, 0, 32, 1, 1, 1, 0, 100}));
}

// --- Each other's shared memory ---

// A histogram whose bins are spread over the blocks of the cluster.
__global__ void histogram(const int* in, int* out, int bins_each) {
  extern __shared__ int bins[];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = static_cast<int>(threadIdx.x); i < bins_each; i += static_cast<int>(blockDim.x)) bins[i] = 0;
  cluster.sync();
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(cluster.map_shared_rank(bins, value / bins_each) + value % bins_each, 1);
  cluster.sync();
  for (int i = static_cast<int>(threadIdx.x); i < bins_each; i += static_cast<int>(blockDim.x))
    atomicAdd(out + static_cast<int>(cluster.block_rank()) * bins_each + i, bins[i]);
}

TEST(DeviceCluster, AtomicsReachTheOtherBlocks) {
  std::vector<int> values(16 * 128);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 37 % 128);
  const DeviceArray<int> in(values), out(std::vector<int>(128, 0));
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = 16;
  configuration.blockDim = 128;
  configuration.dynamicSmemBytes = 32 * sizeof(int);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  ASSERT_EQ(cudaLaunchKernelEx(&configuration, histogram, static_cast<const int*>(in.data()), out.data(), 32),
            cudaSuccess);
  EXPECT_EQ(out.host(), std::vector<int>(128, 16));
}

// A number goes round the cluster; each block waits at its own barrier for the one before it.
__global__ void pass_on(int* out, int rounds) {
  __shared__ int box;
  __shared__ alignas(8) std::uint64_t bar;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    box = 0;
  }
  cluster.sync();
  if (threadIdx.x == 0)
    for (int round = 0; round < rounds; ++round) {
      if (rank != 0 || round != 0)
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &bar,
                                              static_cast<unsigned>(rank == 0 ? round - 1 : round) & 1u)) {
        }
      asm volatile(
          "{\n.reg .b32 to, other;\nmapa.shared::cluster.u32 to, %0, %2;\n"
          "mapa.shared::cluster.u32 other, %1, %2;\nst.shared::cluster.s32 [to], %3;\n"
          "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [other];\n}" ::"r"(shared_address(&box)),
          "r"(shared_address(&bar)), "r"(next), "r"(box + 1)
          : "memory");
    }
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = box;
}

TEST(DeviceCluster, BlocksWaitForEachOtherAtBarriers) {
  const DeviceArray<int> out(8);
  ASSERT_EQ(launch(pass_on, 8, 32, 4, out.data(), 5), cudaSuccess);
  EXPECT_EQ(out.host(), (std::vector<int>{20, 17, 18, 19, 20, 17, 18, 19}));
}

// Every block brings a part of a tile, for all.
__global__ void share_a_tile(const float* in, float* out) {
  __shared__ alignas(128) float tile[4][64];
  __shared__ alignas(8) std::uint64_t bar;
  const unsigned rank = ptx::get_sreg_cluster_ctarank(), blocks = ptx::get_sreg_cluster_nctarank();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, blocks * 256);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[rank], in + blockIdx.x * 64, 256, &bar,
                       static_cast<std::uint16_t>((1u << blocks) - 1));
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  float sum = 0;
  for (unsigned i = 0; i < blocks; ++i) sum += tile[i][threadIdx.x];
  out[blockIdx.x * 64 + threadIdx.x] = sum;
  ptx::barrier_cluster_arrive(ptx::sem_relaxed);
  ptx::barrier_cluster_wait();
}

TEST(DeviceCluster, AMulticastBringsAPartToEveryBlock) {
  std::vector<float> values(8 * 64);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i / 64 + 1);
  const DeviceArray<float> in(values), out(values.size());
  ASSERT_EQ(launch(share_a_tile, 8, 64, 4, static_cast<const float*>(in.data()), out.data()), cudaSuccess);
  const std::vector<float> result = out.host();
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], i < 256 ? 10.0f : 26.0f);
}

// Shared memory of one block to that of the next, by a bulk copy and by st.async.
__global__ void push(int* out) {
  __shared__ alignas(128) int from[32], to[32];
  __shared__ alignas(8) std::uint64_t bar;
  __shared__ int word;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  from[threadIdx.x] = static_cast<int>(1000 * blockIdx.x + threadIdx.x);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::fence_proxy_async(ptx::space_shared);
  cluster.sync();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 128 + 4);
    std::uint64_t* const remote = cluster.map_shared_rank(&bar, static_cast<int>(next));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                       cluster.map_shared_rank(to, static_cast<int>(next)), from, 128, remote);
    ptx::st_async(cluster.map_shared_rank(&word, static_cast<int>(next)), static_cast<int>(blockIdx.x),
                  remote);
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  out[blockIdx.x * 32 + threadIdx.x] = to[threadIdx.x] + 1000000 * word;
  cluster.sync();
}

TEST(DeviceCluster, BlocksPushIntoEachOthersSharedMemory) {
  const DeviceArray<int> out(4 * 32);
  ASSERT_EQ(launch(push, 4, 32, 2, out.data()), cudaSuccess);
  const std::vector<int> result = out.host();
  for (int block = 0; block < 4; ++block)
    for (int i = 0; i < 32; ++i)
      ASSERT_EQ(result[static_cast<std::size_t>(block * 32 + i)], 1001000 * (block ^ 1) + i);
}

// --- What the launch is refused for ---

TEST(DeviceCluster, AShapeThatDoesNotFitIsRefused) {
  unsigned* const none = nullptr;
  EXPECT_EQ(launch(places, 6, 32, 4, none), cudaErrorInvalidClusterSize) << "not whole clusters";
  EXPECT_EQ(launch(places, 16, 32, 16, none), cudaErrorInvalidClusterSize) << "more than 8";
  EXPECT_EQ(launch(places, 8, 32, dim3(0, 1, 1), none), cudaErrorInvalidClusterSize);
  EXPECT_EQ(launch(places_of_pairs, 8, 32, 4, none), cudaErrorInvalidClusterSize) << "declared otherwise";
  places_of_pairs<<<3, 32>>>(none);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidClusterSize);
}

TEST(DeviceCluster, SixteenBlocksMustBeAllowed) {
  ASSERT_EQ(cudaFuncSetAttribute(pass_on, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), cudaSuccess);
  const DeviceArray<int> out(16);
  ASSERT_EQ(launch(pass_on, 16, 32, 16, out.data(), 1), cudaSuccess);
  EXPECT_EQ(out.host()[0], 16);
  EXPECT_EQ(launch(pass_on, 32, 32, 32, out.data(), 1), cudaErrorInvalidClusterSize);
}

TEST(DeviceCluster, QueriesTellHowManyFit) {
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = 8;
  configuration.blockDim = 64;
  int most = 0, clusters = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialClusterSize(&most, places, &configuration), cudaSuccess);
  EXPECT_EQ(most, 8);
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(&clusters, places_of_pairs, &configuration), cudaSuccess);
  EXPECT_GT(clusters, 0);
  configuration.gridDim = 7;
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(&clusters, places_of_pairs, &configuration),
            cudaErrorInvalidClusterSize);
  configuration.gridDim = 8;
  configuration.blockDim = dim3(0, 1, 1);
  EXPECT_NE(cudaOccupancyMaxActiveClusters(&clusters, places_of_pairs, &configuration), cudaSuccess);
  cudaGetLastError();
  cudaFuncAttributes attributes{};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, places_of_pairs), cudaSuccess);
  EXPECT_EQ(attributes.requiredClusterWidth, 2);
}
