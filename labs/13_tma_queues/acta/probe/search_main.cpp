// The program `acta_search`: measures every size of the queues of table I's kernels on this machine's GPU.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>

#include "acta/measured_times.hpp"
#include "acta/program.hpp"
#include "acta/workload.hpp"
#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "harness/results/source_commit.hpp"
#include "harness/rung/device_info.hpp"
#include "queue_search.hpp"

namespace warplab::acta {
namespace {

/// The table in the file, to go on from, or a new one. @throws BadInput where it is another GPU's
MeasuredTimes table_of(const std::filesystem::path& file, const std::string& gpu) {
  if (!exists(file))
    return MeasuredTimes(
        fmt::format("{}, commit {}, {:%Y-%m-%d}", gpu, source_commit(), fmt::gmtime(std::time(nullptr))));
  MeasuredTimes times = MeasuredTimes::read(file);
  if (!times.about().starts_with(gpu + ","))
    throw BadInput(
        fmt::format("{} has times of '{}', and this GPU is {}", file.string(), times.about(), gpu));
  return times;
}

void search(const std::filesystem::path& file) {
  check_writable(file);
  MeasuredTimes times = table_of(file, query_device().name);
  for (int number = 0; number < tma_queues_kernels; ++number) {
    const std::string kernel = tma_queues_kernel_names[number];
    QueueSearch queues(static_cast<QueueKernel>(number));
    for (const char* rung : {"ring", "ring_cp_async"})
      for (std::size_t tile = min_tile; tile <= greatest_tile; tile *= 2)
        for (int slots = 1; slots <= max_slots; ++slots) {
          if (times.time(rung, kernel, {tile, slots})) continue;
          const QueueShape shape{static_cast<int>(tile), slots, 1};
          if (const auto ms = queues.measure(rung, shape)) times.set(rung, kernel, {tile, slots}, *ms);
        }
    write_file_atomically(file, times.to_csv());  // an interrupted search goes on from here
    for (const char* rung : {"ring", "ring_cp_async"})
      if (const auto best = times.fastest(rung, kernel))
        fmt::print("{:<14} {:<14} {} slots of {} elements: {:.4f} ms\n", kernel, rung, best->slots,
                   best->tile, *times.time(rung, kernel, *best));
    std::fflush(stdout);
  }
}

int run(int argc, char** argv) {
  std::filesystem::path out;
  CLI::App app("acta_search: every size of the queues of six kernels, measured on this machine's GPU",
               "acta_search");
  app.add_option("--out", out, "The table, a CSV file; an interrupted search goes on from it");
  if (!parse(app, argc, argv)) return exit_ok;
  if (out.empty()) throw BadInput("--out is missing; it names the table, such as devices/h100_times.csv");
  search(out);
  return exit_ok;
}

}  // namespace
}  // namespace warplab::acta

int main(int argc, char** argv) {
  return warplab::acta::run_program("acta_search", warplab::acta::run, argc, argv);
}
