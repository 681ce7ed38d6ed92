// Calls a rung's launcher with the work of a case.
#include <type_traits>
#include <vector>

#include "common/call.hpp"
#include "common/cuda_check.hpp"
#include "queue_sizing.hpp"
#include "stencil_map.hpp"
#include "tma_queues.hpp"
#include "tma_queues_peers.hpp"

#define NAME_OF(launcher) #launcher
#define EXPANDED_NAME_OF(launcher) NAME_OF(launcher)
constexpr std::string_view rung =
    std::string_view(EXPANDED_NAME_OF(WARPLAB_RUNG)).substr(sizeof("tma_queues_") - 1);

namespace {

QueueShape shape_of(const warplab::Case& c) {
  const auto number = [&](const char* name, int fallback) {
    return static_cast<int>(c.param(name, fallback));
  };
  return {number("tile", 1024), number("slots", 1), number("blocks", 0)};
}

/// The arrays of a case as the work of one kernel.
template <class Work>
Work work_of(const warplab::Call& call) {
  Work work{};
  work.a = call.input<float>(0);
  if (call.inputs.size() > 1) work.b = call.input<float>(1);
  work.z = call.output<float>(0);
  work.length = call.problem_case.extent("k");
  if constexpr (Work::is_matrix) {
    work.m = call.problem_case.extent("m");
    work.n = call.problem_case.extent("n");
    work.leading = tma_queues_leading(work.length);
  }
  if constexpr (std::is_same_v<Work, ScaleWork>)
    work.op.k = static_cast<float>(call.problem_case.param("factor", 1));
  return work;
}

template <class Work>
void run(const warplab::Call& call) {
  if constexpr (requires(const Work& work) { WARPLAB_RUNG(work, QueueShape{}, cudaStream_t{}); })
    WARPLAB_RUNG(work_of<Work>(call), shape_of(call.problem_case), call.stream);
  else if constexpr (requires(const Work& work, void* memory) {
                       WARPLAB_RUNG(work, memory, std::size_t{}, cudaStream_t{});
                     })
    WARPLAB_RUNG(work_of<Work>(call), call.workspace, call.workspace_bytes, call.stream);
  else
    throw std::invalid_argument("this rung does not run this kernel");
}

/// Only asks for a size: the numbers of the demand come in, tile and slots go out.
template <std::string_view const& of>
void choose(const warplab::Call& call) {
  if constexpr (of == "acta") {
    double numbers[queue_demand_numbers];
    CUDA_CHECK(cudaMemcpy(numbers, call.input<double>(0), sizeof numbers, cudaMemcpyDeviceToHost));
    const auto& [elements, passes, streaming, stationary, bytes, latency, first_issue, issue, wait, start,
                 use, shared] = numbers;
    const QueueDemand demand{elements,    passes, streaming, stationary, bytes, latency,
                             first_issue, issue,  wait,      start,      use,   shared};
    const QueueShape shape = tma_queues_acta(demand);
    const std::int64_t chosen[] = {shape.tile, shape.slots};
    CUDA_CHECK(cudaMemcpy(call.output<std::int64_t>(0), chosen, sizeof chosen, cudaMemcpyHostToDevice));
  } else {
    throw std::invalid_argument("only acta chooses a size");
  }
}

}  // namespace

WARPLAB_ADAPTER(call) {
  const warplab::Case& c = call.problem_case;
  if (c.param("choose", 0) != 0) return choose<rung>(call);
  const auto kernel = static_cast<int>(c.param("kernel", 0));
  if constexpr (rung == "stencil") {
    if (kernel != tma_queues_stencil_number) throw std::invalid_argument("this rung runs the stencil only");
    const StencilWork work{call.input<float>(0), call.output<float>(0), c.extent("m"), c.extent("k"),
                           tma_queues_leading(c.extent("k"))};
    tma_queues_stencil(work, stencil_map(work), shape_of(c), call.stream);
  } else {
    switch (static_cast<QueueKernel>(kernel)) {
      case QueueKernel::elementwise_k:
        return run<ScaleWork>(call);
      case QueueKernel::elementwise:
        return run<MultiplyWork>(call);
      case QueueKernel::sum_vectors:
        return run<AddWork>(call);
      case QueueKernel::dot_product:
        return run<DotProductWork>(call);
      case QueueKernel::matrix_vector:
        return run<MatrixVectorWork>(call);
      case QueueKernel::matrix_matrix:
        return run<MatrixMatrixWork>(call);
    }
    throw std::invalid_argument("this rung does not run this kernel");
  }
}
