// The program `acta`: sizes the queues of the paper's kernels for a GPU that need
// not be here, and simulates them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "block_share.hpp"
#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "kernels.hpp"
#include "own_algorithm.hpp"
#include "program.hpp"
#include "published_algorithm.hpp"
#include "queue_simulator.hpp"
#include "regret.hpp"

namespace warplab::acta {
namespace {

struct Options {
  std::string gst, kernel = "all", algorithm = "own";
  std::filesystem::path table;
  double latency_spread = 0;
  bool list = false;
};

void print_list() {
  fmt::print("{:<14}  {:<26} {:>6} {:>6} {:>6} {:>16}\n", "kernel", "dimensions", "queues", "tiles", "slots",
             "combinations");
  for (const Kernel& kernel : kernels())
    fmt::print("{:<14}  {:<26} {:>6} {:>6} {:>6} {:>16}\n", kernel.name, kernel.dimensions,
               kernel.published.queues, kernel.published.tiles.size(), kernel.published.slots.size(),
               kernel.published.combinations_text());
}

/// The table of an exhaustive search in the simulator.
SearchTable search(const GpuSpecification& gpu, const Kernel& kernel, const Options& options) {
  const Workload workload = kernel.on(static_cast<int>(gpu.multiprocessors));
  const Cost cost = [&](const Choices& choices) {
    const std::vector<QueueSize> sizes = sizes_of(workload, choices);
    if (!fits(gpu, workload, sizes)) return std::numeric_limits<double>::infinity();
    return simulate(gpu, workload, sizes, options.latency_spread).cycles;
  };
  const std::string about =
      fmt::format("{} on {}, simulated, latency spread {:g}", kernel.name, gpu.name, options.latency_spread);
  return search_exhaustively(kernel.search, cost, {.file = options.table, .about = about});
}

std::string text_of(const Choices& choices) {
  std::string text;
  for (const Choice& choice : choices)
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", choice.slots, choice.tile);
  return text;
}

/// Prints one kernel's row and returns its regret.
double report(const GpuSpecification& gpu, const Kernel& kernel, const Options& options) {
  const Workload workload = kernel.on(static_cast<int>(gpu.multiprocessors));
  const SearchTable table = search(gpu, kernel, options);
  const auto& [best_choices, best_cycles] = best(table);
  Choices chosen = best_choices;
  if (options.algorithm == "own") chosen = choices_of(workload, own_sizes(gpu, workload));
  if (options.algorithm == "published") chosen = choices_of(workload, published_sizes(gpu, workload));
  const double cycles = table.at(chosen), ideal = ideal_cycles(gpu, workload);
  fmt::print("{:<14}  {:<18} {:>6.0f} {:>10.0f} {:>8.1f}%   {:<18} {:>10.0f} {:>8.2f}%\n", kernel.name,
             text_of(chosen), static_cast<double>(shared_bytes(sizes_of(workload, chosen))) / 1024, cycles,
             100 * ideal / cycles, text_of(best_choices), best_cycles, 100 * regret(table, chosen));
  return regret(table, chosen);
}

int size_kernels(const Options& options) {
  const GpuSpecification gpu = read_specification(options.gst);
  std::vector<Kernel> chosen = kernels();
  if (options.kernel != "all") chosen = {kernel_named(options.kernel)};
  if (!options.table.empty() && chosen.size() != 1)
    throw BadInput("--table takes the search of one kernel; name it with --kernel");

  if (!options.table.empty()) check_writable(options.table);

  fmt::print("{}, {} algorithm, simulated; sizes are slots x tile of streaming, stationary queues\n",
             gpu.name, options.algorithm);
  fmt::print("{:<14}  {:<18} {:>6} {:>10} {:>9}   {:<18} {:>10} {:>9}\n", "kernel", "chosen", "KiB", "cycles",
             "of ideal", "exhaustive best", "cycles", "behind");
  std::vector<double> regrets;
  for (const Kernel& kernel : chosen) regrets.push_back(report(gpu, kernel, options));
  if (regrets.size() > 1)
    fmt::print(
        "behind the best in geometric mean: {:.2f} % (the paper's algorithm in its own simulator: {:.2f} "
        "%)\n",
        100 * mean_regret(regrets), 100 * published_mean_regret);
  return exit_ok;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("acta: tile and slots of the queues that a TMA fills", "acta");
  app.add_option("--gst", options.gst, "The GPU's table, as JSON");
  app.add_option("--kernel", options.kernel, "A kernel of --list, or all");
  app.add_option("--algorithm", options.algorithm, "own, published or exhaustive")
      ->check(one_of("--algorithm", {"own", "published", "exhaustive"}));
  app.add_option("--table", options.table, "Keep the search's table in this CSV file, and go on from it");
  app.add_option("--latency-spread", options.latency_spread,
                 "Let latencies differ by up to this share, 0 to 1");
  app.add_flag("--list", options.list, "Print the kernels and the combinations of their sizes");
  if (!parse(app, argc, argv)) return exit_ok;
  if (options.list) {
    print_list();
    return exit_ok;
  }
  if (!(options.latency_spread >= 0 && options.latency_spread <= 1))
    throw BadInput(fmt::format("--latency-spread {} is out of range; accepted are numbers from 0 to 1",
                               options.latency_spread));
  if (options.gst.empty())
    throw BadInput("--gst is missing; it names a GPU's table, such as devices/h100.json");
  return size_kernels(options);
}

}  // namespace
}  // namespace warplab::acta

int main(int argc, char** argv) { return warplab::acta::run_program("acta", warplab::acta::run, argc, argv); }
