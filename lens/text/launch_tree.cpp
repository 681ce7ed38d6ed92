#include "lens/text/launch_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lens/text/table_rows.hpp"

namespace warplab::lens {

bool has_tree(const std::vector<Launch>& launches) {
  return std::ranges::any_of(launches, [](const Launch& launch) { return !launch.descendants.empty(); });
}

const Launch& root_of_largest_tree(const std::vector<Launch>& launches) {
  return *std::ranges::max_element(launches, {}, [](const Launch& l) { return l.descendants.size(); });
}

std::string tree_text(const std::vector<Launch>& launches) {
  const Launch& root = root_of_largest_tree(launches);
  std::uint32_t depth = 0;
  for (const Descendant& d : root.descendants) depth = std::max(depth, d.depth);
  return fmt::format("{} launch{} from kernels, {} deep, at most {} of them waiting to begin at a time",
                     grouped(root.descendants.size()), root.descendants.size() == 1 ? "" : "es", depth,
                     grouped(root.max_pending));
}

}  // namespace warplab::lens
