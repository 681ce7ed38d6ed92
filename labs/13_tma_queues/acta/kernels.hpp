#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "search.hpp"
#include "workload.hpp"

namespace warplab::acta {

/// A kernel of the paper's table I.
struct Kernel {
  std::string name;        ///< as on the command line: "dot_product"
  std::string printed;     ///< as in the paper: "Dot-Product"
  std::string dimensions;  ///< as in the paper
  Workload workload;       ///< multiprocessors is 0: see on()
  SearchSpace published;   ///< the space that the paper counts, with every queue on its own
  SearchSpace search;      ///< the space that we search: streaming queues alike, all slots from 1 to 8

  /// Its workload on a GPU.
  Workload on(int multiprocessors) const;
};

/// The six kernels, in the paper's order.
const std::vector<Kernel>& kernels();

/// @throws std::invalid_argument naming the kernels that exist
const Kernel& kernel_named(const std::string& name);

/// Sizes of all queues from the choices of a search: the first for all streaming queues,
/// the second for all stationary ones.
std::vector<QueueSize> sizes_of(const Workload& workload, const Choices& choices);

/// The reverse.
Choices choices_of(const Workload& workload, const std::vector<QueueSize>& sizes);

/// What the paper reports of a kernel. Figure 2 prints no numbers, so that only what the text says is here.
struct PublishedResult {
  std::string kernel;
  std::optional<double> max_regret;    ///< against the fine-tuned version
  std::optional<double> min_of_ideal;  ///< share of the ideal's performance
};
std::span<const PublishedResult> published_results();
inline constexpr double published_mean_regret = 0.0278;

/// A version of the kernels in figure 2, with the sizes that it is tuned over.
struct Version {
  std::string printed;
  bool has_tma;
  std::vector<std::size_t> tiles;  ///< empty: not given
  std::vector<int> slots;
};

/// The six versions of figure 2, in its order.
const std::vector<Version>& published_versions();

}  // namespace warplab::acta
