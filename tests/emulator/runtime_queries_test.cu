// What programs ask the runtime about kernels, streams, devices, pools and managed memory: ordinary CUDA that
// a GPU passes too.

#include <algorithm>
#include <string>
#include <vector>

#include "tests/emulator/device_array.hpp"

extern "C" __global__ void plain_kernel(int* x) { *x = 1; }
__global__ void mangled_kernel(int* x, float) { *x = 2; }
template <class T>
__global__ void kernel_of(T* x) {
  *x = T(3);
}
__global__ void kernel_with_shared(int* x) {
  __shared__ int words[256];
  words[threadIdx.x] = 1;
  __syncthreads();  // all words are there
  *x = words[0];
}

namespace {

std::string name_of(const void* kernel) {
  const char* name = "";
  EXPECT_EQ(cudaFuncGetName(&name, kernel), cudaSuccess);
  return name;
}

TEST(RuntimeQueries, AKernelHasTheLinkersName) {
  const char* name = nullptr;
  ASSERT_EQ(cudaFuncGetName(&name, plain_kernel), cudaSuccess);
  EXPECT_STREQ(name, "plain_kernel");
  ASSERT_EQ(cudaFuncGetName(&name, mangled_kernel), cudaSuccess);
  EXPECT_STREQ(name, "_Z14mangled_kernelPif");
  ASSERT_EQ(cudaFuncGetName(&name, kernel_of<float>), cudaSuccess);
  EXPECT_STREQ(name, "_Z9kernel_ofIfEvPT_");
  EXPECT_EQ(name_of((const void*)plain_kernel), "plain_kernel");
  EXPECT_EQ(cudaFuncGetName(nullptr, plain_kernel), cudaErrorInvalidValue);
  cudaGetLastError();
}

// An H200 gives each block its share, and forgets the 1 KiB per block that CUDA reserves: so the last block
// does not fit.
TEST(RuntimeQueries, SharedMemoryIsDividedAmongBlocks) {
  int largest = 0, of_all = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&largest, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetAttribute(&of_all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0), cudaSuccess);
  ASSERT_EQ(cudaFuncSetAttribute(plain_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, largest),
            cudaSuccess);
  for (const int blocks : {1, 2, 3, 4, 8, 16}) {
    std::size_t bytes = 0;
    ASSERT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain_kernel, blocks, 128), cudaSuccess);
    EXPECT_EQ(bytes, static_cast<std::size_t>(std::min(largest, of_all / blocks))) << blocks;
  }
  std::size_t bytes = 0;
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain_kernel, 33, 128), cudaErrorInvalidValue);
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain_kernel, 0, 128), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(RuntimeQueries, WithoutPermissionABlockHas48KiB) {
  std::size_t bytes = 0;
  ASSERT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, mangled_kernel, 1, 128), cudaSuccess);
  EXPECT_EQ(bytes, 48u * 1024);
  const warplab::test::DeviceArray<int> x(1);
  kernel_with_shared<<<1, 256>>>(x.data());
  EXPECT_EQ(x.host()[0], 1);
  ASSERT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel_with_shared, 1, 128), cudaSuccess);
  EXPECT_EQ(bytes, 47u * 1024);
}

struct SharedBytes {
  __host__ __device__ std::size_t operator()(int threads) const {
    return static_cast<std::size_t>(threads) * 64;
  }
};

TEST(RuntimeQueries, BlockSizesAreProposedWithFlagsToo) {
  int grid = 0, block = 0, grid_by_flags = 0, block_by_flags = 0;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain_kernel, 1000), cudaSuccess);
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid_by_flags, &block_by_flags, plain_kernel, 1000,
                                                        0, cudaOccupancyDisableCachingOverride),
            cudaSuccess);
  EXPECT_EQ(grid_by_flags, grid);
  EXPECT_EQ(block_by_flags, block);
  const SharedBytes bytes_of;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, mangled_kernel, bytes_of, 512),
            cudaSuccess);
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
                &grid_by_flags, &block_by_flags, mangled_kernel, bytes_of, 512, cudaOccupancyDefault),
            cudaSuccess);
  EXPECT_EQ(grid_by_flags, grid);
  EXPECT_EQ(block_by_flags, block);
}

TEST(RuntimeQueries, AStreamHasADeviceAndAnIdOfItsOwn) {
  cudaStream_t first, second;
  ASSERT_EQ(cudaStreamCreate(&first), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&second), cudaSuccess);
  unsigned long long id = 0, same = 0, other = 0, legacy = 0;
  int device = -1;
  ASSERT_EQ(cudaStreamGetId(first, &id), cudaSuccess);
  ASSERT_EQ(cudaStreamGetId(first, &same), cudaSuccess);
  ASSERT_EQ(cudaStreamGetId(second, &other), cudaSuccess);
  ASSERT_EQ(cudaStreamGetId(nullptr, &legacy), cudaSuccess);
  EXPECT_EQ(id, same);
  EXPECT_NE(id, other);
  EXPECT_NE(id, legacy);
  EXPECT_NE(other, legacy);
  ASSERT_EQ(cudaStreamGetDevice(first, &device), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaStreamDestroy(first), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(second), cudaSuccess);
}

TEST(RuntimeQueries, ADeviceIsFoundByItsPlaceOnTheBus) {
  char id[32] = "";
  int device = -1;
  ASSERT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetByPCIBusId(&device, id), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "0000:fe:1f.0"), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(nullptr, id), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(RuntimeQueries, APoolIsOpenToItsDevice) {
  cudaMemPool_t pool;
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  cudaMemLocation here{};
  here.type = cudaMemLocationTypeDevice;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  ASSERT_EQ(cudaMemPoolGetAccess(&flags, pool, &here), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  cudaMemAccessDesc access{};
  access.location = here;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaSuccess);
}

#if CUDART_VERSION >= 13000
const cudaMemLocation device_0{cudaMemLocationTypeDevice, 0}, the_host{cudaMemLocationTypeHost, 0};

int asked(cudaMemRangeAttribute attribute, const void* begin, std::size_t bytes) {
  int value = -99;
  EXPECT_EQ(cudaMemRangeGetAttribute(&value, sizeof value, attribute, begin, bytes), cudaSuccess);
  return value;
}

TEST(RuntimeQueries, AdviceOnManagedMemoryIsRemembered) {
  constexpr std::size_t half = 4 << 20;
  char* x = nullptr;
  ASSERT_EQ(cudaMallocManaged(&x, 2 * half), cudaSuccess);
  EXPECT_EQ(asked(cudaMemRangeAttributeReadMostly, x, 2 * half), 0);
  EXPECT_EQ(asked(cudaMemRangeAttributePreferredLocation, x, 2 * half), cudaInvalidDeviceId);
  EXPECT_EQ(asked(cudaMemRangeAttributeLastPrefetchLocation, x, 2 * half), cudaInvalidDeviceId);
  ASSERT_EQ(cudaMemAdvise(x, half, cudaMemAdviseSetReadMostly, device_0), cudaSuccess);
  ASSERT_EQ(cudaMemAdvise(x + half, half, cudaMemAdviseSetPreferredLocation, the_host), cudaSuccess);
  ASSERT_EQ(cudaMemAdvise(x, 2 * half, cudaMemAdviseSetAccessedBy, device_0), cudaSuccess);
  ASSERT_EQ(cudaMemPrefetchAsync(x, half, device_0, 0), cudaSuccess);
  EXPECT_EQ(asked(cudaMemRangeAttributeReadMostly, x, half), 1);
  EXPECT_EQ(asked(cudaMemRangeAttributeReadMostly, x, 2 * half), 0);
  EXPECT_EQ(asked(cudaMemRangeAttributePreferredLocation, x + half, half), cudaCpuDeviceId);
  EXPECT_EQ(asked(cudaMemRangeAttributePreferredLocationType, x + half, half), cudaMemLocationTypeHost);
  EXPECT_EQ(asked(cudaMemRangeAttributePreferredLocation, x, 2 * half), cudaInvalidDeviceId);
  EXPECT_EQ(asked(cudaMemRangeAttributeLastPrefetchLocation, x, half), 0);
  EXPECT_EQ(asked(cudaMemRangeAttributeLastPrefetchLocationType, x, half), cudaMemLocationTypeDevice);
  EXPECT_EQ(asked(cudaMemRangeAttributeLastPrefetchLocation, x, 2 * half), cudaInvalidDeviceId);
  int devices[3] = {-99, -99, -99}, is_read_mostly = -99;
  void* to[] = {devices, &is_read_mostly};
  std::size_t bytes[] = {sizeof devices, sizeof is_read_mostly};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeAccessedBy, cudaMemRangeAttributeReadMostly};
  ASSERT_EQ(cudaMemRangeGetAttributes(to, bytes, attributes, 2, x, half), cudaSuccess);
  EXPECT_EQ(std::vector<int>(devices, devices + 3),
            (std::vector<int>{0, cudaInvalidDeviceId, cudaInvalidDeviceId}));
  EXPECT_EQ(is_read_mostly, 1);
  ASSERT_EQ(cudaMemAdvise(x, half, cudaMemAdviseUnsetReadMostly, device_0), cudaSuccess);
  EXPECT_EQ(asked(cudaMemRangeAttributeReadMostly, x, half), 0);
  EXPECT_EQ(cudaMemRangeGetAttribute(devices, 3, cudaMemRangeAttributeReadMostly, x, half),
            cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(cudaFree(x), cudaSuccess);
}
#endif

TEST(RuntimeQueries, AttributesOfPlainMemoryAreRefused) {
  char* x = nullptr;
  int value = 0;
  ASSERT_EQ(cudaMalloc(&x, 100), cudaSuccess);
  EXPECT_EQ(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, x, 100),
            cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(cudaFree(x), cudaSuccess);
}

}  // namespace
