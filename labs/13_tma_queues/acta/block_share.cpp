#include "block_share.hpp"

#include <algorithm>

namespace warplab::acta {
namespace {

bool is_streaming(const Queue& queue) { return queue.kind == QueueKind::streaming; }

/// Bytes of one element of every streaming queue.
double streamed_bytes(const Workload& workload) {
  double bytes = 0;
  for (const Queue& queue : workload.queues)
    if (is_streaming(queue)) bytes += static_cast<double>(queue.element_bytes);
  return bytes;
}

}  // namespace

std::size_t streaming_queues(const Workload& workload) {
  return static_cast<std::size_t>(std::ranges::count_if(workload.queues, is_streaming));
}

BlockShare block_share(const GpuSpecification& specification, const Workload& workload) {
  const auto blocks = static_cast<std::size_t>(workload.multiprocessors);
  const auto busiest = [&](std::size_t count) { return (count + blocks - 1) / blocks; };
  BlockShare share;
  for (const Queue& queue : workload.queues) share.elements = std::max(share.elements, queue.length);
  if (workload.passes == 0)
    share.elements = busiest(share.elements);
  else
    share.passes = busiest(workload.passes);

  const bool in_l2 =
      workload.distinct_bytes > 0 && static_cast<double>(workload.distinct_bytes) <= specification.l2_bytes;
  const double bytes_per_cycle = in_l2 ? specification.l2_bytes_per_cycle(workload.multiprocessors)
                                       : specification.dram_bytes_per_cycle(workload.multiprocessors);
  const double loaded = streamed_bytes(workload);
  share.bytes_per_cycle =
      loaded > 0 ? bytes_per_cycle * loaded / (loaded + workload.stored_bytes_per_position) : bytes_per_cycle;
  share.latency = specification.l2_latency_cycles + (in_l2 ? 0 : specification.dram_latency_cycles);
  return share;
}

bool fits(const GpuSpecification& specification, const Workload& workload,
          const std::vector<QueueSize>& sizes) {
  const std::size_t elements = block_share(specification, workload).elements;
  for (std::size_t q = 0; q < sizes.size(); ++q)
    if (is_streaming(workload.queues[q]) && sizes[q].slots > 1 &&
        static_cast<std::size_t>(sizes[q].slots - 1) * sizes[q].tile >= elements)
      return false;
  return static_cast<double>(shared_bytes(sizes)) <= specification.shared_bytes;
}

double issue_cycles(const GpuSpecification& specification, const Workload& workload) {
  const std::size_t tiles = streaming_queues(workload);
  const auto per_push = static_cast<std::size_t>(workload.queues_per_push);
  const std::size_t pushes = (tiles + per_push - 1) / per_push;
  return static_cast<double>(pushes) * specification.tma_cycles +
         static_cast<double>(tiles - pushes) * specification.copy_cycles;
}

double processing_cycles(const GpuSpecification& specification, const Workload& workload, double elements) {
  double reads = streamed_bytes(workload);
  for (const Queue& queue : workload.queues)  // each streamed element meets its own element of these
    if (!is_streaming(queue))
      reads +=
          static_cast<double>(queue.element_bytes * std::max<std::size_t>(1, streaming_queues(workload)));
  const double pools = std::min<double>(workload.consumer_warps, specification.warp_pools);
  const double reading = elements * reads / specification.shared_bytes_per_cycle;
  const double arithmetic =
      elements * workload.flops_per_position / (specification.multiplications_per_cycle * pools);
  return std::max(reading, arithmetic);
}

}  // namespace warplab::acta
