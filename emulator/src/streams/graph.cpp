#include "emulator/src/streams/graph.hpp"

#include <algorithm>
#include <random>
#include <unordered_map>
#include <utility>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/base/order_seed.hpp"
#include "emulator/src/block/child_launches.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/session.hpp"
#include "emulator/src/streams/events.hpp"

namespace warplab::emulator {
namespace {

struct Handles {
  std::unordered_map<cudaGraph_t, std::weak_ptr<Graph>> graphs;
  std::unordered_map<cudaGraph_t, std::shared_ptr<Graph>> kept;
  std::unordered_map<cudaGraphNode_t, GraphNode*> nodes;
  std::uintptr_t next = 1;
};

// Never destroyed: static destructors may still use the device.
Handles& handles() {
  static Handles& instance = *new Handles;
  return instance;
}

// Never an address: a handle that is dereferenced faults, and none is ever given out twice.
template <class Handle>
Handle new_handle() {
  return reinterpret_cast<Handle>(++handles().next * 16 + 12);
}

struct Run {
  int device;
  cudaError_t operator()(std::monostate) const { return cudaSuccess; }
  cudaError_t operator()(const std::shared_ptr<const Launch>& launch) const {
    const WorkingDevice scope(device);
    return execute(*launch, lens::launch_watcher());
  }
  cudaError_t operator()(const Transfer& transfer) const { return perform(transfer); }
  cudaError_t operator()(const cudaHostNodeParams& call) const {
    call.fn(call.userData);
    return cudaSuccess;
  }
  cudaError_t operator()(const std::shared_ptr<Graph>& child) const { return run_graph(*child); }
  cudaError_t operator()(const LibraryWork& work) const { return work.run(); }
  cudaError_t operator()(const EventWork& work) const {
    if (!work.waits) note_event_time(work.event);
    return cudaSuccess;  // the launch of the graph waits for events
  }
};

}  // namespace

cudaGraphNodeType GraphNode::type() const {
  if (const Transfer* const transfer = std::get_if<Transfer>(&work))
    return transfer->from ? cudaGraphNodeTypeMemcpy : cudaGraphNodeTypeMemset;
  if (std::holds_alternative<std::monostate>(work)) return cudaGraphNodeTypeEmpty;
  if (std::holds_alternative<cudaHostNodeParams>(work)) return cudaGraphNodeTypeHost;
  if (std::holds_alternative<std::shared_ptr<Graph>>(work)) return cudaGraphNodeTypeGraph;
  if (const EventWork* const event = std::get_if<EventWork>(&work))
    return event->waits ? cudaGraphNodeTypeWaitEvent : cudaGraphNodeTypeEventRecord;
  return cudaGraphNodeTypeKernel;
}

Graph::~Graph() {
  handles().graphs.erase(handle);
  if (handle)
    for (const auto& node : nodes) handles().nodes.erase(node->handle);
}

GraphNode* Graph::add(NodeWork work, std::vector<GraphNode*> after) {
  auto node = std::make_unique<GraphNode>();
  node->graph = this;
  node->work = std::move(work);
  node->after = std::move(after);
  node->device = current_device();
  if (handle) {
    node->handle = new_handle<cudaGraphNode_t>();
    handles().nodes.emplace(node->handle, node.get());
  }
  return nodes.emplace_back(std::move(node)).get();
}

void Graph::remove(const GraphNode* node) {
  for (const auto& other : nodes) std::erase(other->after, node);
  handles().nodes.erase(node->handle);
  std::erase_if(nodes, [node](const auto& known) { return known.get() == node; });
}

std::shared_ptr<Graph> create_graph() {
  auto graph = std::make_shared<Graph>();
  graph->handle = new_handle<cudaGraph_t>();
  handles().graphs.emplace(graph->handle, graph);
  return graph;
}

cudaGraph_t keep(const std::shared_ptr<Graph>& graph) {
  handles().kept.emplace(graph->handle, graph);
  return graph->handle;
}

bool forget(cudaGraph_t graph) {
  const auto found = handles().kept.find(graph);
  if (found == handles().kept.end()) return false;
  const std::shared_ptr<Graph> last = std::move(found->second);  // its destructor changes the other tables
  handles().kept.erase(found);
  return true;
}

std::shared_ptr<Graph> find_graph(cudaGraph_t handle) {
  const auto found = handles().graphs.find(handle);
  return found == handles().graphs.end() ? nullptr : found->second.lock();
}

GraphNode* find_node(cudaGraphNode_t handle) {
  const auto found = handles().nodes.find(handle);
  return found == handles().nodes.end() ? nullptr : found->second;
}

std::shared_ptr<Graph> copy_of(const Graph& graph, CopyFor what) {
  const auto copy = what == CopyFor::program ? create_graph() : std::make_shared<Graph>();
  std::unordered_map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : graph.nodes) {
    NodeWork work = node->work;
    if (auto* const child = std::get_if<std::shared_ptr<Graph>>(&work)) *child = copy_of(**child, what);
    GraphNode* const made = copies[node.get()] = copy->add(std::move(work), {});
    made->original = node->handle;
    made->device = node->device;
    made->is_enabled = node->is_enabled;
    if (what == CopyFor::execution) made->handle = node->handle;
  }
  for (const auto& node : graph.nodes)
    for (const GraphNode* needed : node->after) copies[node.get()]->after.push_back(copies[needed]);
  return copy;
}

GraphNode* find_within(const Graph& graph, cudaGraphNode_t handle) {
  for (const auto& node : graph.nodes) {
    if (node->handle == handle) return node.get();
    if (const auto* const child = std::get_if<std::shared_ptr<Graph>>(&node->work))
      if (GraphNode* const found = find_within(**child, handle)) return found;
  }
  return nullptr;
}

std::unordered_set<const GraphNode*> ancestors_of(const std::vector<GraphNode*>& nodes) {
  std::unordered_set<const GraphNode*> found;
  std::vector<const GraphNode*> open(nodes.begin(), nodes.end());
  while (!open.empty()) {
    const GraphNode* const node = open.back();
    open.pop_back();
    if (found.insert(node).second) open.insert(open.end(), node->after.begin(), node->after.end());
  }
  return found;
}

cudaError_t run_graph(const Graph& graph) {
  static std::mt19937_64& random = *new std::mt19937_64(order_seed());  // under the device lock
  std::unordered_map<const GraphNode*, std::vector<const GraphNode*>> before;
  std::unordered_map<const GraphNode*, std::size_t> open;
  std::vector<const GraphNode*> ready;
  for (const auto& node : graph.nodes) {
    for (const GraphNode* needed : node->after) before[needed].push_back(node.get());
    if ((open[node.get()] = node->after.size()) == 0) ready.push_back(node.get());
  }
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const GraphNode* const node = ready.back();
    ready.pop_back();
    if (node->is_enabled)
      if (const cudaError_t error = std::visit(Run{node->device}, node->work)) return error;
    for (const GraphNode* next : before[node])
      if (--open[next] == 0) ready.push_back(next);
  }
  return cudaSuccess;
}

void drop_graphs() { const auto last = std::exchange(handles().kept, {}); }

}  // namespace warplab::emulator
