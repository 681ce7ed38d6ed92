#include "grader/judge/limit_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/console/case_text.hpp"
#include "harness/rung/backend.hpp"

namespace warplab {
namespace {

using Extents = std::vector<std::int64_t>;

std::int64_t step_of(std::int64_t extent, const Limit& limit) { return extent > 1024 ? 256 : limit.step; }

/// Of whole tiles, or the extent itself where it is less than one.
Extents a_quarter_down(std::int64_t extent, std::int64_t step) {
  Extents near;
  for (std::int64_t tiles = (extent - extent / 4 + step - 1) / step; tiles * step <= extent; ++tiles)
    near.push_back(tiles * step);
  if (near.empty()) near.push_back(extent);
  return near;
}

/// The cases with each of these extents in place of the one of that number.
std::vector<Case> with_each(const std::vector<Case>& cases, std::size_t number, const Extents& extents) {
  std::vector<Case> result;
  for (const Case& c : cases)
    for (const std::int64_t extent : extents) {
      result.push_back(c);
      result.back().size[number].second = extent;
    }
  return result;
}

}  // namespace

Case published_case(const Limit& limit, const Problem& problem) {
  Case c = problem.default_case(Backend::emulator);
  for (const auto& [name, value] : limit.size) c.extent(name) = value;
  for (const auto& [name, value] : limit.params) c.set_param(name, value);
  if (limit.dtype) c.dtype = *limit.dtype;
  return c;
}

std::vector<Case> sizes_near(const Limit& limit, const Problem& problem) {
  const Case published = published_case(limit, problem);
  if (!limit.figure.empty()) return {published};
  std::vector<Case> cases{published};
  for (std::size_t i = 0; i < published.size.size(); ++i) {
    const std::int64_t extent = published.size[i].second;
    cases = with_each(cases, i, a_quarter_down(extent, step_of(extent, limit)));
  }
  if (cases.size() > 1) return cases;
  for (std::size_t i = 0; i < published.size.size(); ++i) {
    const std::int64_t extent = published.size[i].second, step = step_of(extent, limit);
    if (extent < step) continue;
    cases.push_back(cases.front());
    cases.back().size[i].second = (extent / step + 1) * step;
  }
  return cases;
}

std::vector<Case> drawn_cases(const Limit& limit, const Problem& problem, const Rung& rung,
                              const Secret& secret) {
  std::vector<Case> near = sizes_near(limit, problem), cases;
  const std::string published = size_text(published_case(limit, problem));
  for (const char* turn : {"first", "second"}) {
    if (near.empty()) break;
    const std::string purpose = fmt::format("limit {} {}", problem.lab(), turn);
    const auto drawn =
        near.begin() + static_cast<std::ptrdiff_t>(secret.number(purpose + " " + published) % near.size());
    drawn->seed = secret.number(purpose);
    cases.push_back(problem.for_rung(*drawn, rung));
    near.erase(drawn);
  }
  return cases;
}

}  // namespace warplab
