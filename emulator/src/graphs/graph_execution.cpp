// Executable graphs: made from graphs, launched into streams, changed between launches.
#include "emulator/src/graphs/graph_execution.hpp"

#include <cuda_runtime_api.h>

#include <memory>
#include <unordered_map>
#include <utility>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/graphs/graph_parameters.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/events.hpp"
#include "emulator/src/streams/graph.hpp"
#include "emulator/src/streams/stream_capture.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace warplab::emulator {
namespace {

struct ExecutableGraph {
  std::shared_ptr<Graph> graph;  ///< launches that wait hold it too, and see no later change
  Point last_launch;             ///< launches of one executable graph never overlap
};

// Never destroyed: static destructors may still use the device.
std::unordered_map<cudaGraphExec_t, ExecutableGraph>& executables() {
  static auto& instance = *new std::unordered_map<cudaGraphExec_t, ExecutableGraph>;
  return instance;
}

// Runs `body` with the executable graph of a handle.
template <class Body>
cudaError_t with_exec(const char* function, cudaGraphExec_t handle, Body&& body) {
  return api_call([&] {
    const auto found = executables().find(handle);
    if (found != executables().end()) return body(found->second);
    report("%s: the executable graph was destroyed, or was never made by cudaGraphInstantiate", function);
    return cudaErrorInvalidValue;
  });
}

// A node that waits for itself through others, or null.
const GraphNode* node_in_a_circle(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (ancestors_of(node->after).contains(node.get())) return node.get();
    if (const auto* const child = std::get_if<std::shared_ptr<Graph>>(&node->work))
      if (const GraphNode* const found = node_in_a_circle(**child)) return found;
  }
  return nullptr;
}

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t handle, unsigned long long flags,
                        cudaGraphNode_t* error_node) {
  return api_call([&] {
    const std::shared_ptr<Graph> graph = find_graph(handle);
    if (!exec || !graph || graph->growing) return cudaErrorInvalidValue;
    if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
      report("cudaGraphInstantiate: kernels can't launch graphs here (cudaGraphInstantiateFlagDeviceLaunch)");
      return cudaErrorNotSupported;
    }
    if (const GraphNode* const node = node_in_a_circle(*graph)) {
      if (error_node) *error_node = node->handle;
      report(
          "cudaGraphInstantiate: a node of the graph waits for itself, through the nodes that it waits for");
      return cudaErrorInvalidValue;
    }
    static std::uintptr_t next_handle = 1;  // under the device lock; none is ever given out twice
    *exec = reinterpret_cast<cudaGraphExec_t>(++next_handle * 16 + 2);
    executables()[*exec].graph = copy_of(*graph, CopyFor::execution);
    return cudaSuccess;
  });
}

// Where memory of a copy or a fill is must stay as it was.
bool same_sides(const Transfer& a, const Transfer& b) {
  return space_of(a.to) == space_of(b.to) && (!a.from || space_of(a.from) == space_of(b.from));
}

cudaGraphExecUpdateResult compare(const GraphNode& old_node, const GraphNode& new_node) {
  if (old_node.type() != new_node.type()) return cudaGraphExecUpdateErrorNodeTypeChanged;
  const auto* const transfer = std::get_if<Transfer>(&old_node.work);
  if (transfer && !same_sides(*transfer, std::get<Transfer>(new_node.work)))
    return cudaGraphExecUpdateErrorParametersChanged;
  return cudaGraphExecUpdateSuccess;
}

// The positions of the nodes that a node waits for.
std::vector<std::size_t> positions_before(const Graph& graph, const GraphNode& node) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    for (const GraphNode* needed : node.after)
      if (needed == graph.nodes[i].get()) found.push_back(i);
  return found;
}

// Whether `graph` has the same nodes and edges, in the order in which they were made.
cudaGraphExecUpdateResultInfo compare(const Graph& old_graph, const Graph& graph) {
  if (old_graph.nodes.size() != graph.nodes.size())
    return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode &old_node = *old_graph.nodes[i], &node = *graph.nodes[i];
    if (const cudaGraphExecUpdateResult result = compare(old_node, node))
      return {result, node.handle, nullptr};
    if (positions_before(old_graph, old_node) != positions_before(graph, node))
      return {cudaGraphExecUpdateErrorTopologyChanged, node.handle, nullptr};
    const auto* const old_child = std::get_if<std::shared_ptr<Graph>>(&old_node.work);
    if (!old_child) continue;
    const auto inner = compare(**old_child, *std::get<std::shared_ptr<Graph>>(node.work));
    if (inner.result != cudaGraphExecUpdateSuccess) return inner;
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

// Takes over what the nodes do. The executable graph's nodes keep their handles.
void take_work(Graph& to, const Graph& from) {
  for (std::size_t i = 0; i < to.nodes.size(); ++i) {
    if (auto* const child = std::get_if<std::shared_ptr<Graph>>(&to.nodes[i]->work))
      take_work(**child, *std::get<std::shared_ptr<Graph>>(from.nodes[i]->work));
    else
      to.nodes[i]->work = from.nodes[i]->work, to.nodes[i]->device = from.nodes[i]->device;
  }
}

const char* text_of(cudaGraphExecUpdateResult result) {
  switch (result) {
    case cudaGraphExecUpdateErrorTopologyChanged:
      return "has other nodes or edges, or made them in another order";
    case cudaGraphExecUpdateErrorNodeTypeChanged:
      return "has a node of another type";
    default:
      return "copies between other kinds of memory";
  }
}

// Runs `body` with each event of the graph and of its child graphs.
template <class Body>
void for_each_event(const Graph& graph, Body&& body) {
  for (const auto& node : graph.nodes)
    if (const auto* const event = std::get_if<EventWork>(&node->work))
      body(*event);
    else if (const auto* const child = std::get_if<std::shared_ptr<Graph>>(&node->work))
      for_each_event(**child, body);
}

// Runs `body` with a node of the executable graph, which may be changed: launches that wait have their own.
template <class Body>
cudaError_t with_exec_node(const char* function, cudaGraphExec_t exec, cudaGraphNode_t handle, Body&& body) {
  return with_exec(function, exec, [&](ExecutableGraph& executable) {
    std::shared_ptr<Graph>& graph = executable.graph;
    if (graph.use_count() > 1)
      graph = copy_of(*graph, CopyFor::execution);  // a launch waits with the old one
    return body(handle ? find_within(*graph, handle) : nullptr);
  });
}

// Changes what a node of the executable graph does, for later launches.
template <class Describe>
cudaError_t change(const char* function, cudaGraphExec_t exec, cudaGraphNode_t handle, cudaGraphNodeType type,
                   Describe&& describe_into) {
  return with_exec_node(function, exec, handle, [&](GraphNode* node) {
    if (!node || node->type() != type) {
      report("%s: the node is not one of that type in the graph that was instantiated", function);
      return cudaErrorInvalidValue;
    }
    return describe_into(node->work);
  });
}

// Whether a node can be switched off; explains why not.
bool has_switch(const char* function, const GraphNode* node) {
  if (node && node->type() <= cudaGraphNodeTypeMemset) return true;
  report("%s: the node is not a kernel, a copy or a fill of the graph that was instantiated", function);
  return false;
}

}  // namespace

void drop_executable_graphs() { executables().clear(); }

}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return instantiate(exec, graph, flags, nullptr);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                 char* log, std::size_t log_bytes) {
  if (log && log_bytes) *log = '\0';
  return instantiate(exec, graph, 0, error_node);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return instantiate(exec, graph, flags, nullptr);
}

// There is nothing to upload.
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return with_exec("cudaGraphUpload", exec, [&](ExecutableGraph&) {
    return find_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle) {
  return with_exec("cudaGraphLaunch", exec, [&](ExecutableGraph& executable) {
    const std::shared_ptr<Stream> stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = refuse_node("cudaGraphLaunch", *stream,  // as an H100 does, CUDA 13.0
                                              "add its graph to one by cudaGraphAddChildGraphNode"))
      return error;
    Operation operation{
        [graph = executable.graph] { return run_graph(*graph); }, {}, Operation::Kind::launch};
    if (executable.last_launch.stream) operation.after.push_back(executable.last_launch);
    for_each_event(*executable.graph, [&](const EventWork& work) {
      if (const auto point = work.waits ? recorded_point(work.event) : std::nullopt)
        operation.after.push_back(*point);
    });
    if (const cudaError_t error = push(stream, std::move(operation))) return error;
    executable.last_launch = end_of(stream);
    for_each_event(*executable.graph, [&](const EventWork& work) {
      if (!work.waits) record_at(work.event, executable.last_launch);
    });
    return cudaSuccess;
  });
}

// Launches that wait still run.
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return with_exec("cudaGraphExecDestroy", exec, [&](ExecutableGraph&) {
    executables().erase(exec);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t handle,
                                cudaGraphExecUpdateResultInfo* info) {
  return with_exec("cudaGraphExecUpdate", exec, [&](ExecutableGraph& executable) {
    const std::shared_ptr<Graph> graph = find_graph(handle);
    if (!graph || !info) return cudaErrorInvalidValue;
    *info = compare(*executable.graph, *graph);
    if (info->result != cudaGraphExecUpdateSuccess) {
      report("cudaGraphExecUpdate: the new graph %s; instantiate it instead", text_of(info->result));
      return cudaErrorGraphExecUpdateFailure;
    }
    executable.graph = copy_of(*executable.graph, CopyFor::execution);
    take_work(*executable.graph, *graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{cudaGraphExecUpdateError, nullptr, nullptr};
  const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (result) *result = info.result;
  return error;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return change("cudaGraphExecKernelNodeSetParams", exec, node, cudaGraphNodeTypeKernel,
                [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return change("cudaGraphExecMemcpyNodeSetParams", exec, node, cudaGraphNodeTypeMemcpy,
                [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return change("cudaGraphExecMemcpyNodeSetParams1D", exec, node, cudaGraphNodeTypeMemcpy,
                [&](NodeWork& work) { return describe_copy(work, to, from, bytes, kind); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return change("cudaGraphExecMemsetNodeSetParams", exec, node, cudaGraphNodeTypeMemset,
                [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return change("cudaGraphExecHostNodeSetParams", exec, node, cudaGraphNodeTypeHost,
                [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  constexpr char function[] = "cudaGraphExecChildGraphNodeSetParams";
  return change(function, exec, node, cudaGraphNodeTypeGraph, [&](NodeWork& work) {
    const std::shared_ptr<Graph> graph = find_graph(child);
    if (!graph) return cudaErrorInvalidValue;
    Graph& inner = *std::get<std::shared_ptr<Graph>>(work);
    if (const auto result = compare(inner, *graph).result; result != cudaGraphExecUpdateSuccess) {
      report("%s: the new graph %s", function, text_of(result));
      return cudaErrorInvalidValue;
    }
    take_work(inner, *graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return change("cudaGraphExecEventRecordNodeSetEvent", exec, node, cudaGraphNodeTypeEventRecord,
                [&](NodeWork& work) {
                  return describe(work, EventWork{event, false});
                });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return change("cudaGraphExecEventWaitNodeSetEvent", exec, node, cudaGraphNodeTypeWaitEvent,
                [&](NodeWork& work) {
                  return describe(work, EventWork{event, true});
                });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t handle, unsigned int is_enabled) {
  constexpr char function[] = "cudaGraphNodeSetEnabled";
  return with_exec_node(function, exec, handle, [&](GraphNode* node) {
    if (!has_switch(function, node)) return cudaErrorInvalidValue;
    node->is_enabled = is_enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t handle, unsigned int* is_enabled) {
  constexpr char function[] = "cudaGraphNodeGetEnabled";
  return with_exec_node(function, exec, handle, [&](const GraphNode* node) {
    if (!is_enabled || !has_switch(function, node)) return cudaErrorInvalidValue;
    *is_enabled = node->is_enabled;
    return cudaSuccess;
  });
}
