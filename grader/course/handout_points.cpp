#include "grader/course/handout_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace warplab {
namespace {

constexpr const char* not_in_term = "; not in this term";

/// Calls `found(begin, length)` for each place of points in the section Tasks.
template <class Found>
void each_place(std::string_view handout, const Found& found) {
  static const std::regex item(
      R"(^(?:\d+\. \*\*|\*\*\d+\. |### \d+\. ).*?\((\d+(?:\.\d+)?)(?: points[^)]*)?\))");
  bool inside = false;
  for (std::size_t at = 0, end; at < handout.size(); at = end + 1) {
    end = std::min(handout.find('\n', at), handout.size());
    const std::string_view line = handout.substr(at, end - at);
    if (line.starts_with("## ")) inside = line.starts_with("## Tasks");
    std::match_results<std::string_view::const_iterator> match;
    if (inside && std::regex_search(line.begin(), line.end(), match, item))
      found(at + static_cast<std::size_t>(match.position(1)), static_cast<std::size_t>(match.length(1)));
  }
}

}  // namespace

std::vector<double> points_in_handout(std::string_view handout) {
  std::vector<double> points;
  each_place(handout, [&](std::size_t at, std::size_t length) {
    points.push_back(std::stod(std::string(handout.substr(at, length))));
  });
  return points;
}

/// The handout with this sum in "## Tasks (100 points)".
std::string with_sum(const std::string& handout, double sum) {
  static const std::regex heading(R"((?:^|\n)## Tasks \((\d+(?:\.\d+)?) points\))");
  std::smatch found;
  if (!std::regex_search(handout, found, heading)) return handout;
  return std::string(handout.begin(), found[1].first) + fmt::format("{:g}", sum) +
         std::string(found[1].second, handout.end());
}

std::string with_points(std::string_view handout, const std::vector<std::optional<double>>& points) {
  if (points_in_handout(handout).size() != points.size()) return std::string(handout);
  std::string text;
  std::size_t from = 0, i = 0;
  double sum = 0;
  each_place(handout, [&](std::size_t at, std::size_t length) {
    const std::optional<double>& of_task = points[i++];
    sum += of_task.value_or(0);
    const std::size_t until = of_task ? at : handout.find(')', at);
    text.append(handout.substr(from, until - from))
        .append(of_task ? fmt::format("{:g}", *of_task) : not_in_term);
    from = of_task ? at + length : until;
  });
  return with_sum(text.append(handout.substr(from)), sum);
}

}  // namespace warplab
