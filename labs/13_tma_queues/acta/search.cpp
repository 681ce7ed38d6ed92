#include "search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "common/io/atomic_file.hpp"

namespace warplab::acta {
namespace {

/// Choice number `index` of the space: tiles vary slowest.
Choice choice_at(const SearchSpace& space, std::size_t index) {
  return {space.tiles.at(index / space.slots.size()), space.slots[index % space.slots.size()]};
}

/// The configuration after this one, the last queue's choice varying fastest; false after the last.
bool advance(std::vector<std::size_t>& indices, std::size_t choices) {
  for (std::size_t q = indices.size(); q-- > 0;) {
    if (++indices[q] < choices) return true;
    indices[q] = 0;
  }
  return false;
}

double elements(const Choices& choices) {
  double sum = 0;
  for (const Choice& choice : choices) sum += static_cast<double>(choice.tile) * choice.slots;
  return sum;
}

/// Of a line of the CSV; throws std::exception of any kind where it is not a row.
SearchTable::value_type row_from(const std::string& line) {
  std::istringstream in(line);
  std::vector<double> values;
  for (std::string cell; std::getline(in, cell, ',');) {
    std::size_t used = 0;
    values.push_back(std::stod(cell, &used));
    if (used != cell.size()) throw std::invalid_argument("not a number");
  }
  if (values.size() < 3 || values.size() % 2 == 0) throw std::invalid_argument("not a row");
  Choices choices;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2)
    choices.push_back({static_cast<std::size_t>(values[i]), static_cast<int>(values[i + 1])});
  return {choices, values.back()};
}

}  // namespace

double SearchSpace::combinations() const {
  return std::pow(static_cast<double>(tiles.size() * slots.size()), queues);
}

std::string SearchSpace::combinations_text() const {
  if (combinations() >= 1e19) return fmt::format("{:.1e}", combinations());
  unsigned long long product = 1;
  for (int q = 0; q < queues; ++q) product *= tiles.size() * slots.size();
  return fmt::format("{}", product);
}

std::string to_csv(const SearchTable& table, const std::string& about) {
  std::string text = fmt::format("# {}\n", about);
  const std::size_t queues = table.empty() ? 1 : table.begin()->first.size();
  for (std::size_t q = 0; q < queues; ++q) text += fmt::format("tile_{0},slots_{0},", q);
  text += "time\n";
  for (const auto& [choices, time] : table) {
    for (const Choice& choice : choices) text += fmt::format("{},{},", choice.tile, choice.slots);
    text += fmt::format("{}\n", time);
  }
  return text;
}

SearchTable read_search_table(const std::filesystem::path& file, const std::string& about) {
  std::ifstream in(file);
  if (!in) throw std::invalid_argument("cannot read " + file.string() + "; it must be a search's table");
  std::string line;
  std::getline(in, line);
  if (line != "# " + about)
    throw std::invalid_argument(fmt::format("{} begins with '{}'; a table of this search begins with '# {}'",
                                            file.string(), line, about));
  std::getline(in, line);  // names of columns
  SearchTable table;
  for (int number = 3; std::getline(in, line); ++number) {
    try {
      table.insert(row_from(line));
    } catch (const std::exception&) {
      throw std::invalid_argument(
          fmt::format("{}:{}: '{}' is not tile,slots,...,time", file.string(), number, line));
    }
  }
  return table;
}

SearchTable search_exhaustively(const SearchSpace& space, const Cost& cost, const SearchOptions& options) {
  if (space.combinations() > options.limit)
    throw std::invalid_argument(fmt::format("{} combinations are too many to try; the limit is {:g}",
                                            space.combinations_text(), options.limit));
  const bool saves = !options.file.empty();
  SearchTable table;
  if (saves && std::filesystem::exists(options.file)) table = read_search_table(options.file, options.about);
  std::vector<std::size_t> indices(static_cast<std::size_t>(space.queues));
  std::size_t unsaved = 0;
  do {
    Choices choices;
    for (const std::size_t index : indices) choices.push_back(choice_at(space, index));
    if (table.contains(choices)) continue;
    table[choices] = cost(choices);
    if (saves && ++unsaved >= options.save_every) {
      write_file_atomically(options.file, to_csv(table, options.about));
      unsaved = 0;
    }
  } while (advance(indices, space.tiles.size() * space.slots.size()));
  if (unsaved > 0) write_file_atomically(options.file, to_csv(table, options.about));
  return table;
}

SearchTable descend(const SearchSpace& space, Choices start, const Cost& cost) {
  SearchTable table;
  const auto time_of = [&](const Choices& choices) {
    const auto [place, is_new] = table.try_emplace(choices, 0);
    if (is_new) place->second = cost(choices);
    return place->second;
  };
  double least = time_of(start);
  for (bool improved = true; improved;) {
    improved = false;
    for (Choice& choice : start) {
      Choice best_choice = choice;
      for (std::size_t i = 0; i < space.tiles.size() * space.slots.size(); ++i) {
        choice = choice_at(space, i);
        if (const double time = time_of(start); time < least) {
          least = time;
          best_choice = choice;
          improved = true;
        }
      }
      choice = best_choice;
    }
  }
  return table;
}

const SearchTable::value_type& best(const SearchTable& table) {
  const auto better = [](const auto& a, const auto& b) {
    return a.second < b.second || (a.second == b.second && elements(a.first) < elements(b.first));
  };
  const auto found = std::ranges::min_element(table, better);
  if (found == table.end() || !std::isfinite(found->second))
    throw std::invalid_argument("no configuration of the search's table can run");
  return *found;
}

}  // namespace warplab::acta
