#include "grader/check/grid_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/launch_shape.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/text/tokens.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

bool has_block_z(const std::vector<Token>& tokens) {
  for (std::size_t i = 2; i < tokens.size(); ++i)
    if (tokens[i].text == "z" && tokens[i - 1].text == "." && tokens[i - 2].text == "blockIdx") return true;
  return false;
}

/// The names in `#include "name"`.
std::vector<std::string> quoted_includes(const std::vector<Token>& tokens) {
  std::vector<std::string> names;
  for (std::size_t i = 2; i < tokens.size(); ++i) {
    const std::string_view name = tokens[i].text;
    if (tokens[i - 2].text == "#" && tokens[i - 1].text == "include" && name.starts_with('"') &&
        name.size() > 2)
      names.emplace_back(name.substr(1, name.size() - 2));
  }
  return names;
}

}  // namespace

void GridLayers::add(const std::vector<lens::Launch>& launches) {
  for (const lens::Launch& launch : launches) {
    Most& most = kernels_[launch.kernel.substr(0, launch.kernel.find_first_of("<("))];
    most.down = std::max(most.down, launch.grid[1]);
    most.layers = std::max(most.layers, launch.grid[2]);
  }
}

std::vector<std::string> GridLayers::in_one_layer() const {
  std::vector<std::string> sentences;
  for (const auto& [kernel, most] : kernels_)
    if (most.down > 1 && most.layers == 1)
      sentences.push_back(
          fmt::format("no graded case has more than {} blocks of {} down, so without blockIdx.z it keeps all "
                      "points: add a public case with more than {}",
                      most.down, kernel, graded_blocks_down));
  return sentences;
}

bool reads_layers(const Lab& lab, const FileTexts& files) {
  std::set<std::string> seen;
  std::vector<std::string> texts;
  for (const auto& [name, text] : files) seen.insert(name), texts.push_back(text);
  while (!texts.empty()) {
    const std::string text = std::move(texts.back());
    texts.pop_back();
    const std::vector<Token> tokens = tokens_of(text);
    if (has_block_z(tokens)) return true;
    for (const std::string& name : quoted_includes(tokens))
      if (fs::is_regular_file(lab.folder / name) && seen.insert(name).second)
        texts.push_back(bytes_of_file(lab.folder / name));
  }
  return false;
}

}  // namespace warplab
