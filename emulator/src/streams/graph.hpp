#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_set>
#include <variant>
#include <vector>

#include "emulator/src/streams/transfer.hpp"
#include "warplab_emulator/launch/launch.hpp"

namespace warplab::emulator {

struct Graph;

/// Work of a library that was captured: it has no parameters to look at.
struct LibraryWork {
  std::function<cudaError_t()> run;
};

/// Records an event, or waits for it.
struct EventWork {
  cudaEvent_t event = nullptr;
  bool waits = false;
};

/// What a node does: nothing, a launch, a copy or fill, a call of the host, a graph, a library's work, or
/// something with an event.
using NodeWork = std::variant<std::monostate, std::shared_ptr<const Launch>, Transfer, cudaHostNodeParams,
                              std::shared_ptr<Graph>, LibraryWork, EventWork>;

/// Work of a graph, with the nodes that it waits for.
struct GraphNode {
  cudaGraphNode_t handle = nullptr;    ///< in a copy for execution, that of the node it is a copy of
  cudaGraphNode_t original = nullptr;  ///< in a clone, the node that this is a clone of
  Graph* graph = nullptr;
  NodeWork work;
  int device = 0;                 ///< that was current when it was made: kernels run there
  std::vector<GraphNode*> after;  ///< nodes of the same graph that come first
  std::vector<void*> arguments;   ///< where those of its launch lie, once somebody has asked
  bool is_enabled = true;         ///< of an executable graph: it does its work

  cudaGraphNodeType type() const;
};

/// Nodes with their order. Only copies for execution share handles with others.
struct Graph {
  cudaGraph_t handle = nullptr;
  std::vector<std::unique_ptr<GraphNode>> nodes;  ///< in the order in which they were made
  bool growing = false;                           ///< a capture adds to it

  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  GraphNode* add(NodeWork work, std::vector<GraphNode*> after);
  /// Removes a node and its edges.
  void remove(const GraphNode* node);
};

/// A new graph that the program knows by its handle. Graphs that belong to nodes are kept by these.
std::shared_ptr<Graph> create_graph();
/// Keeps a graph until cudaGraphDestroy.
cudaGraph_t keep(const std::shared_ptr<Graph>& graph);

/// Forgets a graph that was kept. @return whether there was one
bool forget(cudaGraph_t graph);

/// The graph or the node of a handle, or null.
std::shared_ptr<Graph> find_graph(cudaGraph_t handle);
GraphNode* find_node(cudaGraphNode_t handle);

/// Who a copy of a graph is for.
enum class CopyFor { program, execution };
/// A copy with all child graphs: for the program with handles of its own.
std::shared_ptr<Graph> copy_of(const Graph& graph, CopyFor what);

/// A node of a graph or of its child graphs, by its handle; null if it has none.
GraphNode* find_within(const Graph& graph, cudaGraphNode_t handle);

/// The nodes with those that come before them, through others too.
std::unordered_set<const GraphNode*> ancestors_of(const std::vector<GraphNode*>& nodes);

/// Runs all nodes, in an order drawn at random from those that the edges allow.
cudaError_t run_graph(const Graph& graph);

/// Forgets all graphs: the device is reset.
void drop_graphs();

}  // namespace warplab::emulator
