#include "grader/judge/oddities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "grader/text/printable.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

constexpr std::size_t margin = 160, gap = 40;

/// Whether a line has code behind many blanks, beyond what an editor's window shows.
bool is_beyond_the_margin(std::string_view line) {
  const std::size_t end = line.find_last_not_of(" \t\r");
  if (end == std::string_view::npos || end < margin) return false;
  std::size_t blanks = 0;
  for (std::size_t i = 0; i <= end; ++i) {
    blanks = line[i] == ' ' || line[i] == '\t' ? blanks + 1 : 0;
    if (blanks >= gap && i + 1 >= margin) return true;
  }
  return false;
}

}  // namespace

std::string hidden_in(const std::map<std::string, std::string>& files) {
  std::string text;
  const auto add = [&](const std::string& file, std::size_t line, const char* what) {
    text += fmt::format("{}{}:{} has {}", text.empty() ? "" : "; ", file, line, what);
  };
  for (const auto& [file, content] : files) {
    std::size_t number = 0;
    bool unseen = false, beyond = false;
    for (std::string_view line : lines_of(content)) {
      ++number;
      line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
      const std::string valid = valid_utf8(line);
      if (!unseen && shown_text(valid, 2, valid.size() + 1) != valid) {
        unseen = true;
        add(file, number, "characters that are not seen");
      }
      if (!beyond && is_beyond_the_margin(line)) {
        beyond = true;
        add(file, number, "code far beyond the right margin");
      }
    }
  }
  return text;
}

std::string idle_kernels_of(const std::vector<lens::Launch>& launches) {
  std::set<std::string> idle;
  for (const lens::Launch& launch : launches)
    if (launch.recorded() && launch.descendants.empty() && launch.counts.global_store.requests == 0 &&
        launch.counts.global_atomics.lanes == 0)
      idle.insert(shown_line(launch.kernel.substr(0, launch.kernel.find_first_of("<(")), 80));
  return idle.empty() ? "" : fmt::format("launches that store nothing: {}", fmt::join(idle, ", "));
}

}  // namespace warplab
