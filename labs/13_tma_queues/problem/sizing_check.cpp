#include "labs/13_tma_queues/problem/sizing_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "acta/block_share.hpp"
#include "acta/gpu_specification.hpp"
#include "acta/kernels.hpp"
#include "acta/measured_times.hpp"
#include "acta/queue_simulator.hpp"
#include "labs/13_tma_queues/queue_demand.hpp"

namespace warplab {
namespace {

constexpr int tiles = 8;  // 64, 128 ... 8192 elements
constexpr double does_not_fit = std::numeric_limits<double>::infinity();

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
  gpu.copy_cycles.value *= latency;
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

QueueDemand demand_of(const acta::GpuSpecification& gpu, const acta::Workload& workload) {
  const acta::BlockShare share = acta::block_share(gpu, workload);
  const auto streaming = static_cast<double>(acta::streaming_queues(workload));
  QueueDemand d{};
  d.elements = static_cast<double>(share.elements);
  d.passes = static_cast<double>(share.passes);
  d.streaming = streaming;
  d.stationary = static_cast<double>(workload.queues.size()) - streaming;
  d.bytes_per_cycle = share.bytes_per_cycle;
  d.latency = share.latency;
  d.first_issue = gpu.tma_cycles;
  d.issue = acta::issue_cycles(gpu, workload);
  d.wait = gpu.barrier_cycles;
  d.start = gpu.shared_latency_cycles;
  d.use = acta::processing_cycles(gpu, workload, 1);
  d.shared_bytes = gpu.shared_bytes;
  return d;
}

/// The measured times of each device; none where it was not measured.
const std::vector<std::optional<acta::MeasuredTimes>>& tables() {
  static const auto all = [] {
    std::vector<std::optional<acta::MeasuredTimes>> of_devices;
    for (const std::string& device : SizingCheck::devices()) {
      const auto file = std::filesystem::path(TMA_QUEUES_DEVICES) / (device + "_times.csv");
      of_devices.emplace_back(exists(file) ? std::optional(acta::MeasuredTimes::read(file)) : std::nullopt);
    }
    return of_devices;
  }();
  return all;
}

/// The times of this device, where the case is one that was measured: the device as it is, and the kernel at
/// the size of table I.
const acta::MeasuredTimes* measured_times(const Case& c) {
  if (c.param("latency", 100) != 100 || c.param("bandwidth", 100) != 100) return nullptr;
  const auto kernel = static_cast<std::size_t>(c.param("kernel", 0));
  const auto [m, k, n] = tma_queues_table_sizes[kernel];
  if (c.extent("m") != m || c.extent("k") != k || c.extent("n") != n) return nullptr;
  const auto& table = tables().at(static_cast<std::size_t>(c.param("device", 0)));
  return table ? &*table : nullptr;
}

/// What the rung ring demands of this device for the case's kernel.
QueueDemand demand_of_ring(const acta::GpuSpecification& gpu, const Case& c) {
  const auto kernel = static_cast<QueueKernel>(static_cast<int>(c.param("kernel", 0)));
  const bool is_matrix = kernel == QueueKernel::matrix_vector || kernel == QueueKernel::matrix_matrix;
  const bool is_product = kernel == QueueKernel::matrix_matrix;
  QueueWork work{};
  work.length = static_cast<double>(c.extent("k"));
  work.streaming = is_matrix ? tma_queues_rows : kernel == QueueKernel::elementwise_k ? 1 : 2;
  work.pushes = is_matrix ? 1 : work.streaming;
  work.stationary = is_product ? tma_queues_columns : is_matrix ? 1 : 0;
  work.stores = !is_matrix && kernel != QueueKernel::dot_product;
  work.in_l2 = is_product;
  if (is_matrix)
    work.passes = static_cast<double>(tma_queues_share(c.extent("m"), tma_queues_rows) *
                                      (is_product ? tma_queues_share(c.extent("n"), tma_queues_columns) : 1));
  return queue_demand({.processors = gpu.multiprocessors,
                       .clock = 1e9 * gpu.clock_ghz,
                       .dram_bytes_per_second = 1e9 * gpu.dram_gigabytes_per_second,
                       .l2_bytes_per_second = 1e9 * gpu.l2_gigabytes_per_second,
                       .l2_latency = gpu.l2_latency_cycles,
                       .dram_latency = gpu.dram_latency_cycles,
                       .push = gpu.tma_cycles,
                       .copy = gpu.copy_cycles,
                       .wait = gpu.barrier_cycles,
                       .start = gpu.shared_latency_cycles,
                       .shared_bytes_per_cycle = gpu.shared_bytes_per_cycle,
                       .products_per_cycle = gpu.multiplications_per_cycle * gpu.warp_pools,
                       .shared_bytes = gpu.shared_bytes - 1024},
                      work);
}

std::vector<double> as_numbers(const QueueDemand& d) {
  return {d.elements, d.passes, d.streaming, d.stationary, d.bytes_per_cycle, d.latency, d.first_issue,
          d.issue,    d.wait,   d.start,     d.use,        d.shared_bytes};
}

/// Simulated cycles with this shape; infinity where it does not fit.
double time_of(const acta::GpuSpecification& gpu, const acta::Workload& workload, const QueueDemand& demand,
               QueueShape shape) {
  if (!demand.fits(shape)) return does_not_fit;
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
  const acta::MeasuredTimes* const measured = measured_times(c);
  const QueueDemand demand = measured != nullptr ? demand_of_ring(gpu, c) : demand_of(gpu, workload);
  const std::string kernel = tma_queues_kernel_names[static_cast<std::size_t>(c.param("kernel", 0))];
  demand_ = as_numbers(demand);
  for (int tile = 0; tile < tiles; ++tile)
    for (int queue_slots = 1; queue_slots <= tma_queues_max_slots; ++queue_slots) {
      const acta::Choice size{std::size_t{64} << tile, queue_slots};
      times_.push_back(measured != nullptr ? measured->time("ring", kernel, size).value_or(does_not_fit)
                                           : time_of(gpu, workload, demand, {64 << tile, queue_slots}));
    }
}

std::vector<double> SizingCheck::demand() const { return demand_; }

std::vector<std::int64_t> SizingCheck::best() const {
  const auto at = std::ranges::min_element(times_) - times_.begin();
  return {std::int64_t{64} << at / tma_queues_max_slots, at % tma_queues_max_slots + 1};
}

std::vector<std::int64_t> SizingCheck::fine_tuned(Case c, const std::string& rung, const std::string& gpu) {
  const std::string kernel = tma_queues_kernel_names[static_cast<std::size_t>(c.param("kernel", 0))];
  for (std::size_t device = 0; device < tables().size(); ++device) {
    const auto& table = tables()[device];
    if (!table || !table->about().starts_with(gpu)) continue;
    c.set_param("device", static_cast<double>(device));
    if (measured_times(c) == nullptr) break;
    if (const auto size = table->fastest(rung, kernel))
      return {static_cast<std::int64_t>(size->tile), size->slots};
  }
  c.set_param("device", 0);
  return SizingCheck(c).best();
}

double SizingCheck::regret(std::int64_t tile, std::int64_t slots) const {
  for (int power = 0; power < tiles; ++power)
    if (tile == std::int64_t{64} << power && slots >= 1 && slots <= tma_queues_max_slots)
      return times_[static_cast<std::size_t>(power * tma_queues_max_slots + slots - 1)] /
                 *std::ranges::min_element(times_) -
             1;
  return does_not_fit;
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
