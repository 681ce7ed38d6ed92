// Graphs as a program builds and looks at them, node by node.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <utility>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/graphs/graph_parameters.hpp"
#include "emulator/src/streams/graph.hpp"
#include "emulator/src/transfers/symbols.hpp"

namespace {

using namespace warplab::emulator;

// Runs `body` with the graph of a handle.
template <class Body>
cudaError_t with_graph(const char* function, cudaGraph_t handle, Body&& body) {
  return api_call([&] {
    const std::shared_ptr<Graph> graph = find_graph(handle);
    if (graph) return body(graph);
    report("%s: the graph was destroyed, or was never made", function);
    return cudaErrorInvalidValue;
  });
}

template <class Body>
cudaError_t with_node(cudaGraphNode_t handle, Body&& body) {
  return api_call([&] {
    GraphNode* const node = find_node(handle);
    return node ? body(*node) : cudaErrorInvalidValue;
  });
}

// The nodes of a list, which must be different ones of this graph.
cudaError_t take_list(const char* function, const Graph& graph, const cudaGraphNode_t* handles,
                      std::size_t count, std::vector<GraphNode*>& nodes) {
  if (count != 0 && !handles) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    GraphNode* const node = find_node(handles[i]);
    if (!node || node->graph != &graph || std::find(nodes.begin(), nodes.end(), node) != nodes.end()) {
      report("%s: dependency %zu is %s", function, i,
             !node                   ? "a node that was destroyed, or was never made"
             : node->graph != &graph ? "a node of another graph"
                                     : "in the list twice");
      return cudaErrorInvalidValue;
    }
    nodes.push_back(node);
  }
  return cudaSuccess;
}

// Adds a node; `describe_into` says what it does.
template <class Describe>
cudaError_t add_node(const char* function, cudaGraphNode_t* node, cudaGraph_t handle,
                     const cudaGraphNode_t* after, std::size_t count, Describe&& describe_into) {
  return with_graph(function, handle, [&](const std::shared_ptr<Graph>& graph) {
    if (!node) return cudaErrorInvalidValue;
    std::vector<GraphNode*> needed;
    if (const cudaError_t error = take_list(function, *graph, after, count, needed)) return error;
    NodeWork work;
    if (const cudaError_t error = describe_into(work)) return error;
    *node = graph->add(std::move(work), std::move(needed))->handle;
    return cudaSuccess;
  });
}

// As CUDA fills lists: without one it gives the count, and what is beyond the end is null.
cudaError_t give_list(const std::vector<cudaGraphNode_t>& found, cudaGraphNode_t* to, std::size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  if (to) {
    for (std::size_t i = 0; i < *count; ++i) to[i] = i < found.size() ? found[i] : nullptr;
    *count = std::min(*count, found.size());
  } else {
    *count = found.size();
  }
  return cudaSuccess;
}

template <class Keep>
std::vector<cudaGraphNode_t> handles_where(const Graph& graph, Keep&& keep_node) {
  std::vector<cudaGraphNode_t> found;
  for (const auto& node : graph.nodes)
    if (keep_node(*node)) found.push_back(node->handle);
  return found;
}

bool waits_for(const GraphNode& node, const GraphNode& needed) {
  return std::find(node.after.begin(), node.after.end(), &needed) != node.after.end();
}

// Both ends of an edge, which must be different nodes of the graph.
cudaError_t find_ends(const char* function, const Graph& graph, cudaGraphNode_t from, cudaGraphNode_t to,
                      std::pair<GraphNode*, GraphNode*>& ends) {
  std::vector<GraphNode*> nodes;
  const cudaGraphNode_t both[] = {from, to};
  if (const cudaError_t error = take_list(function, graph, both, 2, nodes)) return error;
  ends = {nodes[0], nodes[1]};
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return api_call([&] {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    *graph = keep(create_graph());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api_call([&] { return forget(graph) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t handle) {
  return with_graph("cudaGraphClone", handle, [&](const auto& graph) {
    if (!clone) return cudaErrorInvalidValue;
    *clone = keep(copy_of(*graph, CopyFor::program));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  return with_graph("cudaGraphNodeFindInClone", clone, [&](const auto& graph) {
    if (!node) return cudaErrorInvalidValue;
    for (const auto& known : graph->nodes)
      if (original && known->original == original) {
        *node = known->handle;
        return cudaSuccess;
      }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaKernelNodeParams* parameters) {
  return add_node("cudaGraphAddKernelNode", node, graph, after, count,
                  [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemcpy3DParms* parameters) {
  return add_node("cudaGraphAddMemcpyNode", node, graph, after, count,
                  [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  return add_node("cudaGraphAddMemcpyNode1D", node, graph, after, count,
                  [&](NodeWork& work) { return describe_copy(work, to, from, bytes, kind); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemsetParams* parameters) {
  return add_node("cudaGraphAddMemsetNode", node, graph, after, count,
                  [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t count, const cudaHostNodeParams* parameters) {
  return add_node("cudaGraphAddHostNode", node, graph, after, count,
                  [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       std::size_t count, cudaGraph_t child) {
  return add_node("cudaGraphAddChildGraphNode", node, graph, after, count, [&](NodeWork& work) {
    const std::shared_ptr<Graph> found = find_graph(child);
    if (!found || child == graph) return cudaErrorInvalidValue;
    work = copy_of(*found, CopyFor::program);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  std::size_t count) {
  return add_node("cudaGraphAddEmptyNode", node, graph, after, count, [](NodeWork&) { return cudaSuccess; });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, std::size_t count, cudaEvent_t event) {
  return add_node("cudaGraphAddEventRecordNode", node, graph, after, count, [&](NodeWork& work) {
    return describe(work, EventWork{event, false});
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      std::size_t count, cudaEvent_t event) {
  return add_node("cudaGraphAddEventWaitNode", node, graph, after, count, [&](NodeWork& work) {
    return describe(work, EventWork{event, true});
  });
}

namespace warplab::emulator {

cudaError_t add_copy_to_symbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                               std::size_t count, SymbolReference symbol, const void* from, std::size_t bytes,
                               std::size_t offset, cudaMemcpyKind kind) {
  constexpr char function[] = "cudaGraphAddMemcpyNodeToSymbol";
  return add_node(function, node, graph, after, count, [&](NodeWork& work) {
    Transfer copy;
    const cudaError_t error = describe_copy_to_symbol(function, symbol, from, bytes, offset, kind, copy);
    return error != cudaSuccess ? error : set_transfer(work, copy);
  });
}

cudaError_t add_copy_from_symbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t count, void* to, SymbolReference symbol, std::size_t bytes,
                                 std::size_t offset, cudaMemcpyKind kind) {
  constexpr char function[] = "cudaGraphAddMemcpyNodeFromSymbol";
  return add_node(function, node, graph, after, count, [&](NodeWork& work) {
    Transfer copy;
    const cudaError_t error = describe_copy_from_symbol(function, to, symbol, bytes, offset, kind, copy);
    return error != cudaSuccess ? error : set_transfer(work, copy);
  });
}

}  // namespace warplab::emulator

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return with_node(handle, [](GraphNode& node) {
    if (node.graph->growing) return cudaErrorInvalidValue;
    node.graph->remove(&node);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, std::size_t count) {
  return with_graph("cudaGraphAddDependencies", handle, [&](const auto& graph) {
    if (count != 0 && (!from || !to)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      std::pair<GraphNode*, GraphNode*> ends;
      if (const cudaError_t error = find_ends("cudaGraphAddDependencies", *graph, from[i], to[i], ends))
        return error;
      if (waits_for(*ends.second, *ends.first)) {
        report("cudaGraphAddDependencies: edge %zu is there already", i);
        return cudaErrorInvalidValue;
      }
      ends.second->after.push_back(ends.first);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, std::size_t count) {
  return with_graph("cudaGraphRemoveDependencies", handle, [&](const auto& graph) {
    if (count != 0 && (!from || !to)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      std::pair<GraphNode*, GraphNode*> ends;
      if (const cudaError_t error = find_ends("cudaGraphRemoveDependencies", *graph, from[i], to[i], ends))
        return error;
      if (std::erase(ends.second->after, ends.first) == 0) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
  return with_graph("cudaGraphGetNodes", handle, [&](const auto& graph) {
    return give_list(handles_where(*graph, [](const GraphNode&) { return true; }), nodes, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
  return with_graph("cudaGraphGetRootNodes", handle, [&](const auto& graph) {
    return give_list(handles_where(*graph, [](const GraphNode& node) { return node.after.empty(); }), nodes,
                     count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              std::size_t* count) {
  return with_graph("cudaGraphGetEdges", handle, [&](const auto& graph) {
    if (!count || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> begins, ends;
    for (const auto& node : graph->nodes)
      for (const GraphNode* needed : node->after) {
        begins.push_back(needed->handle);
        ends.push_back(node->handle);
      }
    std::size_t room = *count;
    if (const cudaError_t error = give_list(begins, from, count)) return error;
    return give_list(ends, to, &room);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
  return with_node(handle, [&](const GraphNode& node) {
    const auto comes_before = [&](const GraphNode& other) { return waits_for(node, other); };
    return give_list(handles_where(*node.graph, comes_before), nodes, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                           std::size_t* count) {
  return with_node(handle, [&](const GraphNode& node) {
    const auto comes_after = [&](const GraphNode& other) { return waits_for(other, node); };
    return give_list(handles_where(*node.graph, comes_after), nodes, count);
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return with_node(handle, [&](const GraphNode& node) {
    if (!type) return cudaErrorInvalidValue;
    *type = node.type();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t* graph) {
  return with_node(handle, [&](const GraphNode& node) {
    const auto* const child = std::get_if<std::shared_ptr<Graph>>(&node.work);
    if (!graph || !child) return cudaErrorInvalidValue;
    *graph = (*child)->handle;
    return cudaSuccess;
  });
}
