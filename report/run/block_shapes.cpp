#include "report/run/block_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lens/patterns/bank_schedule.hpp"
#include "report/charts/base64.hpp"
#include "report/html/html.hpp"

namespace warplab::report {
namespace {

using lens::RequestKind;
using lens::RequestSample;

constexpr unsigned lanes = 32, element = 4, sector = 32, row_of_matrix = 64, row_of_tile = 32;

/// The first warp's lanes are numbered along x first. @param place of the element of thread (x, y)
template <class Place>
RequestSample first_warp(RequestKind kind, std::array<unsigned, 2> shape, const Place& place) {
  RequestSample sample;
  sample.kind = kind;
  sample.mask = ~0u;
  sample.bytes = element;
  for (unsigned lane = 0; lane < lanes; ++lane)
    sample.address[lane] = element * place(lane % shape[0], lane / shape[0]);
  return sample;
}

std::string text_of(std::array<unsigned, 2> shape) { return fmt::format("{}x{}", shape[0], shape[1]); }

/// Whether a launch's block, [32, 8, 1] of the lens or "32x8" of a GPU's, has more than one row.
bool has_rows(const Json& launch) {
  if (!launch.is_object() || !launch.contains("block")) return false;
  const Json& block = launch.at("block");
  if (block.is_string()) return block.get<std::string>().find('x') != std::string::npos;
  return block.is_array() && block.size() > 1 && block.at(1) != 1;
}

}  // namespace

bool ran_in_two_dimensions(const Row& row) {
  const auto any = [](const Json& list) { return std::any_of(list.begin(), list.end(), has_rows); };
  if (has_rows(Json{{"block", row.param("block")}}) || any(row.kernels)) return true;
  return row.lens.is_object() && row.lens.contains("launches") && any(row.lens.at("launches"));
}

std::vector<Access> accesses_of_block(std::array<unsigned, 2> shape) {
  RequestSample global = first_warp(RequestKind::global_load, shape,
                                    [](unsigned x, unsigned y) { return y * row_of_matrix + x; });
  std::set<std::uint64_t> sectors;
  for (const std::uint64_t address : global.address) sectors.insert(address / sector);
  global.cost = static_cast<unsigned>(sectors.size()), global.ideal = lanes * element / sector;
  RequestSample shared =
      first_warp(RequestKind::shared_load, shape, [](unsigned x, unsigned y) { return x * row_of_tile + y; });
  shared.cost = lens::schedule_banks(shared).wavefronts, shared.ideal = 1;
  return {{"matrix[y][x] in global memory", global}, {"tile[x][y] in shared memory", shared}};
}

std::string block_shapes_html() {
  std::string choices, figures;
  for (const auto& shape : block_shapes) {
    const std::string name = text_of(shape), id = "block" + name;
    const std::vector<Access> accesses = accesses_of_block(shape);
    choices +=
        fmt::format("<input type=\"radio\" name=\"block\" id=\"{0}\"{1}/><label for=\"{0}\">{2}</label>\n",
                    id, shape == block_shapes.front() ? " checked=\"checked\"" : "", name);
    figures +=
        fmt::format("<figure><img src=\"{}\" alt=\"Blocks of {}. {}\"/></figure>\n",
                    data_uri("image/svg+xml", access_picture("A warp of a block of " + name, accesses)), name,
                    escaped(accesses_text(accesses)));
  }
  return "<section>\n<h2>A block's shape</h2>\n"
         "<p class=\"small soft\">What the first warp of a block asks for, if a thread loads 4 bytes at its "
         "own row and column, and if it reads a tile of 32 columns by the other index. Computed, not "
         "recorded. Choose the threads of a block, x by y:</p>\n<div class=\"shapes\">\n" +
         choices + figures + "</div>\n</section>\n";
}

}  // namespace warplab::report
