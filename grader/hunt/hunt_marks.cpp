#include "grader/hunt/hunt_marks.hpp"
#include "common/host/bad_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "grader/predict/marks.hpp"

namespace warplab {

std::string text_of(const GivenFind& find) { return fmt::format("{} {}", find.line, find.kind); }

GivenFind find_of(const std::string& answer) {
  GivenFind find;
  const std::size_t space = std::min(answer.find(' '), answer.size());
  const auto [end, error] = std::from_chars(answer.data(), answer.data() + space, find.line);
  if (error != std::errc() || end != answer.data() + space || find.line < 1) return {};
  find.kind = answer.substr(std::min(space + 1, answer.size()));
  const std::vector<std::string> kinds = symptom_kinds();
  return std::ranges::find(kinds, find.kind) == kinds.end() ? GivenFind{} : find;
}

HuntMarks hunt_marks(const SealedAnswers& given, const std::vector<PlantedMistake>& planted,
                     const std::function<Symptoms(const PlantedMistake&)>& symptoms) {
  HuntMarks marks;
  marks.committed = true;
  for (std::size_t i = 0; i < planted.size(); ++i) {
    const PlantedMistake& mistake = planted[i];
    const auto answer = std::ranges::find(given.answers, std::to_string(i + 1), &GivenAnswer::id);
    const GivenFind find = answer == given.answers.end() ? GivenFind{} : find_of(answer->answer);
    if (find.line == 0 || !is_reason(answer->reason)) {
      marks.committed = false;
      marks.remarks.push_back(fmt::format("{}: not answered", i + 1));
      continue;
    }
    const std::set<std::string> kinds = symptoms(mistake).kinds;
    const bool line = find.line >= mistake.first_line && find.line <= mistake.last_line,
               kind = kinds.contains(find.kind);
    marks.lines += line;
    marks.kinds += kind;
    if (!line || !kind)
      marks.remarks.push_back(fmt::format("{}: {}, and it is '{}' in lines {} to {}: {}", i + 1,
                                          answer->answer, mistake.name, mistake.first_line, mistake.last_line,
                                          fmt::join(kinds, ", ")));
  }
  if (marks.committed && !planted.empty())
    marks.points =
        hunt_points / 2 + hunt_points / 4 * (marks.lines + marks.kinds) / static_cast<double>(planted.size());
  return marks;
}

HuntMarks hunt_marks(const SealedAnswers& given, const std::function<std::vector<PlantedMistake>()>& planted,
                     const std::function<Symptoms(const PlantedMistake&)>& symptoms) {
  std::vector<PlantedMistake> mistakes;
  try {
    mistakes = planted();
  } catch (const BadInput& error) {
    return {.committed = false, .lines = 0, .kinds = 0, .points = 0, .remarks = {error.what()}};
  }
  return hunt_marks(given, mistakes, symptoms);
}

}  // namespace warplab
