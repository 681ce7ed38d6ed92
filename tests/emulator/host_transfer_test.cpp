#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace {

// The translator registers what is as __constant__ and __device__ in a .cu file; here the test does.
float filter[16], other_filter[16];
int counter;
int unregistered;

class HostTransfer : public ::testing::Test {
 protected:
  HostTransfer() {
    warplab::emulator::register_symbol(filter, sizeof filter, "filter", true);
    warplab::emulator::register_symbol(other_filter, sizeof other_filter, "other_filter", true);
    warplab::emulator::register_symbol(&counter, sizeof counter, "counter", false);
    EXPECT_EQ(cudaMalloc(&device, 16 * sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaMallocHost(&pinned, 16 * sizeof(int)), cudaSuccess);
    std::iota(host, host + 16, 100);
  }
  ~HostTransfer() override { EXPECT_EQ(cudaDeviceReset(), cudaSuccess); }

  // Calls, expects CUDA's error, and returns what was printed.
  template <class Call>
  static std::string refused(Call call, cudaError_t expected = cudaErrorInvalidValue) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(call(), expected);
    EXPECT_EQ(cudaGetLastError(), expected);
    return testing::internal::GetCapturedStderr();
  }

  int* device = nullptr;
  int* pinned = nullptr;
  int host[16];
};

TEST_F(HostTransfer, EveryDirectionCopies) {
  int back[16] = {}, *other = nullptr;
  ASSERT_EQ(cudaMalloc(&other, sizeof host), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(other, device, sizeof host, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(pinned, other, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back, pinned, sizeof host, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(std::memcmp(back, host, sizeof host), 0);
}

TEST_F(HostTransfer, AWrongDirectionIsRefusedAndExplained) {
  int back[16] = {};
  const std::string swapped =
      refused([&] { return cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice); });
  EXPECT_NE(swapped.find("is host memory, but cudaMemcpyHostToDevice needs device memory there"),
            std::string::npos)
      << swapped;
  refused([&] { return cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost); });
  refused([&] { return cudaMemcpy(device, device, 4, cudaMemcpyHostToDevice); });
  refused([&] { return cudaMemcpy(back, host, sizeof host, cudaMemcpyDeviceToHost); });
  refused([&] { return cudaMemcpy(back, device, 4, cudaMemcpyHostToHost); });
  refused([&] { return cudaMemcpy(device, host, 4, static_cast<cudaMemcpyKind>(9)); },
          cudaErrorInvalidMemcpyDirection);
}

TEST_F(HostTransfer, NullPointersAreRefusedUnlessThereIsNothingToCopy) {
  refused([&] { return cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice); });
  refused([&] { return cudaMemcpy(device, nullptr, 4, cudaMemcpyHostToDevice); });
  refused([&] { return cudaMemset(nullptr, 0, 4); });
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(nullptr, 0, 0), cudaSuccess);
}

TEST_F(HostTransfer, MoreThanTheAllocationHoldsIsRefused) {
  const std::string report =
      refused([&] { return cudaMemcpy(device + 1, host, sizeof host, cudaMemcpyHostToDevice); });
  EXPECT_NE(report.find("byte 4 of a 64-byte cudaMalloc"), std::string::npos) << report;
  EXPECT_NE(report.find("only 60 bytes are left"), std::string::npos) << report;
  refused([&] { return cudaMemcpy(host, device, 65, cudaMemcpyDeviceToHost); });
  refused([&] { return cudaMemset(device, 0, 65); });
  refused([&] { return cudaMemcpy(device, host, SIZE_MAX, cudaMemcpyHostToDevice); });
  ASSERT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_NE(refused([&] { return cudaMemset(device, 0, 4); }).find("has been freed"), std::string::npos);
}

TEST_F(HostTransfer, AnAsynchronousCopyToPinnedMemoryIsNotVisibleBeforeTheWait) {
  std::fill_n(pinned, 16, -1);
  ASSERT_EQ(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(pinned, device, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(pinned[0], -1);
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(pinned[0], 100);
}

TEST_F(HostTransfer, AnAsynchronousCopyFromPinnedMemoryReadsItLate) {
  std::fill_n(pinned, 16, 1);
  ASSERT_EQ(cudaMemcpyAsync(device, pinned, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
  std::fill_n(pinned, 16, 2);  // a race on a GPU; here the host always wins
  ASSERT_EQ(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(host[0], 2);
}

TEST_F(HostTransfer, AnAsynchronousCopyOfPageableMemoryIsDoneAtOnceAndInOrder) {
  bool ran = false;
  ASSERT_EQ(warplab::emulator::enqueue(nullptr,
                                       [&] {
                                         ran = true;
                                         return cudaSuccess;
                                       }),
            cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_TRUE(ran);
  int back[16] = {};
  ASSERT_EQ(cudaMemcpyAsync(back, device, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back[15], 115);
}

TEST_F(HostTransfer, MemsetFillsBytesAndRunsWhenTheStreamGetsThere) {
  ASSERT_EQ(cudaMemset(device, 0x7f, sizeof host), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(device + 8, 0, 8 * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(host[7], 0x7f7f7f7f);
  EXPECT_EQ(host[8], 0);
  ASSERT_EQ(cudaMemset(pinned, 1, 4), cudaSuccess);
  EXPECT_EQ(pinned[0], 0x01010101);  // memory of the host: no wait needed
}

TEST_F(HostTransfer, RowsAreCopiedBetweenPitches) {
  constexpr std::size_t rows = 5, width = 3 * sizeof(int);
  char* pitched = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&pitched, &pitch, width, rows), cudaSuccess);
  EXPECT_EQ(pitch, 512u);
  ASSERT_EQ(cudaMemcpy2D(pitched, pitch, host, width, width, rows, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemset2D(pitched, pitch, 0, sizeof(int), rows), cudaSuccess);
  int back[15] = {};
  ASSERT_EQ(cudaMemcpy2D(back, width, pitched, pitch, width, rows, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int i = 0; i < 15; ++i) EXPECT_EQ(back[i], i % 3 == 0 ? 0 : 100 + i) << i;

  refused([&] { return cudaMemcpy2D(pitched, width - 1, host, width, width, rows, cudaMemcpyHostToDevice); },
          cudaErrorInvalidPitchValue);
  refused([&] { return cudaMemcpy2D(pitched, width - 1, host, width, width, 1, cudaMemcpyHostToDevice); });
  refused([&] { return cudaMemcpy2D(pitched, pitch, host, width, width, rows + 1, cudaMemcpyHostToDevice); });
  refused([&] { return cudaMemset2D(pitched, SIZE_MAX / 2, 0, width, rows); });
  refused([&] { return cudaMemset2D(pitched, width - 1, 0, width, rows); });
}

TEST_F(HostTransfer, RowsMustFitIntoAPitchHoweverManyThereAre) {
  constexpr std::size_t many = std::size_t{1} << 32;  // their square is 0
  const cudaPitchedPtr to{device, 8, 8, 1};
  refused([&] { return cudaMemset3D(to, 0, cudaExtent{16, many, many}); });
}

TEST_F(HostTransfer, SymbolsAreCopiedWithinTheirBounds) {
  float values[16], back[16] = {};
  std::iota(values, values + 16, 0.5f);
  ASSERT_EQ(cudaMemcpyToSymbol(filter, values, sizeof values), cudaSuccess);
  ASSERT_EQ(cudaMemcpyToSymbol(filter, values, sizeof(float), 2 * sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromSymbol(back, filter, sizeof back), cudaSuccess);
  EXPECT_EQ(back[15], 15.5f);
  EXPECT_EQ(back[2], 0.5f);

  const int seven = 7;
  int got = 0;
  ASSERT_EQ(cudaMemcpyToSymbolAsync(counter, &seven, sizeof seven), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromSymbol(&got, counter, sizeof got), cudaSuccess);
  EXPECT_EQ(got, 7);

  const std::string report = refused([&] { return cudaMemcpyToSymbol(filter, values, sizeof values, 4); });
  EXPECT_NE(report.find("do not fit into the 64 bytes"), std::string::npos) << report;
  refused([&] { return cudaMemcpyToSymbol(filter, values, SIZE_MAX, 4); });
  refused([&] { return cudaMemcpyToSymbol(unregistered, &seven, 4); }, cudaErrorInvalidSymbol);
  refused([&] { return cudaMemcpyToSymbol("filter", values, 4); }, cudaErrorInvalidSymbol);
  refused([&] { return cudaMemcpyToSymbol(filter, values, 4, 0, cudaMemcpyDeviceToHost); },
          cudaErrorInvalidMemcpyDirection);
}

TEST_F(HostTransfer, ASymbolHasAnAddressAndASize) {
  void* address = nullptr;
  std::size_t bytes = 0;
  const float value = 1;
  const std::string report =
      refused([&] { return cudaMemcpy(other_filter, &value, 4, cudaMemcpyHostToDevice); });
  EXPECT_NE(report.find("the host's name of the __constant__ variable other_filter"), std::string::npos)
      << report;
  ASSERT_EQ(cudaGetSymbolAddress(&address, filter), cudaSuccess);
  ASSERT_EQ(cudaGetSymbolSize(&bytes, filter), cudaSuccess);
  EXPECT_EQ(address, filter);
  EXPECT_EQ(bytes, 64u);
  EXPECT_EQ(warplab::emulator::describe_address(filter + 1), "byte 4 of the __constant__ variable filter");
  ASSERT_EQ(cudaMemset(address, 0, bytes), cudaSuccess);
  float first = 1;
  ASSERT_EQ(cudaMemcpy(&first, address, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(first, 0.f);
}

TEST_F(HostTransfer, MemoryFreedOnAStreamIsGoneOnceTheStreamGetsThere) {
  cudaStream_t stream = nullptr;
  int *d = nullptr, value = 3;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&d, sizeof(int), stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(d, &value, sizeof value, cudaMemcpyHostToDevice, stream), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(d, stream), cudaSuccess);
  EXPECT_EQ(warplab::emulator::live_allocations().size(), 3u);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(warplab::emulator::live_allocations().size(), 2u);
  refused([&] { return cudaFreeAsync(d, stream); });
}

TEST_F(HostTransfer, AQueuedCopyFromMemoryFreedMeanwhileIsAnIllegalAddress) {
  cudaStream_t one = nullptr, two = nullptr;
  int* d = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&d, sizeof host, one), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(device, d, sizeof host, cudaMemcpyDeviceToDevice, two), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(d, one), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(one), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(two), cudaErrorIllegalAddress);
}

}  // namespace
