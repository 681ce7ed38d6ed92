// Graphs as text for Graphviz.
#include <cuda_runtime_api.h>

#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/streams/graph.hpp"

namespace warplab::emulator {
namespace {

[[gnu::format(printf, 1, 2)]] std::string line(const char* format, ...) {
  char text[256];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return std::string("\\n") + text;
}

/// What Graphviz takes for its own signs is quoted.
std::string quoted(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::string_view("<>{}|\"\\").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

/// What a node's label says of its work. `asks` is whether a kind of parameters is to be written.
struct Label {
  unsigned flags;

  bool asks(cudaGraphDebugDotFlags kind) const { return flags & (kind | cudaGraphDebugDotFlagsVerbose); }

  std::string operator()(std::monostate) const { return "EMPTY"; }
  std::string operator()(const std::shared_ptr<const Launch>& launch) const {
    const dim3 &grid = launch->grid, &block = launch->block;
    std::string text = quoted(launch->kernel ? launch->kernel : "KERNEL");
    if (asks(cudaGraphDebugDotFlagsKernelNodeParams))
      text += line("grid %u,%u,%u", grid.x, grid.y, grid.z) +
              line("block %u,%u,%u", block.x, block.y, block.z) +
              line("dynamic shared memory %zu bytes", static_cast<std::size_t>(launch->dynamic_shared_bytes));
    if (asks(cudaGraphDebugDotFlagsHandles)) text += line("function %p", launch->address);
    return text;
  }
  std::string operator()(const Transfer& t) const {
    static constexpr const char* directions[] = {"HtoH", "HtoD", "DtoH", "DtoD", "DEFAULT"};
    std::string text = t.from ? std::string("MEMCPY ") + directions[t.kind] : "MEMSET";
    if (!asks(t.from ? cudaGraphDebugDotFlagsMemcpyNodeParams : cudaGraphDebugDotFlagsMemsetNodeParams))
      return text;
    text += line("to %p, pitch %zu", t.to, t.to_pitch);
    text += t.from ? line("from %p, pitch %zu", t.from, t.from_pitch)
                   : line("value %u in elements of %zu bytes", t.value, t.element_bytes);
    return text + line("%zu bytes, %zu rows, %zu layers", t.width, t.height, t.depth);
  }
  std::string operator()(const cudaHostNodeParams& call) const {
    if (!asks(cudaGraphDebugDotFlagsHostNodeParams)) return "HOST";
    return "HOST" + line("function %p", reinterpret_cast<const void*>(call.fn)) +
           line("user data %p", call.userData);
  }
  std::string operator()(const std::shared_ptr<Graph>&) const { return "GRAPH"; }
  std::string operator()(const LibraryWork&) const { return "KERNEL of a library"; }
  std::string operator()(const EventWork& work) const {
    const std::string text = work.waits ? "EVENT_WAIT" : "EVENT_RECORD";
    return asks(cudaGraphDebugDotFlagsEventNodeParams)
               ? text + line("event %p", static_cast<const void*>(work.event))
               : text;
  }
};

/// Writes a graph as a cluster, and then those of its child graphs.
class Writer {
 public:
  Writer(std::ostream& out, unsigned flags) : out_(out), flags_(flags) {}

  void write(const Graph& graph) {
    const std::string name = "graph_" + std::to_string(++graphs_);
    std::map<const GraphNode*, std::string> names;
    for (const auto& node : graph.nodes)
      names.emplace(node.get(), "\"" + name + "_node_" + std::to_string(names.size()) + "\"");
    out_ << "subgraph cluster_" << graphs_ << " {\nlabel=\"" << name << "\" graph[style=\"dashed\"];\n";
    std::size_t count = 0;
    for (const auto& node : graph.nodes) {
      out_ << names.at(node.get()) << "[shape=\"rectangle\" label=\"" << count++ << "\\n"
           << std::visit(Label{flags_}, node->work);
      if (Label{flags_}.asks(cudaGraphDebugDotFlagsHandles))
        out_ << line("node %p", static_cast<const void*>(node->handle));
      out_ << "\"];\n";
    }
    for (const auto& node : graph.nodes)
      for (const GraphNode* needed : node->after)
        out_ << names.at(needed) << " -> " << names.at(node.get()) << ";\n";
    out_ << "}\n";
    for (const auto& node : graph.nodes)
      if (const auto* const child = std::get_if<std::shared_ptr<Graph>>(&node->work)) write(**child);
  }

 private:
  std::ostream& out_;
  unsigned flags_;
  int graphs_ = 0;
};

}  // namespace
}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int flags) {
  return api_call([&] {
    const std::shared_ptr<Graph> graph = find_graph(handle);
    if (!graph || !path) return cudaErrorInvalidValue;
    std::ofstream file(path);
    file << "digraph dot {\n";
    Writer(file, flags).write(*graph);
    file << "}\n";
    file.close();
    return file ? cudaSuccess : cudaErrorOperatingSystem;
  });
}
