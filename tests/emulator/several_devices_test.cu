// Two emulated devices: whose memory, streams and pools are whose, and who may reach them.

#include <cstdlib>
#include <string>
#include <thread>

#include "tests/emulator/device_array.hpp"
#include "tests/emulator/report_test.hpp"

namespace {

// Before anything asks how many devices there are.
[[maybe_unused]] const int two_devices = setenv("WARPLAB_DEVICES", "2", 1);

__global__ void add(int* x, int what) { *x += what; }
__global__ void copy_one(int* to, const int* from) {
  *to = *from;  // WITHOUT ACCESS
}

int line_of(const std::string& comment) {
  std::FILE* const file = std::fopen(__FILE__, "r");
  int line = 0, found = 0;
  for (char text[256]; file && std::fgets(text, sizeof text, file);) {
    ++line;
    if (std::string(text).find("// " + comment) != std::string::npos && !found) found = line;
  }
  if (file) std::fclose(file);
  return found;
}

class SeveralDevices : public warplab::test::ReportTest {
 protected:
  ~SeveralDevices() override {
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);  // of the current one; makes the others usable too
    for (const int device : {1, 0}) {
      EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
      EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    }
  }
  // An int in the memory of a device, which stays current.
  static int* make(int device, int value) {
    int* x = nullptr;
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&x, sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(x, &value, sizeof value, cudaMemcpyHostToDevice), cudaSuccess);
    return x;
  }
  static int value_of(const int* x) {
    int value = -1;
    EXPECT_EQ(cudaMemcpy(&value, x, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
  }
};

TEST_F(SeveralDevices, AreCountedAndChosenByEachThread) {
  int count = 0, current = -1;
  cudaDeviceProp properties[2];
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 2);
  for (int device = 0; device < 2; ++device)
    ASSERT_EQ(cudaGetDeviceProperties(&properties[device], device), cudaSuccess);
  EXPECT_NE(properties[0].pciBusID, properties[1].pciBusID);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  std::thread([] {
    int device = -1;
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 0);
  }).join();
  ASSERT_EQ(cudaGetDevice(&current), cudaSuccess);
  EXPECT_EQ(current, 1);
  EXPECT_EQ(said([] { return cudaSetDevice(2); }), cudaErrorInvalidDevice);
  EXPECT_EQ(said([&] { return cudaGetDeviceProperties(properties, 2); }), cudaErrorInvalidDevice);
}

TEST_F(SeveralDevices, HaveMemoryOfTheirOwn) {
  std::size_t free_before[2], free_after[2], total = 0;
  for (int device = 0; device < 2; ++device) {
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    ASSERT_EQ(cudaMemGetInfo(&free_before[device], &total), cudaSuccess);
  }
  int* const x = make(1, 5);
  cudaPointerAttributes attributes{};
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, x), cudaSuccess);
  EXPECT_EQ(attributes.device, 1);
  for (int device = 0; device < 2; ++device) {
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    ASSERT_EQ(cudaMemGetInfo(&free_after[device], &total), cudaSuccess);
  }
  EXPECT_EQ(free_after[0], free_before[0]);
  EXPECT_LT(free_after[1], free_before[1]);
  EXPECT_EQ(value_of(x), 5);  // a copy reaches it from everywhere
}

TEST_F(SeveralDevices, AKernelWithoutPeerAccessIsStoppedAtItsLine) {
  int *const other = make(1, 7), *const mine = make(0, 0);
  add<<<1, 1>>>(mine, 1);
  copy_one<<<1, 1>>>(mine, other);
  EXPECT_EQ(said([] { return cudaDeviceSynchronize(); }), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("memory of device 1")) << report_;
  EXPECT_TRUE(says("several_devices_test.cu:" + std::to_string(line_of("WITHOUT ACCESS")))) << report_;
  EXPECT_TRUE(says("cudaDeviceEnablePeerAccess(1, 0)")) << report_;
}

TEST_F(SeveralDevices, ADevicesOwnKernelsDoNotOpenItsMemoryToOthers) {
  int *const other = make(1, 7), *const mine = make(0, 0);
  cudaStream_t stream;
  cudaEvent_t event;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  add<<<1, 1, 0, stream>>>(other, 1);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(nullptr, event), cudaSuccess);
  copy_one<<<1, 1>>>(mine, other);
  EXPECT_EQ(said([] { return cudaDeviceSynchronize(); }), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("memory of device 1")) << report_;
}

TEST_F(SeveralDevices, PeerAccessGoesOneWay) {
  int *const other = make(1, 7), *const mine = make(0, 0);
  int can = 0;
  ASSERT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 1);
  ASSERT_EQ(cudaDeviceCanAccessPeer(&can, 1, 1), cudaSuccess);
  EXPECT_EQ(can, 0);
  ASSERT_EQ(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrNativeAtomicSupported, 1, 0), cudaSuccess);
  EXPECT_EQ(can, 1);
  ASSERT_EQ(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrPerformanceRank, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(said([&] { return cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 1, 1); }),
            cudaErrorInvalidDevice);
  EXPECT_EQ(said([] { return cudaDeviceDisablePeerAccess(1); }), cudaErrorPeerAccessNotEnabled);
  ASSERT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_EQ(said([] { return cudaDeviceEnablePeerAccess(1, 0); }), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(said([] { return cudaDeviceEnablePeerAccess(0, 0); }), cudaErrorInvalidDevice);
  copy_one<<<1, 1>>>(mine, other);
  EXPECT_EQ(value_of(mine), 7);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  copy_one<<<1, 1>>>(other, mine);
  EXPECT_EQ(said([] { return cudaDeviceSynchronize(); }), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("memory of device 0")) << report_;
}

TEST_F(SeveralDevices, DisabledAccessIsGone) {
  int *const other = make(1, 7), *const mine = make(0, 0);
  ASSERT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  copy_one<<<1, 1>>>(mine, other);
  ASSERT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);  // waits for the kernel
  EXPECT_EQ(value_of(mine), 7);
  copy_one<<<1, 1>>>(mine, other);
  EXPECT_EQ(said([] { return cudaDeviceSynchronize(); }), cudaErrorIllegalAddress);
}

TEST_F(SeveralDevices, CopiesBetweenPeersNeedNoAccess) {
  int *const other = make(1, 7), *const mine = make(0, 0);
  ASSERT_EQ(cudaMemcpyPeer(mine, 0, other, 1, sizeof(int)), cudaSuccess);
  EXPECT_EQ(value_of(mine), 7);
  add<<<1, 1>>>(mine, 1);
  ASSERT_EQ(cudaMemcpyPeerAsync(other, 1, mine, 0, sizeof(int), nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(value_of(other), 8);
  EXPECT_EQ(said([&] { return cudaMemcpyPeer(mine, 1, other, 1, sizeof(int)); }), cudaErrorInvalidValue);
  EXPECT_TRUE(says("the destination is memory of device 0, not of device 1")) << report_;
  EXPECT_EQ(said([&] { return cudaMemcpyPeer(mine, 0, other, 2, sizeof(int)); }), cudaErrorInvalidDevice);
}

TEST_F(SeveralDevices, BoxesAreCopiedBetweenPeers) {
  int *const other = make(1, 7), *const mine = make(0, 0);
  cudaMemcpy3DPeerParms box{};
  box.srcPtr = make_cudaPitchedPtr(other, sizeof(int), 1, 1);
  box.srcDevice = 1;
  box.dstPtr = make_cudaPitchedPtr(mine, sizeof(int), 1, 1);
  box.extent = make_cudaExtent(sizeof(int), 1, 1);
  ASSERT_EQ(cudaMemcpy3DPeer(&box), cudaSuccess);
  EXPECT_EQ(value_of(mine), 7);
  box.dstDevice = 1;
  EXPECT_EQ(said([&] { return cudaMemcpy3DPeer(&box); }), cudaErrorInvalidValue);
  EXPECT_TRUE(says("cudaMemcpy3DPeer: the destination is memory of device 0, not of device 1")) << report_;
}

TEST_F(SeveralDevices, APoolIsOpenedToPeersAndClosedAgain) {
  cudaMemPool_t pool;
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtReadWrite;
  cudaMemAccessDesc access{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  int* other = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 1), cudaSuccess);
  ASSERT_EQ(cudaMemPoolGetAccess(&flags, pool, &access.location), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtNone);
  ASSERT_EQ(cudaMallocFromPoolAsync(&other, sizeof(int), pool, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMemset(other, 0, sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaSuccess);  // what is allocated already too
  ASSERT_EQ(cudaMemPoolGetAccess(&flags, pool, &access.location), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  int* const mine = make(0, 5);
  copy_one<<<1, 1>>>(mine, other);
  EXPECT_EQ(value_of(mine), 0);
  access.flags = cudaMemAccessFlagsProtNone;
  ASSERT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaSuccess);
  copy_one<<<1, 1>>>(mine, other);
  EXPECT_EQ(said([] { return cudaDeviceSynchronize(); }), cudaErrorIllegalAddress);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  access.location.id = 1;
  EXPECT_EQ(said([&] { return cudaMemPoolSetAccess(pool, &access, 1); }), cudaErrorInvalidValue);
  EXPECT_TRUE(says("device 1, whose memory the pool gives, always has access")) << report_;
}

TEST_F(SeveralDevices, HaveStreamsOfTheirOwn) {
  int *const other = make(1, 1), *const mine = make(0, 1);
  cudaStream_t stream;
  cudaEvent_t event;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  add<<<1, 1>>>(mine, 10);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(said([&] {
              add<<<1, 1, 0, stream>>>(other, 1);
              return cudaGetLastError();
            }),
            cudaErrorInvalidResourceHandle);
  EXPECT_TRUE(says("call cudaSetDevice(0)")) << report_;
  EXPECT_EQ(said([&] { return cudaEventRecord(event, nullptr); }), cudaErrorInvalidResourceHandle);
  add<<<1, 1>>>(other, 20);
  ASSERT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  cudaGetLastError();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // of device 1 only
  EXPECT_EQ(value_of(other), 21);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  cudaGetLastError();
  EXPECT_EQ(value_of(mine), 11);
}

TEST_F(SeveralDevices, HavePoolsOfTheirOwn) {
  cudaMemPool_t pools[2];
  for (int device = 0; device < 2; ++device)
    ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pools[device], device), cudaSuccess);
  EXPECT_NE(pools[0], pools[1]);
  int* x = nullptr;
  cudaPointerAttributes attributes{};
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaMallocFromPoolAsync(&x, sizeof(int), pools[1], nullptr), cudaSuccess);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, x), cudaSuccess);
  EXPECT_EQ(attributes.device, 1);
  EXPECT_EQ(said([&] { return cudaDeviceSetMemPool(0, pools[1]); }), cudaErrorInvalidDevice);
}

TEST_F(SeveralDevices, AResetIsOfOneDevice) {
  int *const other = make(1, 7), *const mine = make(0, 3);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(value_of(mine), 3);
  int value = 0;
  EXPECT_EQ(said([&] { return cudaMemcpy(&value, other, sizeof value, cudaMemcpyDeviceToHost); }),
            cudaErrorInvalidValue);
}

TEST_F(SeveralDevices, AGraphsKernelsRunWhereTheyWereCaptured) {
  int* const other = make(1, 7);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  add<<<1, 1, 0, stream>>>(other, 1);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(value_of(other), 8);
}

}  // namespace
