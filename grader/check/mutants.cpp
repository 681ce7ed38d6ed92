#include "grader/check/mutants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <utility>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "grader/release/solution_regions.hpp"
#include "lens/finding.hpp"

namespace warplab {
namespace {

using Json = nlohmann::json;
using enum Mutant::Killer;

constexpr std::pair<const char*, Mutant::Killer> killers[] = {{"compile", compile},
                                                              {"refused", refused},
                                                              {"public", public_cases},
                                                              {"hidden", hidden_cases},
                                                              {"limit", limit}};

Mutant::Killer killer_of(const std::string& name) {
  for (const auto& [known, killer] : killers)
    if (name == known) return killer;
  throw std::invalid_argument("it is killed by '" + name +
                              "'; there are compile, refused, public, hidden and limit");
}

bool is_kind(const std::string& name) {
  return name.empty() || name == no_kernel || lens::finding_kind(name) ||
         lens::hint_of(name).value_or(lens::Hint::none) != lens::Hint::none;
}

Mutant mutant_of(const Json& json, const Lab& lab) {
  Mutant mutant;
  for (const auto& [key, value] : json.items()) {
    std::string text = value.get<std::string>();
    if (key == "task")
      mutant.task = std::move(text);
    else if (key == "name")
      mutant.name = std::move(text);
    else if (key == "of")
      mutant.of = std::move(text);
    else if (key == "becomes")
      mutant.becomes = std::move(text);
    else if (key == "killed_by")
      mutant.killed_by = killer_of(text);
    else if (key == "kind")
      mutant.kind = std::move(text);
    else if (key == "says")
      mutant.says = std::move(text);
    else
      throw std::invalid_argument("\"" + key + "\" means nothing here");
  }
  for (const char* key : {"task", "name", "of", "becomes", "killed_by"})
    if (!json.contains(key)) throw std::invalid_argument(fmt::format("it has no \"{}\"", key));
  std::vector<std::string> ids;
  for (const Task& task : tasks_of_handout(lab)) ids.push_back(task.id);
  if (std::ranges::find(ids, mutant.task) == ids.end())
    throw std::invalid_argument(fmt::format("it is of the task \"{}\", which does not exist{}", mutant.task,
                                            did_you_mean(mutant.task, ids)));
  if (!is_kind(mutant.kind))
    throw std::invalid_argument("its kind '" + mutant.kind +
                                "' is not of a finding, not a likely cause, and not '" + no_kernel + "'");
  (void)std::regex(mutant.says);
  return mutant;
}

/// A file with its solutions, and their places in it.
struct SolvedFile {
  std::string text;
  std::vector<std::pair<std::size_t, std::size_t>> regions;  ///< from, to
};

SolvedFile solved(std::string_view text, const std::string& file) {
  const std::vector<SolutionRegion> regions = solution_regions(text, file);
  SolvedFile solved;
  auto region = regions.begin();
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    ++number;
    if (region == regions.end() || number < region->first_line) {
      solved.text.append(text.substr(0, end)) += '\n';
    } else if (number == region->last_line) {
      const std::size_t from = solved.text.size();
      for (const std::string& line : region->solution) solved.text += line + '\n';
      solved.regions.emplace_back(from, solved.text.size());
      ++region;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return solved;
}

}  // namespace

const char* name_of(Mutant::Killer killer) {
  for (const auto& [name, known] : killers)
    if (killer == known) return name;
  return "";
}

std::vector<Mutant> mutants_of(const Lab& lab, const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw BadInput("cannot read " + file.string());
  std::vector<Mutant> mutants;
  std::string place;
  try {
    const Json json = Json::parse(in);
    if (json.at("lab") != lab.stem) throw std::invalid_argument("it is of the lab " + json.at("lab").dump());
    for (const Json& one : json.at("mutants")) {
      place = fmt::format(", mutant {}", mutants.size() + 1);
      const Mutant mutant = mutant_of(one, lab);
      if (std::ranges::any_of(
              mutants, [&](const Mutant& m) { return m.task == mutant.task && m.name == mutant.name; }))
        throw std::invalid_argument(
            fmt::format("{} has another one called \"{}\"", mutant.task, mutant.name));
      mutants.push_back(mutant);
    }
  } catch (const std::exception& error) {
    throw BadInput(fmt::format("{}{}: {}", file.string(), place, error.what()));
  }
  std::erase_if(mutants, [&](const Mutant& mutant) {  // of a task that is dropped for the term
    return std::ranges::find(lab.tasks, mutant.task, &Task::id) == lab.tasks.end();
  });
  return mutants;
}

std::string with_mistake(std::string_view text, const std::string& file, const Mutant& mutant) {
  const auto refuse = [&](const std::string& what) {
    return BadInput(fmt::format("{}, mutant \"{}\": {}", file, mutant.name, what));
  };
  if (mutant.of.empty() || mutant.of == mutant.becomes) throw refuse("it changes nothing");
  SolvedFile solution = solved(text, file);
  std::vector<std::size_t> places;
  for (const auto& [from, to] : solution.regions)
    for (std::size_t at = solution.text.find(mutant.of, from);
         at != std::string::npos && at + mutant.of.size() <= to; at = solution.text.find(mutant.of, at + 1))
      places.push_back(at);
  if (places.size() != 1)
    throw refuse(
        fmt::format("its text occurs {} times in the solution, not once: {}", places.size(), mutant.of));
  return solution.text.replace(places.front(), mutant.of.size(), mutant.becomes);
}

}  // namespace warplab
