#include "labs/13_tma_queues/problem/sizing_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "acta/block_share.hpp"
#include "acta/gpu_specification.hpp"
#include "acta/kernels.hpp"
#include "acta/queue_simulator.hpp"
#include "labs/13_tma_queues/queue_sizing.hpp"

namespace warplab {
namespace {

constexpr int tiles = 8;  // 64, 128 ... 8192 elements

acta::GpuSpecification specification_of(const Case& c) {
  const std::vector<std::string> devices = SizingCheck::devices();
  const auto device = static_cast<std::size_t>(c.param("device", 0));
  if (device >= devices.size())
    throw std::invalid_argument(
        fmt::format("device {}: there are the devices 0 to {}", device, devices.size() - 1));
  acta::GpuSpecification gpu =
      acta::read_specification(std::filesystem::path(TMA_QUEUES_DEVICES) / (devices[device] + ".json"));
  const double latency = c.param("latency", 100) / 100, bandwidth = c.param("bandwidth", 100) / 100;
  gpu.dram_latency_cycles.value *= latency;
  gpu.l2_latency_cycles.value *= latency;
  gpu.tma_cycles.value *= latency;
  gpu.dram_gigabytes_per_second.value *= bandwidth;
  gpu.l2_gigabytes_per_second.value *= bandwidth;
  return gpu;
}

/// The kernel of the case with the case's size.
acta::Workload workload_of(const Case& c, const acta::GpuSpecification& gpu) {
  const auto number = static_cast<std::size_t>(c.param("kernel", 0));
  if (number >= tma_queues_kernels)
    throw std::invalid_argument(fmt::format("kernel {} has no queues to size", number));
  acta::Workload workload = acta::kernels().at(number).on(static_cast<int>(gpu.multiprocessors));
  const auto k = static_cast<std::size_t>(c.extent("k"));
  const auto groups = static_cast<std::size_t>((c.extent("m") + tma_queues_rows - 1) / tma_queues_rows);
  if (k == 0 || groups == 0 || c.extent("n") == 0) throw std::invalid_argument("nothing to do for a queue");
  for (acta::Queue& queue : workload.queues) queue.length = k;
  if (workload.passes > 0) workload.passes = groups * static_cast<std::size_t>(c.extent("n"));
  if (workload.distinct_bytes > 0)
    workload.distinct_bytes = static_cast<std::size_t>(c.extent("m") + c.extent("n")) * k * sizeof(float);
  return workload;
}

std::vector<double> demand_of(const acta::GpuSpecification& gpu, const acta::Workload& workload) {
  const acta::BlockShare share = acta::block_share(gpu, workload);
  const auto streaming = static_cast<double>(acta::streaming_queues(workload));
  QueueDemand d{};
  d.elements = static_cast<double>(share.elements);
  d.passes = static_cast<double>(share.passes);
  d.streaming = streaming;
  d.stationary = static_cast<double>(workload.queues.size()) - streaming;
  d.bytes_per_cycle = share.bytes_per_cycle;
  d.latency = share.latency;
  d.issue = gpu.tma_cycles;
  d.wait = gpu.barrier_cycles;
  d.start = gpu.shared_latency_cycles;
  d.use = acta::processing_cycles(gpu, workload, 1);
  d.shared_bytes = gpu.shared_bytes;
  return {d.elements, d.passes, d.streaming, d.stationary, d.bytes_per_cycle, d.latency,
          d.issue,    d.wait,   d.start,     d.use,        d.shared_bytes};
}

QueueDemand as_demand(const std::vector<double>& n) {
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10]};
}

/// Simulated cycles with this shape; infinity where it does not fit.
double time_of(const acta::GpuSpecification& gpu, const acta::Workload& workload, const QueueDemand& demand,
               QueueShape shape) {
  if (demand.bytes(shape) > demand.shared_bytes) return std::numeric_limits<double>::infinity();
  std::vector<acta::QueueSize> sizes;
  for (const acta::Queue& queue : workload.queues) {
    const bool streams = queue.kind == acta::QueueKind::streaming;
    // One slot that holds the whole vector, whatever its length.
    sizes.push_back(streams ? acta::sized(queue, static_cast<std::size_t>(shape.tile), shape.slots)
                            : acta::sized(queue, (queue.length + 3) / 4 * 4, 1));
  }
  return acta::simulate(gpu, workload, sizes).cycles;
}

}  // namespace

std::vector<std::string> SizingCheck::devices() { return {"h100", "h200", "r9_nano"}; }

SizingCheck::SizingCheck(const Case& c) {
  const acta::GpuSpecification gpu = specification_of(c);
  const acta::Workload workload = workload_of(c, gpu);
  demand_ = demand_of(gpu, workload);
  for (int tile = 0; tile < tiles; ++tile)
    for (int slots = 1; slots <= tma_queues_most_slots; ++slots)
      times_.push_back(time_of(gpu, workload, as_demand(demand_), {64 << tile, slots}));
}

std::vector<double> SizingCheck::demand() const { return demand_; }

std::vector<std::int64_t> SizingCheck::best() const {
  const auto at = std::ranges::min_element(times_) - times_.begin();
  return {std::int64_t{64} << at / tma_queues_most_slots, at % tma_queues_most_slots + 1};
}

double SizingCheck::regret(std::int64_t tile, std::int64_t slots) const {
  for (int power = 0; power < tiles; ++power)
    if (tile == std::int64_t{64} << power && slots >= 1 && slots <= tma_queues_most_slots)
      return times_[static_cast<std::size_t>(power * tma_queues_most_slots + slots - 1)] /
                 *std::ranges::min_element(times_) -
             1;
  return std::numeric_limits<double>::infinity();
}

Comparison SizingCheck::judge(const HostArray& chosen) const {
  const std::int64_t tile = chosen.as<std::int64_t>()[0], slots = chosen.as<std::int64_t>()[1];
  const double lost = regret(tile, slots);
  Comparison result;
  result.count = 2;
  result.max_abs_error = std::isfinite(lost) ? lost : 1;
  result.tolerance.atol = max_regret;
  result.accepted = lost <= max_regret;
  if (result.accepted) return result;
  result.mismatches = 2;
  const auto fastest = best();
  result.report =
      std::isfinite(lost)
          ? fmt::format(
                "{} slots of {} elements take {:.1f} % longer than {} slots of {}; at most {:.0f} % are "
                "accepted",
                slots, tile, 100 * lost, fastest[1], fastest[0], 100 * max_regret)
          : fmt::format(
                "{} slots of {} elements are not among the 64 configurations, or do not fit in {:.0f} bytes "
                "of shared memory",
                slots, tile, demand_.back());
  return result;
}

}  // namespace warplab
