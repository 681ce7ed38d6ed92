#include "grader/hunt/planted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "common/host/bad_input.hpp"
#include "grader/predict/questions.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/text/sha256.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

/// Sets the lines in which a text differs from what it was.
void set_lines(PlantedMistake& planted, std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = lines_of(before), lines = lines_of(after);
  const std::size_t shorter = std::min(old_lines.size(), lines.size());
  std::size_t same = 0, same_at_end = 0;
  while (same < shorter && old_lines[same] == lines[same]) ++same;
  while (same_at_end < shorter - same &&
         old_lines[old_lines.size() - 1 - same_at_end] == lines[lines.size() - 1 - same_at_end])
    ++same_at_end;
  planted.first_line = static_cast<int>(same) + 1;
  planted.last_line = static_cast<int>(lines.size() - same_at_end);
  if (planted.last_line >= planted.first_line) return;
  planted.first_line = std::max(1, planted.last_line);
  ++planted.last_line;
}

PlantedMistake planted_in(const Lab& lab, const Mutant& mutant) {
  const Task& task = *std::ranges::find(lab.tasks, mutant.task, &Task::id);
  PlantedMistake planted{&task, {}, mutant.name};
  for (const std::string& file : task.files())
    planted.files[file] = with_solutions(bytes_of_file(lab.folder / file), file);
  const std::string wrong = with_mistake(bytes_of_file(lab.folder / task.file), task.file, mutant);
  set_lines(planted, planted.files.at(task.file), wrong);
  planted.files[task.file] = wrong;
  return planted;
}

}  // namespace

std::vector<PlantedMistake> planted_mistakes(const Lab& lab, const std::vector<Mutant>& mutants,
                                             const std::string& name) {
  std::vector<Mutant> left = mutants;
  std::erase_if(left, [](const Mutant& mutant) {
    return mutant.killed_by == Mutant::Killer::compile || mutant.killed_by == Mutant::Killer::refused;
  });
  if (left.size() < planted_per_student)
    throw BadInput(fmt::format("{} has {} mutants to plant, and a hunt takes {}", lab.stem, left.size(),
                               planted_per_student));
  std::map<std::string, int> tasks;
  std::vector<PlantedMistake> planted;
  while (planted.size() < planted_per_student) {
    const auto best = std::ranges::min_element(left, {}, [&](const Mutant& mutant) {
      const std::string key =
          fmt::format("hunt {} {} {} {}", plain_name(name), lab.stem, mutant.task, mutant.name);
      return std::pair(tasks[mutant.task], sha256(key));
    });
    ++tasks[best->task];
    planted.push_back(planted_in(lab, *best));
    left.erase(best);
  }
  return planted;
}

}  // namespace warplab
