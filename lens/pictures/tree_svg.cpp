#include "lens/pictures/tree_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lens/patterns/access_pattern.hpp"
#include "lens/pictures/svg.hpp"
#include "lens/text/launch_tree.hpp"
#include "lens/text/source_text.hpp"
#include "lens/text/table_rows.hpp"

namespace warplab::lens {
namespace {

constexpr double width = 960, left = 24, right = width - 24;
constexpr std::size_t max_drawn = 700, max_drawn_levels = 40, max_rows = 24;
constexpr const char* kernel_styles[] = {"asked", "late", "shared-word", "dot"};

struct Level {
  std::uint64_t threads = 0;
  std::vector<std::uint64_t> launches;  ///< by kernel
  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : launches) sum += n;
    return sum;
  }
};

/// The launch by the host as the first of all.
class Tree {
 public:
  explicit Tree(const Launch& launch) : root_(launch) {
    const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    nodes_.push_back({0, 0, launch.kernel, launch.blocks, threads});
    nodes_.insert(nodes_.end(), launch.descendants.begin(), launch.descendants.end());
    for (const Descendant& node : nodes_) {
      const std::size_t kernel = kernel_of(node);
      if (levels_.size() <= node.depth) levels_.resize(node.depth + 1);
      Level& level = levels_[node.depth];
      level.launches.resize(std::max(level.launches.size(), kernel + 1));
      ++level.launches[kernel];
      level.threads += node.blocks * node.threads;
    }
  }
  const Launch& root() const { return root_; }
  const std::vector<Descendant>& nodes() const { return nodes_; }
  const std::vector<std::string>& kernels() const { return kernels_; }
  const std::vector<Level>& levels() const { return levels_; }
  const char* style_of(std::size_t kernel) const {
    return kernel_styles[std::min(kernel, std::size(kernel_styles) - 1)];
  }
  std::size_t kernel_of(const Descendant& node) {
    const auto found = std::ranges::find(kernels_, node.kernel);
    if (found != kernels_.end()) return static_cast<std::size_t>(found - kernels_.begin());
    kernels_.push_back(node.kernel);
    return kernels_.size() - 1;
  }

 private:
  const Launch& root_;
  std::vector<Descendant> nodes_;
  std::vector<std::string> kernels_;
  std::vector<Level> levels_;
};

/// Where each launch is: leaves side by side, and others above the middle of theirs, from 0 to 1.
std::vector<double> places_of(const std::vector<Descendant>& nodes) {
  std::vector<double> leaves(nodes.size(), 0), begin(nodes.size(), 0), next(nodes.size(), 0);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    leaves[i] = std::max(leaves[i], 1.0);
    if (i > 0) leaves[nodes[i].parent] += leaves[i];
  }
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    begin[i] = next[nodes[i].parent];
    next[nodes[i].parent] += leaves[i];
    next[i] = begin[i];
  }
  std::vector<double> places(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) places[i] = (begin[i] + leaves[i] / 2) / leaves[0];
  return places;
}

/// Draws every launch. @return how far down
double draw_nodes(Svg& drawing, Tree& tree, double top) {
  const std::vector<double> places = places_of(tree.nodes());
  const auto levels = static_cast<double>(tree.levels().size());
  const double down = std::clamp(420 / levels, 14.0, 46.0);
  const auto x = [&](std::size_t i) { return left + places[i] * (right - left); };
  const auto y = [&](std::size_t i) { return top + down * tree.nodes()[i].depth; };
  for (std::size_t i = 1; i < tree.nodes().size(); ++i)
    drawing.line(x(tree.nodes()[i].parent), y(tree.nodes()[i].parent), x(i), y(i), "wire-thin");
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const Descendant& node = tree.nodes()[i];
    const double size = node.threads * node.blocks < 32 ? 4 : node.blocks == 1 ? 8 : 12;
    drawing.rect(x(i) - size / 2, y(i) - size / 2, size, size, tree.style_of(tree.kernel_of(node)), size / 2);
  }
  return top + down * (levels - 1) + 24;
}

/// A bar for each level, or for several where there are many. @return how far down
double draw_levels(Svg& drawing, const Tree& tree, double top) {
  const std::size_t levels = tree.levels().size(), rows = std::min(levels, max_rows),
                    each = (levels + rows - 1) / rows;
  const double bars = left + 110, max_width = 480, level_height = 17;
  std::vector<Level> sums;
  for (std::size_t first = 0; first < levels; first += each) {
    Level& sum = sums.emplace_back();
    sum.launches.resize(tree.kernels().size());
    for (std::size_t i = first; i < std::min(first + each, levels); ++i) {
      sum.threads += tree.levels()[i].threads;
      for (std::size_t k = 0; k < tree.levels()[i].launches.size(); ++k)
        sum.launches[k] += tree.levels()[i].launches[k];
    }
  }
  const std::uint64_t most = std::ranges::max(sums, {}, &Level::count).count();
  double y = top;
  for (std::size_t row = 0; row < sums.size(); ++row, y += level_height) {
    const std::size_t first = row * each, last = std::min(first + each, levels) - 1;
    drawing.text(bars - 10, y + 11,
                 row == 0 && each == 1 ? "host"
                 : first == last       ? fmt::format("depth {}", first)
                                       : fmt::format("depth {}-{}", first, last),
                 "faint", "end");
    double x = bars;
    for (std::size_t k = 0; k < sums[row].launches.size(); ++k) {
      if (sums[row].launches[k] == 0) continue;
      const double wide =
          std::max(1.5, max_width * static_cast<double>(sums[row].launches[k]) / static_cast<double>(most));
      drawing.rect(x, y + 1, wide, level_height - 4, tree.style_of(k));
      x += wide;
    }
    const std::uint64_t count = sums[row].count();
    drawing.text(x + 8, y + 11,
                 fmt::format("{} launch{}, {} thread{}", grouped(count), count == 1 ? "" : "es",
                             grouped(sums[row].threads), sums[row].threads == 1 ? "" : "s"),
                 "faint");
  }
  return y;
}

}  // namespace

std::string tree_svg(const std::vector<Launch>& launches) {
  Tree tree(root_of_largest_tree(launches));
  Svg drawing;
  const std::string title = "Who launched whom: " + tree_text(launches);
  drawing.text(left, 30, title, "verdict");
  double y = 56;
  std::vector<std::uint64_t> totals(tree.kernels().size());
  for (const Level& level : tree.levels())
    for (std::size_t k = 0; k < level.launches.size(); ++k) totals[k] += level.launches[k];
  for (std::size_t k = 0; k < tree.kernels().size(); ++k, y += 18) {
    drawing.rect(left, y - 10, 11, 11, tree.style_of(k), 5.5);
    drawing.text(left + 18, y, cut(fmt::format("{}: {}", tree.kernels()[k], grouped(totals[k])), 110),
                 "faint");
  }
  y += 14;
  if (tree.nodes().size() <= max_drawn && tree.levels().size() <= max_drawn_levels)
    y = draw_nodes(drawing, tree, y) + 8;
  y = draw_levels(drawing, tree, y);
  return drawing.document(width, y + 12, title);
}

}  // namespace warplab::lens
