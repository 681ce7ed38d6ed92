#include "emulator/src/graphs/graph_parameters.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <unordered_map>
#include <utility>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/launch/cluster_launches.hpp"
#include "emulator/src/launch/launch_rules.hpp"
#include "emulator/src/streams/events.hpp"
#include "emulator/src/transfers/transfer_3d.hpp"
#include "warplab_emulator/launch/launch_functions.hpp"

namespace warplab::emulator {
namespace {

struct KnownKernel {
  const char *name, *file;
  int line;
  KernelArguments arguments;
};

// Never destroyed: static destructors may still launch.
std::unordered_map<const void*, KnownKernel>& known_kernels() {
  static auto& instance = *new std::unordered_map<const void*, KnownKernel>;
  return instance;
}

std::byte* argument_at(void* bound, const Parameter& parameter) {
  return static_cast<std::byte*>(bound) + parameter.offset;
}

constexpr std::align_val_t any_alignment{256};  // of a kernel's parameter

/// Copies of the arguments that `values` points to, byte by byte, as CUDA makes them.
BoundCall bind_copies(const KernelArguments& arguments, void** values) {
  void* const bound = ::operator new(arguments.bytes, any_alignment);
  for (std::size_t i = 0; i < arguments.count; ++i)
    std::memcpy(argument_at(bound, arguments.parameters[i]), values[i], arguments.parameters[i].bytes);
  return {bound, arguments.call, [](void* copies) { ::operator delete(copies, any_alignment); }};
}

}  // namespace

void note_kernel(const void* function, const char* name, const char* file, int line,
                 const KernelArguments& arguments) {
  const std::lock_guard lock(device_lock());
  known_kernels().emplace(function, KnownKernel{name, file, line, arguments});
}

bool is_known_kernel(const void* function) { return known_kernels().contains(function); }

const char* name_of_known_kernel(const void* function) { return known_kernels().at(function).name; }

cudaError_t bind_known_kernel(Launch& launch, const void* function, void** arguments) {
  const KnownKernel& kernel = known_kernels().at(function);
  if (!arguments && kernel.arguments.count > 0) return cudaErrorInvalidValue;
  launch.kernel = kernel.name;
  launch.file = kernel.file;
  launch.line = kernel.line;
  launch.address = function;
  launch.arguments = kernel.arguments;
  launch.run_block = bind_copies(kernel.arguments, arguments);
  return cudaSuccess;
}

cudaError_t describe(NodeWork& work, const cudaKernelNodeParams* parameters) {
  if (!parameters || !parameters->func) return cudaErrorInvalidValue;
  if (!is_known_kernel(parameters->func)) {
    report(
        "the node's func is not a kernel whose parameters the emulator knows; write func = (void*)kernel, "
        "or take it from cudaGraphKernelNodeGetParams");
    return cudaErrorInvalidDeviceFunction;
  }
  if (parameters->extra) {
    report("arguments in cudaKernelNodeParams::extra are not offered; use kernelParams");
    return cudaErrorNotSupported;
  }
  Launch launch;
  launch.configure(parameters->gridDim, parameters->blockDim, parameters->sharedMemBytes, nullptr);
  if (const cudaError_t error = bind_known_kernel(launch, parameters->func, parameters->kernelParams))
    return error;
  launch.pointers = PointerArguments(launch.arguments, launch.run_block.bound());
  if (const cudaError_t error = take_cluster_shape(launch)) return error;
  if (const cudaError_t error = validate(launch)) return error;
  work = std::make_shared<const Launch>(std::move(launch));
  return cudaSuccess;
}

cudaError_t describe(NodeWork& work, const cudaMemcpy3DParms* p) {
  if (!p) return cudaErrorInvalidValue;
  Transfer copy;
  if (const cudaError_t error = describe_copy("the graph's copy", *p, copy)) return error;
  return set_transfer(work, copy);
}

cudaError_t describe(NodeWork& work, const cudaMemsetParams* p) {
  if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)) return cudaErrorInvalidValue;
  return set_transfer(work, {"the graph's fill", p->dst, nullptr, p->pitch, 0, p->width * p->elementSize,
                             p->height, cudaMemcpyDefault, p->value, p->elementSize});
}

cudaError_t describe(NodeWork& work, const cudaHostNodeParams* parameters) {
  if (!parameters || !parameters->fn) return cudaErrorInvalidValue;
  work = *parameters;
  return cudaSuccess;
}

cudaError_t set_transfer(NodeWork& work, const Transfer& transfer) {
  if (transfer.width == 0 || transfer.height == 0 || transfer.depth == 0) return cudaErrorInvalidValue;
  if (const cudaError_t error = check(transfer)) return error;
  work = transfer;
  return cudaSuccess;
}

cudaError_t describe(NodeWork& work, const EventWork& event) {
  if (!is_event(event.event)) {
    report("the node's event was destroyed, or was never made");
    return cudaErrorInvalidValue;
  }
  work = event;
  return cudaSuccess;
}

cudaError_t describe_copy(NodeWork& work, void* to, const void* from, std::size_t bytes,
                          cudaMemcpyKind kind) {
  if (!from) return cudaErrorInvalidValue;
  return set_transfer(work, {"the graph's copy", to, from, bytes, bytes, bytes, 1, kind});
}

namespace {

// Gives a node of the program's other work of the same type.
template <class Describe>
cudaError_t change(cudaGraphNode_t handle, cudaGraphNodeType type, Describe&& describe_into) {
  return api_call([&] {
    GraphNode* const node = find_node(handle);
    if (!node || node->type() != type) return cudaErrorInvalidValue;
    return describe_into(node->work);
  });
}

// Gives what a node of that type does.
template <class Work, class To, class Give>
cudaError_t give(cudaGraphNode_t handle, cudaGraphNodeType type, To* to, Give&& give_from) {
  return api_call([&] {
    const GraphNode* const node = find_node(handle);
    if (!node || !to || node->type() != type) return cudaErrorInvalidValue;
    *to = give_from(std::get<Work>(node->work));
    return cudaSuccess;
  });
}

cudaMemsetParams describe_fill(const Transfer& fill) {
  return {fill.to,
          fill.to_pitch,
          fill.value,
          static_cast<unsigned>(fill.element_bytes),
          fill.width / fill.element_bytes,
          fill.height * fill.depth};
}

}  // namespace
}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, cudaKernelNodeParams* parameters) {
  return api_call([&] {
    GraphNode* const node = find_node(handle);
    if (!node || !parameters) return cudaErrorInvalidValue;
    const auto* const work = std::get_if<std::shared_ptr<const Launch>>(&node->work);
    if (!work || !(*work)->arguments.parameters) return cudaErrorInvalidValue;
    const Launch& launch = **work;
    note_kernel(launch.address, launch.kernel, launch.file, launch.line, launch.arguments);
    node->arguments.clear();
    for (std::size_t i = 0; i < launch.arguments.count; ++i)
      node->arguments.push_back(argument_at(launch.run_block.bound(), launch.arguments.parameters[i]));
    *parameters = {const_cast<void*>(launch.address),
                   launch.grid,
                   launch.block,
                   static_cast<unsigned>(launch.dynamic_shared_bytes),
                   node->arguments.data(),
                   nullptr};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return change(node, cudaGraphNodeTypeKernel, [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return give<Transfer>(node, cudaGraphNodeTypeMemcpy, parameters, parameters_of);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return change(node, cudaGraphNodeTypeMemcpy, [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           std::size_t bytes, cudaMemcpyKind kind) {
  return change(node, cudaGraphNodeTypeMemcpy,
                [&](NodeWork& work) { return describe_copy(work, to, from, bytes, kind); });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return give<Transfer>(node, cudaGraphNodeTypeMemset, parameters, describe_fill);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return change(node, cudaGraphNodeTypeMemset, [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return give<cudaHostNodeParams>(node, cudaGraphNodeTypeHost, parameters,
                                  [](const cudaHostNodeParams& call) { return call; });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return change(node, cudaGraphNodeTypeHost, [&](NodeWork& work) { return describe(work, parameters); });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return give<EventWork>(node, cudaGraphNodeTypeEventRecord, event,
                         [](const EventWork& work) { return work.event; });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return change(node, cudaGraphNodeTypeEventRecord, [&](NodeWork& work) {
    return describe(work, EventWork{event, false});
  });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return give<EventWork>(node, cudaGraphNodeTypeWaitEvent, event,
                         [](const EventWork& work) { return work.event; });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return change(node, cudaGraphNodeTypeWaitEvent, [&](NodeWork& work) {
    return describe(work, EventWork{event, true});
  });
}
