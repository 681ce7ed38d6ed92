// The program `acta_probe`: measures the GPU of this machine and prints its table for `acta`.
#include <cuda_runtime.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "acta/gpu_specification.hpp"
#include "acta/program.hpp"
#include "common/cuda_check.hpp"
#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "queue_probe.hpp"

namespace warplab::acta {
namespace {

Figure measured(double value, std::string note) { return {value, Source::measured, std::move(note)}; }
Figure attribute_of(cudaDeviceAttr attribute, double factor = 1, std::string note = {}) {
  int value = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
  return {value * factor, Source::attribute, std::move(note)};
}

double fastest(const std::vector<RatePoint>& curve) {
  double rate = 0;
  for (const RatePoint& point : curve) rate = std::max(rate, point.gigabytes_per_second);
  return rate;
}

void print_curve(const char* title, const std::vector<RatePoint>& curve) {
  fmt::print(stderr, "{}\n{:>16} {:>8}\n", title, "bytes in flight", "GB/s");
  for (const RatePoint& point : curve)
    fmt::print(stderr, "{:>16.0f} {:>8.0f}\n", point.bytes, point.gigabytes_per_second);
}

GpuSpecification probe() {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
    throw BadInput("acta_probe measures a GPU, and there is none here");
  if (properties.major != 9)
    throw BadInput(
        fmt::format("{} has compute capability {}.{}; acta_probe knows the figures per "
                    "multiprocessor of 9.0 only",
                    properties.name, properties.major, properties.minor));
  const std::vector<RatePoint> dram = measure_bandwidth_in_flight(2e9),
                               l2 = measure_bandwidth_in_flight(16e6);
  print_curve("read from DRAM, one block per multiprocessor", dram);
  print_curve("read from L2, one block per multiprocessor", l2);
  const TileCosts costs = measure_tile_costs();
  const CopyLatency latency = measure_copy_latency();

  GpuSpecification gpu;
  gpu.name = properties.name;
  gpu.clock_ghz = attribute_of(cudaDevAttrClockRate, 1e-6);
  gpu.multiprocessors = attribute_of(cudaDevAttrMultiProcessorCount);
  gpu.warp_pools = {4, Source::datasheet, "SMSPs"};
  gpu.multiplications_per_cycle = {32, Source::datasheet, "single precision"};
  gpu.shared_bytes = attribute_of(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  gpu.l1_bytes = {262144, Source::datasheet, "256 KiB, shared memory included"};
  gpu.l2_bytes = attribute_of(cudaDevAttrL2CacheSize);
  gpu.cache_line_bytes = {128, Source::datasheet, "4 sectors of 32 bytes"};
  gpu.tma_cycles = measured(costs.issue, fmt::format("in a kernel of two queues with tiles of 64 elements; a "
                                                     "push by itself takes {:.0f}",
                                                     costs.push));
  gpu.copy_cycles = measured(costs.copy, "a push of 8 vectors beside one of 1, divided by 7");
  gpu.barrier_cycles =
      measured(costs.handover, "acquire and release of a slot that is full, 8 warps at once");
  gpu.shared_latency_cycles = measured(measure_shared_latency(), "dependent loads");
  gpu.l2_latency_cycles =
      measured(latency.l2 - costs.push, "of a copy of 16 bytes, until its barrier ends, without its push");
  gpu.dram_latency_cycles = measured(latency.dram - latency.l2, "of copies of 16 bytes, one after another");
  gpu.dram_gigabytes_per_second =
      measured(measure_copy_bandwidth(), fmt::format("a copy; only reading reaches {:.0f}", fastest(dram)));
  gpu.l2_gigabytes_per_second = measured(fastest(l2), "reading 16 MB again and again");
  gpu.shared_bytes_per_cycle = {128, Source::datasheet, "32 banks of 4 bytes"};
  gpu.peak_gflops = {2 * 128 * gpu.multiprocessors * gpu.clock_ghz, Source::datasheet,
                     "128 multiply-adds per cycle and multiprocessor"};
  for (const Field& field : fields()) {  // three digits are what a measurement is good for
    Figure& figure = gpu.*field.figure;
    if (figure.source == Source::measured) figure.value = std::stod(fmt::format("{:.3g}", figure.value));
  }
  return gpu;
}

int run(int argc, char** argv) {
  std::filesystem::path out;
  CLI::App app("acta_probe: measures this machine's GPU for acta", "acta_probe");
  app.add_option("--out", out, "Write the table to this file instead of standard output");
  if (!parse(app, argc, argv)) return exit_ok;
  if (!out.empty()) check_writable(out);
  const std::string table = to_json(probe());
  if (out.empty())
    fmt::print("{}", table);
  else
    write_file_atomically(out, table);
  return exit_ok;
}

}  // namespace
}  // namespace warplab::acta

int main(int argc, char** argv) {
  return warplab::acta::run_program("acta_probe", warplab::acta::run, argc, argv);
}
