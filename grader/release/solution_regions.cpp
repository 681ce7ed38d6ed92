#include "grader/release/solution_regions.hpp"

#include <fmt/format.h>

#include <optional>

#include "common/host/bad_input.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

constexpr std::string_view begin_mark = "// BEGIN SOLUTION", end_mark = "// END SOLUTION",
                           stub_mark = "// STUB";

std::string_view indentation(std::string_view line) { return line.substr(0, line.find_first_not_of(" \t")); }

}  // namespace

std::vector<SolutionRegion> solution_regions(std::string_view text, const std::string& file) {
  std::vector<SolutionRegion> regions;
  std::optional<SolutionRegion> open;
  std::string margin;
  int number = 0;
  const auto refuse = [&](const std::string& what) {
    return BadInput(fmt::format("{}:{}: {}", file, number, what));
  };
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const std::string_view words = trimmed(line);
    if (words == begin_mark) {
      if (open) throw refuse(fmt::format("a solution begins within the one of line {}", open->first_line));
      open.emplace().first_line = number;
      margin = indentation(line);
    } else if (words == end_mark) {
      if (!open) throw refuse("a solution ends that never began");
      open->last_line = number;
      regions.push_back(*std::move(open));
      open.reset();
    } else if (words.starts_with(stub_mark)) {
      if (!open) throw refuse("a stub outside of any solution");
      const std::string_view left = words.substr(stub_mark.size());
      if (!left.empty() && left.front() != ' ') throw refuse("a stub's mark is followed by a blank");
      open->stub.push_back(left.size() > 1 ? margin + std::string(left.substr(1)) : "");
    } else if (open) {
      open->solution.emplace_back(line);
    }
  }
  if (!open) return regions;
  number = open->first_line;
  throw refuse("a solution begins that never ends");
}

namespace {

/// The file with `kept(region)` in the place of each region.
template <class Kept>
std::string with_regions_replaced(std::string_view text, const std::string& file, Kept kept) {
  const std::vector<SolutionRegion> regions = solution_regions(text, file);
  const std::vector<std::string_view> lines = lines_of(text);
  std::string left;
  auto region = regions.begin();
  for (int number = 1; number <= static_cast<int>(lines.size()); ++number) {
    if (region == regions.end() || number < region->first_line) {
      left.append(lines[static_cast<std::size_t>(number) - 1]) += '\n';
      continue;
    }
    for (const std::string& line : kept(*region)) left += line + "\n";
    number = region->last_line;
    ++region;
  }
  return left;
}

}  // namespace

std::string without_solutions(std::string_view text, const std::string& file) {
  return with_regions_replaced(text, file, [](const SolutionRegion& region) { return region.stub; });
}

std::string with_solutions(std::string_view text, const std::string& file) {
  return with_regions_replaced(text, file, [](const SolutionRegion& region) { return region.solution; });
}

}  // namespace warplab
