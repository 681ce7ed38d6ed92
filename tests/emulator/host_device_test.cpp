#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>

#include "vector_functions.h"

namespace {

void some_kernel(float*) {}

TEST(HostDevice, ThereIsOneDeviceThatSaysWhatItIs) {
  int count = 0, device = -1;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);

  cudaDeviceProp p{};
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_STREQ(p.name, "warplab CPU emulator");
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.major * 10 + p.minor, 90);
  EXPECT_EQ(p.sharedMemPerBlock, 49152u);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 232448u);
  EXPECT_EQ(p.sharedMemPerMultiprocessor, 233472u);
  EXPECT_EQ(p.maxThreadsPerBlock, 1024);
  EXPECT_EQ(p.maxGridSize[0], 2147483647);
  EXPECT_EQ(p.maxThreadsDim[2], 64);
  EXPECT_EQ(p.multiProcessorCount, static_cast<int>(std::thread::hardware_concurrency()));
  EXPECT_EQ(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(HostDevice, AttributesAgreeWithProperties) {
  cudaDeviceProp p{};
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  const std::pair<cudaDeviceAttr, int> pairs[] = {
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(p.sharedMemPerBlockOptin)},
      {cudaDevAttrL2CacheSize, p.l2CacheSize},
      {cudaDevAttrClockRate, p.clockRate},
      {cudaDevAttrManagedMemory, p.managedMemory},
      {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
      {cudaDevAttrClusterLaunch, p.clusterLaunch},
      {cudaDevAttrConcurrentKernels, p.concurrentKernels},
      {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
      {cudaDevAttrMaxTexture2DHeight, p.maxTexture2D[1]},
      {cudaDevAttrMaxSurface3DDepth, p.maxSurface3D[2]},
  };
  for (const auto& [attribute, expected] : pairs) {
    int value = -1;
    ASSERT_EQ(cudaDeviceGetAttribute(&value, attribute, 0), cudaSuccess);
    EXPECT_EQ(value, expected) << attribute;
  }
  EXPECT_EQ(p.concurrentKernels + p.streamPrioritiesSupported, 2);
  EXPECT_EQ(p.maxTexture2D[1], 65536);
  EXPECT_EQ(p.maxSurface3D[2], 16384);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(static_cast<int>(cudaDevAttrMaxSharedMemoryPerBlockOptin), 97);
  EXPECT_EQ(static_cast<int>(cudaDevAttrMultiProcessorCount), 16);
}

TEST(HostDevice, TheDeviceLaunchesCooperativeGrids) {
  cudaDeviceProp p{};
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_EQ(p.cooperativeLaunch, 1);
}

TEST(HostDevice, ProgramsCanAskWhichHeadersAreThere) {
#if defined(__DRIVER_TYPES_H__)
  SUCCEED();
#else
  FAIL() << "driver_types.h does not define __DRIVER_TYPES_H__";
#endif
}

TEST(HostDevice, ErrorsHaveCudasNumbersNamesAndTexts) {
  EXPECT_EQ(static_cast<int>(cudaErrorInvalidConfiguration), 9);
  EXPECT_EQ(static_cast<int>(cudaErrorIllegalAddress), 700);
  EXPECT_EQ(static_cast<int>(cudaErrorLaunchFailure), 719);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_EQ(static_cast<int>(cudaErrorContained), 226);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorTensorMemoryLeak), "cudaErrorTensorMemoryLeak");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(805)),
               "MPS client failed to connect to the MPS control daemon or the MPS server");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(915)), "cudaErrorInvalidResourceConfiguration");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(123456)), "unrecognized error code");
}

TEST(HostDevice, TheLastErrorIsTheCallingThreadsAndIsClearedByGet) {
  EXPECT_EQ(cudaSetDevice(9), cudaErrorInvalidDevice);
  std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaSuccess); }).join();
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // a success does not clear it
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(HostDevice, KernelsOptInToMoreSharedMemoryUpToTheDevicesLimit) {
  cudaFuncAttributes attributes{};
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, some_kernel), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 49152);
  EXPECT_EQ(cudaFuncSetAttribute(some_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000),
            cudaSuccess);
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, some_kernel), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 100000);
  EXPECT_EQ(cudaFuncSetAttribute(some_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(some_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1),
            cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(HostDevice, OccupancyFollowsThreadsBlocksAndSharedMemory) {
  const auto blocks = [](int threads, std::size_t shared) {
    int n = -1;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, some_kernel, threads, shared), cudaSuccess);
    return n;
  };
  EXPECT_EQ(blocks(1024, 0), 2);
  EXPECT_EQ(blocks(256, 0), 8);
  EXPECT_EQ(blocks(33, 0), 32);
  EXPECT_EQ(blocks(96, 0), 21);
  EXPECT_EQ(blocks(128, 48 * 1024), 4);
  EXPECT_EQ(blocks(1025, 0), 0);
  EXPECT_EQ(blocks(32, 12709), 16) << "12,709 bytes and 1,024 take 13,824, in steps of 128";
  EXPECT_EQ(blocks(32, 12672), 17);
  EXPECT_EQ(cudaFuncSetAttribute(some_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 * 1024),
            cudaSuccess);
  EXPECT_EQ(blocks(32, 100'000), 0) << "nobody allowed that";
  EXPECT_EQ(cudaFuncSetAttribute(some_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100'000),
            cudaSuccess);
  EXPECT_EQ(blocks(32, 100'000), 2);
  int grid = 0, block = 0;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, some_kernel), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 2 * static_cast<int>(std::thread::hardware_concurrency()));
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, some_kernel, 0, 100), cudaSuccess);
  EXPECT_LE(block, 100);
}

TEST(HostDevice, OnlyKernelsHaveNames) {
  const char* name = nullptr;
  EXPECT_EQ(cudaFuncGetName(&name, some_kernel), cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
}

TEST(HostDevice, PlacesOnTheBusAreReadInThreeForms) {
  int device = -1;
  for (const char* const form : {"0000:00:00.0", "0:0:0", "00:00.0"}) {
    device = -1;
    EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, form), cudaSuccess) << form;
    EXPECT_EQ(device, 0);
  }
  for (const char* const form : {"", "0", "00:00", "0000:00:00.0x", "zz:00.0"})
    EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, form), cudaErrorInvalidValue) << form;
  cudaGetLastError();
}

TEST(HostDevice, LimitsAndVersionsAreAnswered) {
  std::size_t value = 0;
  int version = 0;
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 123456), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, 123456u);
  EXPECT_EQ(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(99)), cudaErrorUnsupportedLimit);
  EXPECT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, CUDART_VERSION);
  cudaGetLastError();
}

TEST(HostDevice, VectorTypesHaveCudasSizesAndAlignments) {
  EXPECT_EQ(sizeof(float3), 12u);
  EXPECT_EQ(alignof(float3), 4u);
  EXPECT_EQ(alignof(float4), 16u);
  EXPECT_EQ(alignof(float2), 8u);
  EXPECT_EQ(alignof(double2), 16u);
  EXPECT_EQ(alignof(double4), 16u);
  EXPECT_EQ(sizeof(double4), 32u);
  EXPECT_EQ(alignof(uchar4), 4u);
  EXPECT_EQ(alignof(short2), 4u);
  const dim3 d(4);
  EXPECT_EQ(d.x * d.y * d.z, 4u);
  const float4 v = make_float4(1, 2, 3, 4);
  EXPECT_EQ(v.w, 4.f);
}

}  // namespace
