// Against NVIDIA's occupancy calculator, where a CUDA Toolkit is installed.
#include <cuda_occupancy.h>
#include <gtest/gtest.h>

#include "lens/occupancy.hpp"

namespace {

int blocks_by_nvidia(int threads, std::size_t shared_bytes, int registers) {
  cudaOccDeviceProp device{};
  device.computeMajor = 9;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = 2048;
  device.regsPerBlock = device.regsPerMultiprocessor = 65536;
  device.warpSize = 32;
  device.sharedMemPerBlock = 49152;
  device.sharedMemPerBlockOptin = 232448;
  device.sharedMemPerMultiprocessor = 233472;
  device.reservedSharedMemPerBlock = 1024;
  device.numSms = 132;
  cudaOccDeviceState state{};
  state.carveoutConfig = 100;
  cudaOccFuncAttributes kernel{};
  kernel.maxThreadsPerBlock = 1024;
  kernel.numRegs = registers;
  kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = 232448;
  cudaOccResult result{};
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads, shared_bytes))
    return -1;
  return result.activeBlocksPerMultiprocessor;
}

TEST(Occupancy, IsWhatNvidiasCalculatorSays) {
  for (int threads = 1; threads <= 1024; threads += 11)
    for (std::size_t shared :
         {0u, 1u, 1000u, 4096u, 4224u, 16384u, 49152u, 65536u, 102400u, 116000u, 232448u})
      for (int registers : {1, 24, 33, 40, 64, 65, 96, 128, 255})
        ASSERT_EQ(
            warplab::lens::theoretical_occupancy({static_cast<unsigned>(threads), 1, 1}, shared, registers)
                .blocks_per_multiprocessor,
            blocks_by_nvidia(threads, shared, registers))
            << threads << " threads, " << shared << " bytes, " << registers << " registers";
}

}  // namespace
