// CUDA graphs, captured from streams and built node by node: ordinary CUDA that a GPU passes too.

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

__global__ void add(int* x, int what) { x[threadIdx.x] += what; }
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
template <class T>
__global__ void copy_scaled(T* to, const T* from, T factor) {
  to[threadIdx.x] = factor * from[threadIdx.x];
}

class Graphs : public ::testing::Test {
 protected:
  Graphs() { EXPECT_EQ(cudaStreamCreate(&stream_), cudaSuccess); }
  ~Graphs() override {
    for (const cudaGraphExec_t exec : made_) EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }

  void begin() { ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess); }
  cudaGraph_t end() {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    return graph;
  }
  cudaGraphExec_t instantiate(cudaGraph_t graph) {
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    made_.push_back(exec);
    return exec;
  }
  // Launches so many times, and waits.
  void launch(cudaGraphExec_t exec, int times = 1) {
    for (int i = 0; i < times; ++i) ASSERT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  }
  static std::size_t count_of(cudaGraph_t graph) {
    std::size_t count = 0;
    EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
    return count;
  }
  static std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
    std::size_t count = count_of(graph);
    std::vector<cudaGraphNode_t> nodes(count);
    EXPECT_EQ(cudaGraphGetNodes(graph, nodes.data(), &count), cudaSuccess);
    return nodes;
  }
  static cudaGraphNodeType type_of(cudaGraphNode_t node) {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    EXPECT_EQ(cudaGraphNodeGetType(node, &type), cudaSuccess);
    return type;
  }

  cudaStream_t stream_ = nullptr;

 private:
  std::vector<cudaGraphExec_t> made_;
};

TEST_F(Graphs, CapturedWorkRunsOnlyWhenItsGraphIsLaunched) {
  const DeviceArray<int> x{1, 2};
  cudaStreamCaptureStatus status;
  begin();
  ASSERT_EQ(cudaStreamIsCapturing(stream_, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  add<<<1, 2, 0, stream_>>>(x.data(), 10);
  twice<<<1, 2, 0, stream_>>>(x.data());
  const cudaGraph_t graph = end();
  ASSERT_EQ(cudaStreamIsCapturing(stream_, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  EXPECT_EQ(x.host(), (std::vector<int>{1, 2}));
  EXPECT_EQ(count_of(graph), 2u);
  const cudaGraphExec_t exec = instantiate(graph);
  EXPECT_EQ(x.host(), (std::vector<int>{1, 2}));
  launch(exec, 2);
  EXPECT_EQ(x.host(), (std::vector<int>{64, 68}));
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  launch(exec);  // an executable graph does not need its graph
  EXPECT_EQ(x.host(), (std::vector<int>{148, 156}));
}

int calls = 0;
void count_call(void* by) { calls += *static_cast<int*>(by); }

TEST_F(Graphs, CopiesFillsAndHostFunctionsAreCaptured) {
  const DeviceArray<int> x(4);
  int *from = nullptr, *to = nullptr, by = 3;
  ASSERT_EQ(cudaMallocHost(&from, 4 * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&to, 4 * sizeof(int)), cudaSuccess);
  calls = 0;
  begin();
  ASSERT_EQ(cudaMemcpyAsync(x.data(), from, 4 * sizeof(int), cudaMemcpyHostToDevice, stream_), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(x.data() + 1, 0, sizeof(int), stream_), cudaSuccess);
  add<<<1, 4, 0, stream_>>>(x.data(), 5);
  ASSERT_EQ(cudaMemcpyAsync(to, x.data(), 4 * sizeof(int), cudaMemcpyDeviceToHost, stream_), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(stream_, count_call, &by), cudaSuccess);
  const cudaGraph_t graph = end();
  const auto nodes = nodes_of(graph);
  ASSERT_EQ(nodes.size(), 5u);
  const cudaGraphExec_t exec = instantiate(graph);
  for (int round = 1; round <= 2; ++round) {
    for (int i = 0; i < 4; ++i) from[i] = 100 * round + i;
    launch(exec);
    EXPECT_EQ(std::vector<int>(to, to + 4),
              (std::vector<int>{100 * round + 5, 5, 100 * round + 7, 100 * round + 8}));
    EXPECT_EQ(calls, 3 * round);
  }
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(from), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(to), cudaSuccess);
}

TEST_F(Graphs, EventsForkACaptureAndJoinIt) {
  const DeviceArray<int> x{1}, y{1}, z{0};
  cudaStream_t other;
  cudaEvent_t fork, join;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&join, cudaEventDisableTiming), cudaSuccess);
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 1);
  ASSERT_EQ(cudaEventRecord(fork, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, fork), cudaSuccess);
  copy_scaled<<<1, 1, 0, other>>>(y.data(), static_cast<const int*>(x.data()), 10);
  ASSERT_EQ(cudaEventRecord(join, other), cudaSuccess);
  copy_scaled<<<1, 1, 0, stream_>>>(z.data(), static_cast<const int*>(x.data()), 100);
  ASSERT_EQ(cudaStreamWaitEvent(stream_, join), cudaSuccess);
  add<<<1, 1, 0, stream_>>>(y.data(), 7);
  const cudaGraph_t graph = end();
  const auto nodes = nodes_of(graph);
  ASSERT_EQ(nodes.size(), 4u);
  std::size_t edges = 0, roots = 0;
  ASSERT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges), cudaSuccess);
  EXPECT_EQ(edges, 4u);
  ASSERT_EQ(cudaGraphGetRootNodes(graph, nullptr, &roots), cudaSuccess);
  EXPECT_EQ(roots, 1u);
  const cudaGraphExec_t exec = instantiate(graph);
  launch(exec, 3);
  EXPECT_EQ(x.host(), (std::vector<int>{4}));
  EXPECT_EQ(y.host(), (std::vector<int>{47}));
  EXPECT_EQ(z.host(), (std::vector<int>{400}));
  cudaStreamCaptureStatus status;
  ASSERT_EQ(cudaStreamIsCapturing(other, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(fork), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(join), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST_F(Graphs, OtherStreamsGoOnDuringACapture) {
  const DeviceArray<int> x{1};
  cudaStream_t other;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 100);
  add<<<1, 1, 0, other>>>(x.data(), 1);
  EXPECT_EQ(cudaGraphDestroy(end()), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  EXPECT_EQ(x.host(), (std::vector<int>{2}));
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST_F(Graphs, OnlyARelaxedCaptureLetsItsThreadWaitForOtherStreams) {
  cudaStream_t other;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  cudaGraph_t graph = nullptr;
  for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal}) {
    ASSERT_EQ(cudaStreamBeginCapture(stream_, mode), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(other), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
  }
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(other), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(end()), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  (void)cudaGetLastError();
}

TEST_F(Graphs, ARelaxedCaptureLetsItsThreadAllocate) {
  int* x = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&x, sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(x, 0, sizeof(int), stream_), cudaSuccess);
  const cudaGraph_t graph = end();
  EXPECT_EQ(count_of(graph), 1u);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaFree(x), cudaSuccess);
}

TEST_F(Graphs, AThreadMayLeaveItsModeForATime) {
  int* x = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  begin();
  ASSERT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaMalloc(&x, sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaGraphDestroy(end()), cudaSuccess);
  EXPECT_EQ(cudaFree(x), cudaSuccess);
}

// A graph of all types of nodes: x is copied there, a word is set, added to, copied back, and counted.
TEST_F(Graphs, NodesAreAddedOneByOne) {
  const DeviceArray<int> x(2), y(2);
  int from[2] = {1, 2}, to[2] = {}, what = 5, by = 1;
  calls = 0;
  cudaGraph_t graph;
  cudaGraphNode_t copy, fill, kernel, scale, meet, back, host;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(
      cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, x.data(), from, sizeof from, cudaMemcpyHostToDevice),
      cudaSuccess);
  cudaMemsetParams set{};
  set.dst = x.data() + 1;
  set.value = 1000;
  set.elementSize = 4;
  set.width = 1;
  set.height = 1;
  ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph, &copy, 1, &set), cudaSuccess);
  cudaKernelNodeParams run{};
  int* pointer = x.data();
  void* arguments[] = {&pointer, &what};
  run.func = (void*)add;
  run.gridDim = dim3(1);
  run.blockDim = dim3(2);
  run.kernelParams = arguments;
  ASSERT_EQ(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &run), cudaSuccess);
  what = 77;  // arguments are copied when the node is made
  int *target = y.data(), *source = x.data(), factor = 2;
  void* others[] = {&target, &source, &factor};
  run.func = reinterpret_cast<void*>(copy_scaled<int>);
  run.kernelParams = others;
  ASSERT_EQ(cudaGraphAddKernelNode(&scale, graph, &kernel, 1, &run), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&meet, graph, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddDependencies(graph, &scale, &meet, nullptr, 1), cudaSuccess);
  cudaMemcpy3DParms rows{};
  rows.srcPtr = make_cudaPitchedPtr(y.data(), sizeof to, 2, 1);
  rows.dstPtr = make_cudaPitchedPtr(to, sizeof to, 2, 1);
  rows.extent = make_cudaExtent(sizeof to, 1, 1);
  rows.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaGraphAddMemcpyNode(&back, graph, &meet, 1, &rows), cudaSuccess);
  const cudaHostNodeParams call{count_call, &by};
  ASSERT_EQ(cudaGraphAddHostNode(&host, graph, &back, 1, &call), cudaSuccess);
  EXPECT_EQ(count_of(graph), 7u);
  EXPECT_EQ(type_of(copy), cudaGraphNodeTypeMemcpy);
  EXPECT_EQ(type_of(fill), cudaGraphNodeTypeMemset);
  EXPECT_EQ(type_of(kernel), cudaGraphNodeTypeKernel);
  EXPECT_EQ(type_of(meet), cudaGraphNodeTypeEmpty);
  EXPECT_EQ(type_of(host), cudaGraphNodeTypeHost);
  launch(instantiate(graph), 2);
  EXPECT_EQ(std::vector<int>(to, to + 2), (std::vector<int>{12, 2010}));
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, EventsAreRecordedAndWaitedForByNodes) {
  const DeviceArray<int> x{1};
  cudaStream_t other;
  cudaEvent_t before, after, got = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&before), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&after), cudaSuccess);
  cudaGraph_t graph;
  cudaGraphNode_t wait, kernel, record;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, before), cudaSuccess);
  int* pointer = x.data();
  void* arguments[] = {&pointer};
  cudaKernelNodeParams run{};
  run.func = (void*)twice;
  run.gridDim = run.blockDim = dim3(1);
  run.kernelParams = arguments;
  ASSERT_EQ(cudaGraphAddKernelNode(&kernel, graph, &wait, 1, &run), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEventRecordNode(&record, graph, &kernel, 1, after), cudaSuccess);
  EXPECT_EQ(type_of(wait), cudaGraphNodeTypeWaitEvent);
  EXPECT_EQ(type_of(record), cudaGraphNodeTypeEventRecord);
  ASSERT_EQ(cudaGraphEventWaitNodeGetEvent(wait, &got), cudaSuccess);
  EXPECT_EQ(got, before);
  ASSERT_EQ(cudaGraphEventRecordNodeGetEvent(record, &got), cudaSuccess);
  EXPECT_EQ(got, after);
  const cudaGraphExec_t exec = instantiate(graph);
  add<<<1, 1, 0, other>>>(x.data(), 10);
  ASSERT_EQ(cudaEventRecord(before, other), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, after), cudaSuccess);
  add<<<1, 1, 0, other>>>(x.data(), 1);
  ASSERT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(after), cudaSuccess);
  EXPECT_EQ(x.host(), (std::vector<int>{23}));
  float milliseconds = -1;
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, before, after), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(before), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(after), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST_F(Graphs, AnExternalEventIsANodeOfACapture) {
  const DeviceArray<int> x{1};
  cudaEvent_t before, after;
  ASSERT_EQ(cudaEventCreate(&before), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&after), cudaSuccess);
  begin();
  ASSERT_EQ(cudaStreamWaitEvent(stream_, before, cudaEventWaitExternal), cudaSuccess);
  twice<<<1, 1, 0, stream_>>>(x.data());
  ASSERT_EQ(cudaEventRecordWithFlags(after, stream_, cudaEventRecordExternal), cudaSuccess);
  const cudaGraph_t graph = end();
  std::vector<cudaGraphNodeType> types;
  for (const cudaGraphNode_t node : nodes_of(graph)) types.push_back(type_of(node));
  EXPECT_EQ(types, (std::vector<cudaGraphNodeType>{cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeKernel,
                                                   cudaGraphNodeTypeEventRecord}));
  ASSERT_EQ(cudaGraphLaunch(instantiate(graph), stream_), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(after), cudaSuccess);
  EXPECT_EQ(x.host(), (std::vector<int>{2}));
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(before), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(after), cudaSuccess);
}

__device__ int table[4];
__constant__ int factors[2];
__global__ void scale_table() { table[threadIdx.x] *= factors[threadIdx.x % 2]; }

TEST_F(Graphs, VariablesAreCopiedByNodes) {
  int from[4] = {1, 2, 3, 4}, by[2] = {10, 100}, to[2] = {};
  cudaGraph_t graph;
  cudaGraphNode_t in[2], kernel, out;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemcpyNodeToSymbol(&in[0], graph, nullptr, 0, table, from, sizeof from, 0,
                                           cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemcpyNodeToSymbol(&in[1], graph, nullptr, 0, factors, by, sizeof by, 0,
                                           cudaMemcpyHostToDevice),
            cudaSuccess);
  cudaKernelNodeParams run{};
  run.func = (void*)scale_table;
  run.gridDim = dim3(1);
  run.blockDim = dim3(4);
  ASSERT_EQ(cudaGraphAddKernelNode(&kernel, graph, in, 2, &run), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &kernel, 1, to, table, sizeof to, 2 * sizeof(int),
                                             cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(type_of(in[0]), cudaGraphNodeTypeMemcpy);
  launch(instantiate(graph));
  EXPECT_EQ(std::vector<int>(to, to + 2), (std::vector<int>{30, 400}));
  EXPECT_EQ(cudaGraphAddMemcpyNodeToSymbol(&in[0], graph, nullptr, 0, table, from, sizeof from, sizeof(int),
                                           cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, WhatCopiesAndFillsDoCanBeAsked) {
  const DeviceArray<int> x(8);
  int to[4] = {};
  cudaGraph_t graph;
  cudaGraphNode_t fill, copy;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  cudaMemsetParams set{};
  set.dst = x.data();
  set.pitch = 4 * sizeof(int);
  set.value = 7;
  set.elementSize = 4;
  set.width = 2;
  set.height = 2;
  ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set), cudaSuccess);
  cudaMemcpy3DParms rows{};
  rows.srcPtr = make_cudaPitchedPtr(x.data(), 4 * sizeof(int), 4, 2);
  rows.dstPtr = make_cudaPitchedPtr(to, 2 * sizeof(int), 2, 2);
  rows.extent = make_cudaExtent(2 * sizeof(int), 2, 1);
  rows.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaGraphAddMemcpyNode(&copy, graph, &fill, 1, &rows), cudaSuccess);
  cudaMemsetParams filled{};
  ASSERT_EQ(cudaGraphMemsetNodeGetParams(fill, &filled), cudaSuccess);
  EXPECT_EQ(filled.dst, x.data());
  EXPECT_EQ(filled.pitch, 4 * sizeof(int));
  EXPECT_EQ(filled.value, 7u);
  EXPECT_EQ(filled.elementSize, 4u);
  EXPECT_EQ(filled.width, 2u);
  EXPECT_EQ(filled.height, 2u);
  cudaMemcpy3DParms copied{};
  ASSERT_EQ(cudaGraphMemcpyNodeGetParams(copy, &copied), cudaSuccess);
  EXPECT_EQ(copied.srcArray, nullptr);
  EXPECT_EQ(copied.srcPtr.ptr, x.data());
  EXPECT_EQ(copied.srcPtr.pitch, 4 * sizeof(int));
  EXPECT_EQ(copied.dstPtr.ptr, to);
  EXPECT_EQ(copied.extent.width, 2 * sizeof(int));
  EXPECT_EQ(copied.extent.height, 2u);
  EXPECT_EQ(copied.extent.depth, 1u);
  EXPECT_EQ(copied.kind, cudaMemcpyDeviceToHost);
  ASSERT_EQ(cudaGraphMemcpyNodeSetParams(copy, &copied), cudaSuccess);
  ASSERT_EQ(cudaGraphMemsetNodeSetParams(fill, &filled), cudaSuccess);
  launch(instantiate(graph));
  EXPECT_EQ(std::vector<int>(to, to + 4), std::vector<int>(4, 7));
  EXPECT_EQ(cudaGraphMemcpyNodeGetParams(fill, &copied), cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, ACopyOfAnArrayNamesTheArray) {
  const int from[6] = {1, 2, 3, 4, 5, 6};
  int to[2] = {};
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  ASSERT_EQ(cudaMallocArray(&array, &format, 3, 2), cudaSuccess);
  ASSERT_EQ(
      cudaMemcpy2DToArray(array, 0, 0, from, 3 * sizeof(int), 3 * sizeof(int), 2, cudaMemcpyHostToDevice),
      cudaSuccess);
  cudaMemcpy3DParms part{}, got{};
  part.srcArray = array;
  part.srcPos = make_cudaPos(1, 1, 0);
  part.dstPtr = make_cudaPitchedPtr(to, sizeof to, 2, 1);
  part.extent = make_cudaExtent(2, 1, 1);
  part.kind = cudaMemcpyDeviceToHost;
  cudaGraph_t graph;
  cudaGraphNode_t copy;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemcpyNode(&copy, graph, nullptr, 0, &part), cudaSuccess);
  ASSERT_EQ(cudaGraphMemcpyNodeGetParams(copy, &got), cudaSuccess);
  EXPECT_EQ(got.srcArray, array);
  EXPECT_EQ(got.srcPos.x, 1u);
  EXPECT_EQ(got.srcPos.y, 1u);
  EXPECT_EQ(got.extent.width, 2u);
  ASSERT_EQ(cudaGraphMemcpyNodeSetParams(copy, &got), cudaSuccess);
  launch(instantiate(graph));
  EXPECT_EQ(std::vector<int>(to, to + 2), (std::vector<int>{5, 6}));
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST_F(Graphs, ANodeCanBeSwitchedOff) {
  const DeviceArray<int> x{1};
  int by = 1;
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 10);
  twice<<<1, 1, 0, stream_>>>(x.data());
  ASSERT_EQ(cudaLaunchHostFunc(stream_, count_call, &by), cudaSuccess);
  const cudaGraph_t graph = end();
  const auto nodes = nodes_of(graph);
  const cudaGraphExec_t exec = instantiate(graph);
  unsigned is_enabled = 77;
  ASSERT_EQ(cudaGraphNodeGetEnabled(exec, nodes[0], &is_enabled), cudaSuccess);
  EXPECT_EQ(is_enabled, 1u);
  ASSERT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
  ASSERT_EQ(cudaGraphNodeSetEnabled(exec, nodes[0], 0), cudaSuccess);  // not for the launch that waits
  ASSERT_EQ(cudaGraphNodeGetEnabled(exec, nodes[0], &is_enabled), cudaSuccess);
  EXPECT_EQ(is_enabled, 0u);
  launch(exec);
  EXPECT_EQ(x.host(), (std::vector<int>{44}));
  ASSERT_EQ(cudaGraphNodeSetEnabled(exec, nodes[0], 1), cudaSuccess);
  launch(exec);
  EXPECT_EQ(x.host(), (std::vector<int>{108}));
  EXPECT_EQ(cudaGraphNodeSetEnabled(exec, nodes[2], 0), cudaErrorInvalidValue) << "a host node";
  cudaGetLastError();
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, AGraphIsWrittenForGraphviz) {
  const DeviceArray<int> x{1};
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 10);
  ASSERT_EQ(cudaMemsetAsync(x.data(), 0, sizeof(int), stream_), cudaSuccess);
  const cudaGraph_t graph = end();
  const std::string path = testing::TempDir() + "graph_" + std::to_string(getpid()) + ".dot";
  ASSERT_EQ(cudaGraphDebugDotPrint(graph, path.c_str(), cudaGraphDebugDotFlagsVerbose), cudaSuccess);
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(text.rfind("digraph dot {", 0), 0u) << text;
  for (const char* const part : {"add", "MEMSET", "\" -> \""})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  EXPECT_EQ(std::remove(path.c_str()), 0);
  EXPECT_NE(cudaGraphDebugDotPrint(graph, "/there/is/no/such/folder/graph.dot", 0), cudaSuccess);
  cudaGetLastError();
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, AChildGraphIsANode) {
  const DeviceArray<int> x{1};
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 1);
  const cudaGraph_t child = end();
  cudaGraph_t graph, inside = nullptr;
  cudaGraphNode_t first, second;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddChildGraphNode(&first, graph, nullptr, 0, child), cudaSuccess);
  ASSERT_EQ(cudaGraphAddChildGraphNode(&second, graph, &first, 1, child), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(child), cudaSuccess);  // the nodes have copies
  EXPECT_EQ(type_of(second), cudaGraphNodeTypeGraph);
  ASSERT_EQ(cudaGraphChildGraphNodeGetGraph(second, &inside), cudaSuccess);
  EXPECT_EQ(count_of(inside), 1u);
  launch(instantiate(graph));
  EXPECT_EQ(x.host(), (std::vector<int>{3}));
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, ACapturedStreamLaunchesNoGraph) {
  begin();
  const cudaGraph_t inner = end();
  const cudaGraphExec_t exec = instantiate(inner);
  begin();
  EXPECT_EQ(cudaGraphLaunch(exec, stream_), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t outer = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream_, &outer), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaGraphDestroy(inner), cudaSuccess);
  (void)cudaGetLastError();
}

TEST_F(Graphs, ACloneIsAGraphOfItsOwn) {
  const DeviceArray<int> x{1};
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 1);
  twice<<<1, 1, 0, stream_>>>(x.data());
  const cudaGraph_t graph = end();
  const auto nodes = nodes_of(graph);
  cudaGraph_t clone;
  cudaGraphNode_t cloned = nullptr;
  ASSERT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
  ASSERT_EQ(cudaGraphNodeFindInClone(&cloned, nodes[1], clone), cudaSuccess);
  EXPECT_NE(cloned, nodes[1]);
  ASSERT_EQ(cudaGraphDestroyNode(cloned), cudaSuccess);
  EXPECT_EQ(count_of(clone), 1u);
  EXPECT_EQ(count_of(graph), 2u);
  launch(instantiate(clone));
  EXPECT_EQ(x.host(), (std::vector<int>{2}));
  launch(instantiate(graph));
  EXPECT_EQ(x.host(), (std::vector<int>{6}));
  EXPECT_EQ(cudaGraphDestroy(clone), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, EdgesCanBeTakenAwayAndTurnedRound) {
  const DeviceArray<int> x{1};
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 1);
  twice<<<1, 1, 0, stream_>>>(x.data());
  const cudaGraph_t graph = end();
  const auto nodes = nodes_of(graph);
  const cudaGraphNode_t sum = nodes[0], product = nodes[1];
  ASSERT_EQ(cudaGraphRemoveDependencies(graph, &sum, &product, nullptr, 1), cudaSuccess);
  ASSERT_EQ(cudaGraphAddDependencies(graph, &product, &sum, nullptr, 1), cudaSuccess);
  launch(instantiate(graph));
  EXPECT_EQ(x.host(), (std::vector<int>{3}));
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, AKernelsArgumentsChangeBetweenLaunches) {
  const DeviceArray<int> x{0}, y{0};
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 1);
  const cudaGraph_t graph = end();
  const cudaGraphNode_t node = nodes_of(graph).at(0);
  const cudaGraphExec_t exec = instantiate(graph);
  cudaKernelNodeParams parameters{};
  ASSERT_EQ(cudaGraphKernelNodeGetParams(node, &parameters), cudaSuccess);
  EXPECT_EQ(parameters.gridDim.x, 1u);
  EXPECT_EQ(*static_cast<int*>(parameters.kernelParams[1]), 1);
  ASSERT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);  // with what it has now
  int *pointer = y.data(), what = 30;
  void* arguments[] = {&pointer, &what};
  parameters.kernelParams = arguments;
  ASSERT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &parameters), cudaSuccess);
  launch(exec);
  EXPECT_EQ(x.host(), (std::vector<int>{1}));
  EXPECT_EQ(y.host(), (std::vector<int>{30}));
  launch(instantiate(graph));  // the graph itself has not changed
  EXPECT_EQ(x.host(), (std::vector<int>{2}));
  ASSERT_EQ(cudaGraphKernelNodeSetParams(node, &parameters), cudaSuccess);
  launch(instantiate(graph));
  EXPECT_EQ(y.host(), (std::vector<int>{60}));
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, AnExecutableGraphIsUpdatedFromACaptureLikeIt) {
  const DeviceArray<int> x{0};
  cudaGraphExec_t exec = nullptr;
  for (int i = 1; i <= 3; ++i) {
    begin();
    add<<<1, 1, 0, stream_>>>(x.data(), i);
    twice<<<1, 1, 0, stream_>>>(x.data());
    const cudaGraph_t graph = end();
    cudaGraphExecUpdateResultInfo info{};
    if (!exec)
      exec = instantiate(graph);
    else
      ASSERT_EQ(cudaGraphExecUpdate(exec, graph, &info), cudaSuccess);
    EXPECT_EQ(info.result, cudaGraphExecUpdateSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    launch(exec);
  }
  EXPECT_EQ(x.host(), (std::vector<int>{((0 + 1) * 2 + 2) * 2 * 2 + 6}));
}

TEST_F(Graphs, OtherNodesOrEdgesAreNoUpdate) {
  const DeviceArray<int> x{0};
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 1);
  const cudaGraph_t one = end();
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 1);
  twice<<<1, 1, 0, stream_>>>(x.data());
  const cudaGraph_t two = end();
  begin();
  ASSERT_EQ(cudaMemsetAsync(x.data(), 0, 4, stream_), cudaSuccess);
  const cudaGraph_t fill = end();
  const cudaGraphExec_t exec = instantiate(one);
  cudaGraphExecUpdateResultInfo info{};
  EXPECT_EQ(cudaGraphExecUpdate(exec, two, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(cudaGraphExecUpdate(exec, fill, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(cudaGetLastError(), cudaErrorGraphExecUpdateFailure);
  launch(exec);  // it is as it was
  EXPECT_EQ(x.host(), (std::vector<int>{1}));
  for (const cudaGraph_t graph : {one, two, fill}) EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Graphs, LaunchesOfOneExecutableGraphNeverOverlap) {
  const DeviceArray<int> x{1};
  cudaStream_t other;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  begin();
  add<<<1, 1, 0, stream_>>>(x.data(), 1);
  twice<<<1, 1, 0, stream_>>>(x.data());
  const cudaGraph_t graph = end();
  const cudaGraphExec_t exec = instantiate(graph);
  for (int i = 0; i < 4; ++i) ASSERT_EQ(cudaGraphLaunch(exec, i % 2 ? other : stream_), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(other), cudaSuccess);  // the last: it waits for the others
  EXPECT_EQ(x.host(), (std::vector<int>{46}));
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

}  // namespace
