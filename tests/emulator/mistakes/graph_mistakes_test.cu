// What the emulator says when streams are captured and graphs are built wrongly. The errors are CUDA's.

#include <string>
#include <thread>

#include "tests/emulator/device_array.hpp"
#include "tests/emulator/report_test.hpp"

using warplab::test::DeviceArray;

namespace {

__global__ void add(int* x, int what) { *x += what; }
__global__ void write_far(int* x) { x[1 << 20] = 1; }

class GraphMistakes : public warplab::test::ReportTest {
 protected:
  GraphMistakes() { EXPECT_EQ(cudaStreamCreate(&stream_), cudaSuccess); }

  void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    ASSERT_EQ(cudaStreamBeginCapture(stream_, mode), cudaSuccess);
  }
  // Ends the capture, which must fail so, and forgets it.
  void expect_end(cudaError_t expected) {
    cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(1);
    EXPECT_EQ(said([&] { return cudaStreamEndCapture(stream_, &graph); }), expected);
    EXPECT_EQ(graph, nullptr);
    cudaStreamCaptureStatus status;
    ASSERT_EQ(cudaStreamIsCapturing(stream_, &status), cudaSuccess);
    EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  }

  cudaStream_t stream_ = nullptr;
};

TEST_F(GraphMistakes, AnAllocationInvalidatesACapture) {
  int* x = nullptr;
  cudaStreamCaptureStatus status;
  begin();
  EXPECT_EQ(said([&] { return cudaMalloc(&x, 4); }), cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(says("cudaMalloc: not while a stream is captured")) << report_;
  ASSERT_EQ(cudaStreamIsCapturing(stream_, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusInvalidated);
  add<<<1, 1, 0, stream_>>>(x, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
  expect_end(cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaMalloc(&x, 4), cudaSuccess);
}

TEST_F(GraphMistakes, NobodyCanWaitForACapturedStream) {
  const DeviceArray<int> x{0};
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 1);
  EXPECT_EQ(said([&] { return cudaStreamSynchronize(stream_); }), cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(says("cudaStreamSynchronize: captured work does not run")) << report_;
  expect_end(cudaErrorStreamCaptureInvalidated);
  begin();
  EXPECT_EQ(said([&] { return cudaStreamQuery(stream_); }), cudaErrorStreamCaptureUnsupported);
  expect_end(cudaErrorStreamCaptureInvalidated);
  begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(said([&] { return cudaDeviceSynchronize(); }), cudaErrorStreamCaptureUnsupported);
  expect_end(cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(x.host()[0], 0);
}

TEST_F(GraphMistakes, TheLegacyStreamWouldWaitForACapturedOne) {
  const DeviceArray<int> x{0};
  int host = 0;
  begin(cudaStreamCaptureModeRelaxed);
  add<<<1, 1>>>(x.data(), 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
  expect_end(cudaErrorStreamCaptureInvalidated);
  begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(said([&] { return cudaMemcpy(&host, x.data(), 4, cudaMemcpyDeviceToHost); }),
            cudaErrorStreamCaptureImplicit);
  EXPECT_TRUE(says("legacy default stream")) << report_;
  expect_end(cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(said([&] { return cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal); }),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(says("make a stream")) << report_;
}

TEST_F(GraphMistakes, ABlockingCopyIsNoPartOfACapture) {
  const DeviceArray<int> x{0};
  int host = 0;
  cudaStream_t free_running;
  ASSERT_EQ(cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(free_running, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaMemcpy(&host, x.data(), 4, cudaMemcpyDeviceToHost); }),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(says("cudaMemcpy: not while a stream is captured")) << report_;
}

TEST_F(GraphMistakes, WhatOtherThreadsMayNotDoDependsOnTheMode) {
  for (const auto& [mode, expected] :
       {std::pair{cudaStreamCaptureModeGlobal, cudaErrorStreamCaptureUnsupported},
        {cudaStreamCaptureModeThreadLocal, cudaSuccess},
        {cudaStreamCaptureModeRelaxed, cudaSuccess}}) {
    begin(mode);
    std::thread([&, expected = expected] {
      int* x = nullptr;
      EXPECT_EQ(said([&] { return cudaMalloc(&x, 4); }), expected);
    }).join();
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph),
              expected == cudaSuccess ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
  }
}

TEST_F(GraphMistakes, ACaptureIsEndedWhereItBegan) {
  cudaStream_t other;
  cudaEvent_t event;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaStreamEndCapture(stream_, &graph); }), cudaErrorIllegalState);
  EXPECT_TRUE(says("cudaStreamBeginCapture comes first")) << report_;
  begin();
  EXPECT_EQ(said([&] { return cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal); }),
            cudaErrorIllegalState);
  ASSERT_EQ(cudaEventRecord(event, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, event), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaStreamEndCapture(other, &graph); }), cudaErrorStreamCaptureUnmatched);
  EXPECT_TRUE(says("began in another stream")) << report_;
  std::thread([&] {
    EXPECT_EQ(said([&] { return cudaStreamEndCapture(stream_, &graph); }), cudaErrorStreamCaptureWrongThread);
  }).join();
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
}

TEST_F(GraphMistakes, AForkThatDoesNotJoinIsNoGraph) {
  const DeviceArray<int> x{0};
  cudaStream_t other;
  cudaEvent_t event;
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  begin();
  ASSERT_EQ(cudaEventRecord(event, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, event), cudaSuccess);
  add<<<1, 1, 0, other>>>(x.data(), 1);
  expect_end(cudaErrorStreamCaptureUnjoined);
  EXPECT_TRUE(says("cudaStreamWaitEvent")) << report_;
  add<<<1, 1, 0, other>>>(x.data(), 5);  // the other stream is free too
  EXPECT_EQ(x.host()[0], 5);
}

TEST_F(GraphMistakes, ACaptureCantWaitForWorkOutsideOfIt) {
  cudaStream_t other;
  cudaEvent_t event;
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, other), cudaSuccess);
  begin();
  EXPECT_EQ(said([&] { return cudaStreamWaitEvent(stream_, event); }), cudaErrorStreamCaptureIsolation);
  EXPECT_TRUE(says("recorded outside of the capture")) << report_;
  expect_end(cudaErrorStreamCaptureInvalidated);
}

TEST_F(GraphMistakes, TwoCapturesCantBecomeOne) {
  cudaStream_t other;
  cudaEvent_t event;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  begin();
  ASSERT_EQ(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, other), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaStreamWaitEvent(stream_, event); }), cudaErrorStreamCaptureMerge);
  EXPECT_TRUE(says("two captures")) << report_;
  expect_end(cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(GraphMistakes, ACapturedEventNeverTakesPlace) {
  cudaEvent_t event;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  begin();
  ASSERT_EQ(cudaEventRecord(event, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaEventSynchronize(event); }), cudaErrorCapturedEvent);
  EXPECT_TRUE(says("an edge of the graph")) << report_;
  EXPECT_EQ(said([&] { return cudaEventQuery(event); }), cudaErrorCapturedEvent);
  EXPECT_EQ(said([&] { return cudaStreamWaitEvent(stream_, event); }), cudaErrorCapturedEvent);
  ASSERT_EQ(cudaEventRecord(event, stream_), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
}

TEST_F(GraphMistakes, MemoryAndCallbacksHaveNoNodes) {
  int* x = nullptr;
  begin();
  EXPECT_EQ(said([&] { return cudaMallocAsync(&x, 4, stream_); }), cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(says("no nodes for memory")) << report_;
  expect_end(cudaErrorStreamCaptureInvalidated);
  begin();
  const auto callback = [](cudaStream_t, cudaError_t, void*) {};
  EXPECT_EQ(said([&] { return cudaStreamAddCallback(stream_, callback, nullptr, 0); }),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(says("use cudaLaunchHostFunc")) << report_;
}

TEST_F(GraphMistakes, ACircleIsRefusedWhenItIsInstantiated) {
  cudaGraph_t graph;
  cudaGraphNode_t one, two;
  cudaGraphExec_t exec;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&one, graph, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&two, graph, &one, 1), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaGraphAddDependencies(graph, &one, &two, nullptr, 1); }),
            cudaErrorInvalidValue);
  EXPECT_TRUE(says("edge 0 is there already")) << report_;
  ASSERT_EQ(cudaGraphAddDependencies(graph, &two, &one, nullptr, 1), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaGraphInstantiate(&exec, graph, 0); }), cudaErrorInvalidValue);
  EXPECT_TRUE(says("waits for itself")) << report_;
}

TEST_F(GraphMistakes, NodesOfOtherGraphsAreNoDependencies) {
  cudaGraph_t graph, other;
  cudaGraphNode_t node, foreign;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&foreign, other, nullptr, 0), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaGraphAddEmptyNode(&node, graph, &foreign, 1); }), cudaErrorInvalidValue);
  EXPECT_TRUE(says("dependency 0 is a node of another graph")) << report_;
  ASSERT_EQ(cudaGraphDestroy(other), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaGraphAddEmptyNode(&node, graph, &foreign, 1); }), cudaErrorInvalidValue);
  EXPECT_TRUE(says("a node that was destroyed")) << report_;
  EXPECT_EQ(cudaGraphDestroy(other), cudaErrorInvalidValue);
}

TEST_F(GraphMistakes, ANodesKernelMustBeKnownAndItsLaunchBePossible) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  int *x = nullptr, what = 1;
  void* arguments[] = {&x, &what};
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  cudaKernelNodeParams run{};
  run.func = &what;
  run.gridDim = run.blockDim = dim3(1);
  run.kernelParams = arguments;
  EXPECT_EQ(said([&] { return cudaGraphAddKernelNode(&node, graph, nullptr, 0, &run); }),
            cudaErrorInvalidDeviceFunction);
  EXPECT_TRUE(says("func = (void*)kernel")) << report_;
  run.func = (void*)add;
  run.blockDim = dim3(2048);
  EXPECT_EQ(said([&] { return cudaGraphAddKernelNode(&node, graph, nullptr, 0, &run); }),
            cudaErrorInvalidConfiguration);
  EXPECT_TRUE(says("the launch of 'add'")) << report_;
}

TEST_F(GraphMistakes, AFaultInANodeNamesItsKernel) {
  const DeviceArray<int> x{0};
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  begin();
  write_far<<<1, 1, 0, stream_>>>(x.data());
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaStreamSynchronize(stream_); }), cudaErrorIllegalAddress);
  EXPECT_TRUE(says("write_far")) << report_;
}

TEST_F(GraphMistakes, ADestroyedExecutableGraphIsNotLaunched) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  begin();
  ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaGraphLaunch(exec, stream_); }), cudaErrorInvalidValue);
  EXPECT_TRUE(says("cudaGraphLaunch: the executable graph was destroyed")) << report_;
}

TEST_F(GraphMistakes, ANodesEventMustExist) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaEvent_t event;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event); }),
            cudaErrorInvalidValue);
  EXPECT_TRUE(says("the node's event was destroyed")) << report_;
}

TEST_F(GraphMistakes, ExternalEventsAreForCapturedStreams) {
  cudaEvent_t event;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaEventRecordWithFlags(event, stream_, cudaEventRecordExternal); }),
            cudaErrorInvalidValue);
  EXPECT_TRUE(says("are for streams that are captured")) << report_;
  EXPECT_EQ(said([&] { return cudaStreamWaitEvent(stream_, event, cudaEventWaitExternal); }),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

TEST_F(GraphMistakes, OnlyKernelsCopiesAndFillsAreSwitchedOff) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&node, graph, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  EXPECT_EQ(said([&] { return cudaGraphNodeSetEnabled(exec, node, 0); }), cudaErrorInvalidValue);
  EXPECT_TRUE(says("is not a kernel, a copy or a fill")) << report_;
}

}  // namespace
