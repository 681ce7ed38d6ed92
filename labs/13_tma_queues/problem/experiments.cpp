#include "labs/13_tma_queues/problem/experiments.hpp"

#include <fmt/format.h>

#include "harness/rung/device_info.hpp"
#include "labs/13_tma_queues/problem/sizing_check.hpp"
#include "labs/13_tma_queues/tma_queues_shape.hpp"

namespace warplab {
namespace {

/// A version of figure 2: a rung, and how its queues are sized.
struct Version {
  const char* label;
  const char* rung;
  int tile, slots;  ///< 0: the fastest of a search, or what the rung computes
  const char* note;
};
constexpr Version versions[] = {
    {"NoTMA Not-Tuned", "synchronous", 64, 1, "each tile is loaded, awaited and used"},
    {"NoTMA Fine-Tuned", "ring_cp_async", 0, 0, "the fastest of 64 sizes, by cp.async"},
    {"TMA-Like Not-Tuned", "ring", 64, 1, "one slot never overlaps copies with work"},
    {"TMA-Like Informed-Tuned", "ring", 256, 4, "the report takes tiles of 64 to 256 and 2 to 4 slots"},
    {"TMA-Like Fine-Tuned", "ring", 0, 0, "the fastest of 64 sizes"},
    {"ACTA", "acta", 0, 0, "computed when it is launched"},
};

/// What the text says of figure 2, whose bars have no numbers.
constexpr const char* said_of_acta[tma_queues_kernels] = {
    "published: within 1 % of fine-tuned",    "published: within 1 % of fine-tuned",
    "published: within 1 % of fine-tuned",    "published: within 1 % of fine-tuned",
    "published: more than 90 % of the ideal", "published: more than 35 % of the ideal"};

void set_shape(Case& c, std::int64_t tile, std::int64_t slots) {
  const auto set = [&c](const char* name, std::int64_t value) {
    c.params.push_back({.name = name, .value = static_cast<double>(value), .of_rung = true});
  };
  set("tile", tile);
  set("slots", slots);
  set("blocks", 1);
}

}  // namespace

std::vector<Experiment> tma_queues_experiments(const std::vector<Case>& kernels) {
  std::vector<Experiment> rows;
  for (std::size_t kernel = 0; kernel < kernels.size(); ++kernel)
    for (const Version& version : versions) {
      Case c = kernels[kernel];
      const bool computed = std::string_view(version.rung) == "acta";
      if (version.tile > 0) {
        set_shape(c, version.tile, version.slots);
      } else if (!computed) {
        const std::vector<std::int64_t> best = SizingCheck::fine_tuned(c, version.rung, query_device().name);
        set_shape(c, best[0], best[1]);
      }
      rows.push_back({"003 figure 2",
                      fmt::format("{}, {}", c.params.front().label, version.label),
                      version.rung,
                      c,
                      {},
                      computed ? std::string(said_of_acta[kernel]) : version.note});
    }
  return rows;
}

std::vector<Case> tma_queues_sizes(const Case& kernel) {
  std::vector<Case> cases;
  for (const int tile : {64, 128, 256, 512, 1024, 2048, 4096, 8192})
    for (const int slots : {1, 2, 3, 4, 5, 6, 7, 8}) {
      if (slots > 1 && std::int64_t{slots - 1} * tile >= kernel.extent("k")) continue;
      set_shape(cases.emplace_back(kernel), tile, slots);
    }
  return cases;
}

}  // namespace warplab
