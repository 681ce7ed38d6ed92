#include "kernels.hpp"

#include <array>
#include <stdexcept>

namespace warplab::acta {
namespace {

constexpr std::size_t width = sizeof(float);

std::vector<std::size_t> tiles_from(std::size_t least) {
  std::vector<std::size_t> tiles;
  for (std::size_t tile = least; tile <= greatest_tile; tile *= 2) tiles.push_back(tile);
  return tiles;
}

/// Table I counts five slots "from 1 to 8"; which five, it does not say.
SearchSpace published_space(std::size_t least, int queues) {
  return {tiles_from(least), {1, 2, 4, 6, 8}, queues};
}

/// Every number of slots from 1 to 8, and every tile.
SearchSpace search_space(int groups) { return {tiles_from(min_tile), {1, 2, 3, 4, 5, 6, 7, 8}, groups}; }

/// A kernel that goes once through vectors of `length` elements.
Kernel vector_kernel(std::string name, std::string printed, std::size_t length, int queues,
                     double stored_bytes, double flops) {
  Workload workload;
  workload.intensity = Intensity::low;
  workload.queues.assign(static_cast<std::size_t>(queues), {length, width, QueueKind::streaming});
  workload.flops_per_position = flops;
  workload.stored_bytes_per_position = stored_bytes;
  return {std::move(name),     std::move(printed),           std::to_string(length),
          std::move(workload), published_space(512, queues), search_space(1)};
}

/// A kernel that streams groups of 8 rows of `inner` elements past a stationary vector.
Kernel matrix_kernel(std::string name, std::string printed, std::string dimensions, std::size_t inner,
                     std::size_t passes, Intensity intensity) {
  constexpr std::size_t rows = 8;
  Workload workload;
  workload.intensity = intensity;
  workload.queues.assign(rows, {inner, width, QueueKind::streaming});
  workload.queues.push_back({inner, width, QueueKind::stationary});
  workload.passes = passes;
  workload.queues_per_push = rows;
  workload.flops_per_position = rows;
  return {std::move(name),
          std::move(printed),
          std::move(dimensions),
          std::move(workload),
          published_space(min_tile, rows + 1),
          search_space(2)};
}

std::vector<Kernel> table_1() {
  std::vector<Kernel> all = {vector_kernel("elementwise_k", "ElementwiseK", 16'777'216, 1, width, 1),
                             vector_kernel("elementwise", "Elementwise", 16'777'216, 2, width, 1),
                             vector_kernel("sumvectors", "Sumvectors", 16'777'216, 2, width, 1),
                             vector_kernel("dot_product", "Dot-Product", 2'097'152, 2, 0, 1),
                             matrix_kernel("matrix_vector", "Matrix-Vector", "[2048, 2048] x 2048", 2048,
                                           2048 / 8, Intensity::medium),
                             matrix_kernel("matrix_matrix", "Matrix-Matrix", "[512, 2048] x [2048, 128]",
                                           2048, 512 / 8 * 128, Intensity::high)};
  all.back().workload.distinct_bytes = (512 + 128) * 2048 * width;  // a pass: 8 rows of A and one column of B
  return all;
}

}  // namespace

Workload Kernel::on(int multiprocessors) const {
  Workload result = workload;
  result.multiprocessors = multiprocessors;
  return result;
}

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = table_1();
  return all;
}

const Kernel& kernel_named(const std::string& name) {
  std::string known;
  for (const Kernel& kernel : kernels()) {
    if (kernel.name == name) return kernel;
    known += (known.empty() ? "" : ", ") + kernel.name;
  }
  throw std::invalid_argument("unknown kernel '" + name + "'; known kernels: " + known);
}

std::vector<QueueSize> sizes_of(const Workload& workload, const Choices& choices) {
  std::vector<QueueSize> sizes;
  for (const Queue& queue : workload.queues) {
    const std::size_t group = queue.kind == QueueKind::streaming ? 0 : 1;
    sizes.push_back(sized(queue, choices.at(group).tile, choices.at(group).slots));
  }
  return sizes;
}

Choices choices_of(const Workload& workload, const std::vector<QueueSize>& sizes) {
  Choices choices;
  for (const QueueKind kind : {QueueKind::streaming, QueueKind::stationary})
    for (std::size_t q = 0; q < sizes.size(); ++q)
      if (workload.queues[q].kind == kind) {
        choices.push_back({sizes[q].tile, sizes[q].slots});
        break;
      }
  return choices;
}

std::span<const PublishedResult> published_results() {
  static const std::array<PublishedResult, 6> results = {{{"elementwise_k", 0.01, {}},
                                                          {"elementwise", 0.01, {}},
                                                          {"sumvectors", 0.01, {}},
                                                          {"dot_product", 0.01, {}},
                                                          {"matrix_vector", {}, 0.90},
                                                          {"matrix_matrix", {}, 0.35}}};
  return results;
}

const std::vector<Version>& published_versions() {
  static const std::vector<Version> versions = {
      {"NoTMA Not-Tuned", false, {}, {}},
      {"NoTMA Fine-Tuned", false, {}, {}},
      {"TMA-Like Not-Tuned", true, {}, {}},
      {"TMA-Like Informed-Tuned", true, {64, 128, 256}, {2, 3, 4}},
      {"TMA-Like Fine-Tuned", true, tiles_from(min_tile), {1, 2, 3, 4, 5, 6, 7, 8}},
      {"ACTA", true, {}, {}}};
  return versions;
}

}  // namespace warplab::acta
