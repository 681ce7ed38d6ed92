#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/stream_queue.hpp"
#include "warplab_emulator/api/memory_names.hpp"

namespace {

using warplab::emulator::check_guard_zones;
using warplab::emulator::close_device_memory;
using warplab::emulator::describe_address;
using warplab::emulator::enqueue;
using warplab::emulator::is_device_only;
using warplab::emulator::live_allocations;
using warplab::emulator::open_for_device;
using warplab::emulator::poison_word;
using warplab::emulator::Space;
using warplab::emulator::space_of;

using HostMemoryDeathTest = ::testing::Test;

// Sizes around what the allocator treats differently: alignment, page, 64 KiB, huge page.
const std::size_t awkward_sizes[] = {1,
                                     4,
                                     255,
                                     256,
                                     257,
                                     4095,
                                     4096,
                                     4097,
                                     65535,
                                     65536,
                                     65537,
                                     (2u << 20) - 1,
                                     2u << 20,
                                     (2u << 20) + 1,
                                     (2u << 20) + 4100,
                                     5000000,
                                     20u << 20};

struct Device {
  ~Device() { EXPECT_EQ(cudaDeviceReset(), cudaSuccess); }
};

TEST(HostMemory, EveryAllocationIsAlignedAndFilledWithPoison) {
  const Device device;
  for (std::size_t bytes : awkward_sizes) {
    char* d = nullptr;
    ASSERT_EQ(cudaMalloc(&d, bytes), cudaSuccess);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(d) % 256, 0u) << bytes;
    std::vector<char> h(bytes);
    ASSERT_EQ(cudaMemcpy(h.data(), d, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    for (std::size_t i = 0; i < bytes; ++i)
      ASSERT_EQ(h[i], static_cast<char>(poison_word >> (8 * (i % 4)))) << i << " of " << bytes;
    EXPECT_EQ(cudaFree(d), cudaSuccess);
  }
}

TEST(HostMemory, DataSurvivesARoundTrip) {
  const Device device;
  for (std::size_t bytes : awkward_sizes) {
    std::vector<unsigned char> in(bytes), out(bytes);
    for (std::size_t i = 0; i < bytes; ++i) in[i] = static_cast<unsigned char>(i * 7 + i / 251);
    unsigned char *a = nullptr, *b = nullptr;
    ASSERT_EQ(cudaMalloc(&a, bytes), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&b, bytes), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(a, in.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(out.data(), b, bytes, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(in, out);
    EXPECT_EQ(cudaFree(a), cudaSuccess);
    EXPECT_EQ(cudaFree(b), cudaSuccess);
  }
}

TEST(HostMemory, ZeroBytesAreANullPointer) {
  void* d = &d;
  EXPECT_EQ(cudaMalloc(&d, 0), cudaSuccess);
  EXPECT_EQ(d, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
}

TEST(HostMemory, MoreThanTheDeviceHasIsRefused) {
  const Device device;
  std::size_t free = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_GT(total, std::size_t{64} << 20);
  for (std::size_t bytes : {total + 1, std::size_t{1} << 46, SIZE_MAX - 10, SIZE_MAX}) {
    void* d = &d;
    EXPECT_EQ(cudaMalloc(&d, bytes), cudaErrorMemoryAllocation) << bytes;
    EXPECT_EQ(d, nullptr);
  }
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  void* d = nullptr;
  std::size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&d, &pitch, SIZE_MAX / 2, 16), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMallocPitch(&d, &pitch, SIZE_MAX, 2), cudaErrorMemoryAllocation);
}

TEST(HostMemory, FreeMemoryGoesDownAndUpAgain) {
  const Device device;
  std::size_t before = 0, during = 0, after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  void* d = nullptr;
  ASSERT_EQ(cudaMalloc(&d, 1000), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  EXPECT_EQ(before - during, 1024u);
  ASSERT_EQ(cudaFree(d), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(after, before);
}

TEST(HostMemory, OnlyAnAllocatedPointerCanBeFreedAndOnlyOnce) {
  const Device device;
  char *d = nullptr, *pinned = nullptr;
  int host = 0;
  ASSERT_EQ(cudaMalloc(&d, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  EXPECT_EQ(cudaFree(d + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(&host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(d), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(d), cudaSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaFree(d), cudaErrorInvalidValue);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("has been freed"), std::string::npos);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  cudaGetLastError();
}

TEST(HostMemory, SpacesAreToldApart) {
  const Device device;
  char *d = nullptr, *managed = nullptr, *pinned = nullptr;
  char host = 0;
  ASSERT_EQ(cudaMalloc(&d, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100), cudaSuccess);
  ASSERT_EQ(cudaHostAlloc(&pinned, 100, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(space_of(d + 99), Space::device);
  EXPECT_EQ(space_of(managed), Space::managed);
  EXPECT_EQ(space_of(pinned), Space::pinned);
  EXPECT_EQ(space_of(&host), Space::host);
  EXPECT_TRUE(is_device_only(d));
  EXPECT_FALSE(is_device_only(managed));
  managed[99] = pinned[99] = 1;  // both are open to the host

  cudaPointerAttributes attributes{};
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, d), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.hostPointer, nullptr);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, managed), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, &host), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  void* mapped = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&mapped, pinned, 0), cudaSuccess);
  EXPECT_EQ(mapped, pinned);
}

TEST(HostMemory, AddressesAreDescribed) {
  const Device device;
  char* d = nullptr;
  int host = 0;
  ASSERT_EQ(cudaMalloc(&d, 4000), cudaSuccess);
  EXPECT_EQ(describe_address(nullptr), "a null pointer");
  EXPECT_EQ(describe_address(&host), "host memory");
  EXPECT_NE(describe_address(d + 12).find("byte 12 of a 4000-byte cudaMalloc"), std::string::npos);
  EXPECT_NE(describe_address(d + 4000).find("just past the end of a 4000-byte"), std::string::npos);
  EXPECT_NE(describe_address(d + 4012).find("12 bytes past the end of a 4000-byte"), std::string::npos);
  EXPECT_NE(describe_address(d - 8).find("8 bytes before the start of a 4000-byte"), std::string::npos);
  ASSERT_EQ(cudaFree(d), cudaSuccess);
  EXPECT_NE(describe_address(d + 12).find("has been freed"), std::string::npos);
}

TEST(HostMemory, IsCalledByItsNameOnceItHasOne) {
  const Device device;
  char *d = nullptr, *other = nullptr;
  ASSERT_EQ(cudaMalloc(&d, 4000), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&other, 4000), cudaSuccess);
  warplab::emulator::name_memory(d + 7, "input `a`");
  EXPECT_EQ(describe_address(d + 12), "byte 12 of input `a` (4000 bytes)");
  EXPECT_EQ(describe_address(d + 4000), "just past the end of input `a` (4000 bytes)");
  EXPECT_NE(describe_address(other).find("cudaMalloc"), std::string::npos);
  ASSERT_EQ(cudaFree(d), cudaSuccess);
  EXPECT_EQ(describe_address(d + 12), "byte 12 of input `a` (4000 bytes) that has been freed");
  ASSERT_EQ(cudaFree(other), cudaSuccess);
}

// Stands for a kernel: writes through `write` when the stream gets there, and has the guard zones checked.
template <class Write>
std::string report_after(const void* memory, Write write, cudaError_t expected) {
  EXPECT_EQ(enqueue(nullptr,
                    [=] {
                      open_for_device(memory);
                      write();
                      return check_guard_zones("stray");
                    }),
            cudaSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaDeviceSynchronize(), expected);
  return testing::internal::GetCapturedStderr();
}

TEST(HostMemory, WritesJustOutsideAnAllocationAreReported) {
  for (std::size_t bytes : {std::size_t{4}, std::size_t{1000}, std::size_t{(2u << 20) + 12}}) {
    const Device device;
    char* d = nullptr;
    ASSERT_EQ(cudaMalloc(&d, bytes), cudaSuccess);
    std::string report = report_after(
        d, [=] { std::memset(d, 1, bytes); }, cudaSuccess);
    EXPECT_EQ(report, "");
    report = report_after(
        d, [=] { std::memset(d + bytes + 8, 1, 4); }, cudaErrorIllegalAddress);
    EXPECT_NE(report.find("kernel stray"), std::string::npos) << report;
    EXPECT_NE(
        report.find("4 bytes were changed, the first 8 bytes past the end of a " + std::to_string(bytes)),
        std::string::npos)
        << report;
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  }
}

TEST(HostMemory, WritesBeforeAnAllocationAreReported) {
  const Device device;
  char* d = nullptr;
  ASSERT_EQ(cudaMalloc(&d, 1000), cudaSuccess);
  const std::string report = report_after(
      d, [=] { d[-3] = 1; }, cudaErrorIllegalAddress);
  EXPECT_NE(report.find("the first 3 bytes before the start of a 1000-byte cudaMalloc"), std::string::npos)
      << report;
}

TEST(HostMemory, StrayWritesIntoManagedMemoryAreReported) {
  const Device device;
  char* d = nullptr;
  ASSERT_EQ(cudaMallocManaged(&d, 1000), cudaSuccess);
  const std::string report = report_after(
      d, [=] { d[1000] = 1; }, cudaErrorIllegalAddress);
  EXPECT_NE(report.find("1000-byte cudaMallocManaged"), std::string::npos) << report;
}

TEST(HostMemory, OpeningIsIdempotentAndEndsAtTheGuards) {
  const Device device;
  char* d = nullptr;
  ASSERT_EQ(cudaMalloc(&d, 4096), cudaSuccess);
  EXPECT_TRUE(open_for_device(d));
  EXPECT_TRUE(open_for_device(d + 4095));
  d[0] = 1;
  EXPECT_FALSE(open_for_device(d + 4096));
  EXPECT_FALSE(open_for_device(d - 1));
  close_device_memory();
  char* const freed = d;
  ASSERT_EQ(cudaFree(d), cudaSuccess);
  EXPECT_FALSE(open_for_device(freed));
}

TEST(HostMemoryDeathTest, TheHostCannotDereferenceDeviceMemory) {
  const Device device;
  volatile int* d = nullptr;
  ASSERT_EQ(cudaMalloc(const_cast<int**>(&d), 400), cudaSuccess);
  // ARM's kernel does not say which
  EXPECT_DEATH(*d = 1, "host code (writes|accesses) device memory.*byte 0 of a 400-byte cudaMalloc");
  // Nor after a copy has opened it.
  int h[100] = {};
  ASSERT_EQ(cudaMemcpy(const_cast<int*>(d), h, 400, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_DEATH(*d, "host code (reads|accesses) device memory");
}

TEST(HostMemoryDeathTest, RunningPastTheEndOrIntoFreedMemoryFaults) {
  const Device device;
  volatile char *pinned = nullptr, *managed = nullptr;
  ASSERT_EQ(cudaMallocHost(const_cast<char**>(&pinned), 4096), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(const_cast<char**>(&managed), 4096), cudaSuccess);
  EXPECT_DEATH(pinned[4096] = 1, "");
  ASSERT_EQ(cudaFree(const_cast<char*>(managed)), cudaSuccess);
  EXPECT_DEATH(managed[0] = 1, "");
}

TEST(HostMemory, ThousandsOfSmallAllocationsWork) {
  const Device device;
  constexpr int count = 12000;
  std::vector<int*> pointers(count);
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(cudaMalloc(&pointers[i], sizeof(int)), cudaSuccess) << i;
    ASSERT_EQ(cudaMemcpy(pointers[i], &i, sizeof i, cudaMemcpyHostToDevice), cudaSuccess);
  }
  EXPECT_EQ(live_allocations().size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    int value = -1;
    ASSERT_EQ(cudaMemcpy(&value, pointers[i], sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    ASSERT_EQ(value, i);
  }
  // The last ones share their pages with others; their pads are watched all the same.
  const std::string report = report_after(
      pointers[count - 1], [p = pointers[count - 1]] { p[1] = 1; }, cudaErrorIllegalAddress);
  EXPECT_NE(
      report.find("4 bytes were changed, the first 0 bytes past the end of a 4-byte cudaMalloc (number "),
      std::string::npos)
      << report;
}

TEST(HostMemory, ThousandsOfSmallAllocationsAreTheHostsToo) {
  const Device device;
  for (int i = 0; i < 10000; ++i) {
    int *pinned = nullptr, *managed = nullptr;
    ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess) << i;
    ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess) << i;
    *pinned = *managed = i;
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(*pinned, *managed);
  }
}

TEST(HostMemory, RangesAreReusedWithoutEnd) {
  const Device device;
  for (int i = 0; i < 3000; ++i) {
    char *a = nullptr, *b = nullptr;
    ASSERT_EQ(cudaMalloc(&a, 100 + i % 5000), cudaSuccess) << i;
    ASSERT_EQ(cudaMalloc(&b, 70000), cudaSuccess) << i;
    ASSERT_TRUE(b + 70000 <= a || a + 100 + i % 5000 <= b);
    ASSERT_EQ(cudaFree(a), cudaSuccess) << i;
    ASSERT_EQ(cudaFree(b), cudaSuccess) << i;
  }
}

TEST(HostMemory, LiveAllocationsAreListedInOrder) {
  const Device device;
  void *a = nullptr, *b = nullptr;
  ASSERT_EQ(cudaMalloc(&a, 10), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&b, 20), cudaSuccess);
  const auto live = live_allocations();
  ASSERT_EQ(live.size(), 2u);
  EXPECT_EQ(live[0].bytes, 10u);
  EXPECT_EQ(live[0].function, "cudaMalloc");
  EXPECT_EQ(live[1].address, b);
  EXPECT_LT(live[0].number, live[1].number);
}

TEST(HostMemory, RegisteredHostMemoryIsPinned) {
  const Device device;
  std::vector<char> h(1000);
  EXPECT_EQ(cudaHostRegister(h.data(), h.size(), cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(space_of(h.data() + 999), Space::pinned);
  EXPECT_EQ(cudaHostRegister(h.data() + 10, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostRegister(h.data(), h.size(), 0xff00), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(h.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(h.data()), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(space_of(h.data()), Space::host);
  cudaGetLastError();
}

TEST(HostMemory, PrefetchAndAdviceAcceptManagedMemoryOnly) {
  const Device device;
  char *managed = nullptr, *d = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 100), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&d, 100), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 100, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 101, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(d, 100, 0), cudaErrorInvalidValue);
  cudaStream_t gone = nullptr;
  ASSERT_EQ(cudaStreamCreate(&gone), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 100, 0, gone), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(gone), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 100, 0, gone), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 100, cudaMemLocation{cudaMemLocationTypeDevice, 7}, 0),
            cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemAdvise(managed, 100, cudaMemAdviseSetReadMostly, cudaCpuDeviceId), cudaSuccess);
  cudaGetLastError();
}

TEST(HostMemory, AdviceIsForgottenWithItsMemory) {
  const Device device;
  const auto advise_and_free = [] {
    char* managed = nullptr;
    ASSERT_EQ(cudaMallocManaged(&managed, 100), cudaSuccess);
    ASSERT_EQ(cudaMemAdvise(managed, 100, cudaMemAdviseSetReadMostly, cudaCpuDeviceId), cudaSuccess);
    ASSERT_EQ(cudaFree(managed), cudaSuccess);
  };
  advise_and_free();
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 1000; ++i) advise_and_free();
  EXPECT_LT(mallinfo2().uordblks, before + 10000);
}

std::uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t value = ~std::uint64_t{0};
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, which, &value), cudaSuccess);
  return value;
}

TEST(HostMemory, APoolCountsWhatIsNotFreedYet) {
  cudaMemPool_t standard = nullptr, current = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&standard, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, standard);
  int supported = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0), cudaSuccess);
  EXPECT_EQ(supported, 1);
  const std::uint64_t before = attribute(standard, cudaMemPoolAttrUsedMemCurrent);
  char *a = nullptr, *b = nullptr;
  ASSERT_EQ(cudaMallocAsync(&a, 1000, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&b, 24, standard, nullptr), cudaSuccess);
  EXPECT_EQ(attribute(standard, cudaMemPoolAttrUsedMemCurrent), before + 1024);
  ASSERT_EQ(cudaFreeAsync(a, nullptr), cudaSuccess);
  EXPECT_EQ(attribute(standard, cudaMemPoolAttrUsedMemCurrent), before + 1024)
      << "in the order of the stream";
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(attribute(standard, cudaMemPoolAttrUsedMemCurrent), before + 24);
  EXPECT_GE(attribute(standard, cudaMemPoolAttrUsedMemHigh), before + 1024);
  std::uint64_t zero = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &zero), cudaSuccess);
  EXPECT_EQ(attribute(standard, cudaMemPoolAttrUsedMemHigh), before + 24);
  EXPECT_EQ(cudaMemPoolTrimTo(standard, 0), cudaSuccess);
  ASSERT_EQ(cudaFree(b), cudaSuccess);
  EXPECT_EQ(attribute(standard, cudaMemPoolAttrReservedMemCurrent), before);
}

TEST(HostMemory, APoolOfTheProgramsOwn) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.maxSize = 100;
  cudaMemPool_t pool = nullptr, standard = nullptr, current = nullptr;
  ASSERT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
  std::uint64_t threshold = 77;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
  EXPECT_EQ(attribute(pool, cudaMemPoolAttrReleaseThreshold), 77u);
  int reuse = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse), cudaSuccess);
  void *a = nullptr, *b = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&a, 60, pool, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&b, 60, pool, nullptr), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaDeviceSetMemPool(0, pool), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&b, 41, nullptr), cudaErrorMemoryAllocation) << "the device takes this pool now";
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&b, 1, pool, nullptr), cudaErrorInvalidValue);
  cudaDeviceGetDefaultMemPool(&standard, 0);
  cudaDeviceGetMemPool(&current, 0);
  EXPECT_EQ(current, standard);
  EXPECT_EQ(cudaMemPoolDestroy(standard), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(a), cudaSuccess) << "what it gave remains";
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  EXPECT_EQ(cudaMemPoolCreate(&pool, &properties), cudaErrorNotSupported);
  cudaGetLastError();
}

}  // namespace
