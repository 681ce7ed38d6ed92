#include "report/comparison/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/run/lens_section.hpp"

namespace warplab::report {
namespace {

bool is_right(const Row& row) { return row.status == RungStatus::ok && row.verified; }

/// What the lens counted of memory: sectors and wavefronts together; nothing without counts.
std::optional<double> memory_cost(const Row& row) {
  std::optional<double> cost;
  for (const char* kind : {"global_load", "global_store", "shared_load", "shared_store"})
    if (const auto counts = access_counts(row, kind)) cost = cost.value_or(0) + counts->cost;
  return cost;
}

/// The figure that is compared: the median time, else what the lens counted.
std::optional<double> figure_of(const Row& row, bool timed) {
  if (timed) return row.time_ms ? std::optional(row.time_ms->median) : std::nullopt;
  return memory_cost(row);
}

Change change_of_times(const Summary& first, const Summary& later) {
  const bool near = std::abs(later.median - first.median) < min_change * first.median;
  switch (compare_intervals(later, first)) {
    case Verdict::faster:
      return near ? Change::same : Change::faster;
    case Verdict::slower:
      return near ? Change::same : Change::slower;
    case Verdict::same:
      return Change::same;
    case Verdict::cannot_tell:
      break;
  }
  return Change::cannot_tell;
}

/// A row's rung and input, with a number where a run has several of them.
using Key = std::pair<std::string, int>;

std::string input_of(const Row& row) {
  std::string text = row.size_text() + " " + row.dtype;
  for (const auto& [name, value] : row.params) text += ", " + name + " " + value;
  return text;
}

std::map<Key, const Row*> keyed(const Run& run, std::vector<Key>& order) {
  std::map<Key, const Row*> rows;
  std::map<std::string, int> seen;
  for (const Row& row : run.rows) {
    if (!row.is_rung()) continue;
    const std::string name = row.lab + "\n" + row.rung + "\n" + input_of(row);
    const Key key{name, seen[name]++};
    rows[key] = &row;
    if (std::ranges::find(order, key) == order.end()) order.push_back(key);
  }
  return rows;
}

}  // namespace

const char* name_of(Change change) {
  switch (change) {
    case Change::faster:
      return "faster";
    case Change::slower:
      return "slower";
    case Change::same:
      return "the same";
    case Change::cannot_tell:
      return "cannot tell";
    case Change::broken:
      return "no longer right";
    case Change::mended:
      return "right again";
    case Change::fewer:
      return "moves less";
    case Change::more:
      return "moves more";
    case Change::absent:
      break;
  }
  return "not in both";
}

Change change_of(const Row* first, const Row* later) {
  if (!first || !later) return Change::absent;
  if (is_right(*first) != is_right(*later)) return is_right(*first) ? Change::broken : Change::mended;
  if (first->time_ms && later->time_ms) return change_of_times(*first->time_ms, *later->time_ms);
  const auto before = memory_cost(*first), after = memory_cost(*later);
  if (!before || !after)
    return is_right(*first) && !first->time_ms && !later->time_ms ? Change::same : Change::absent;
  return *after > *before ? Change::more : *after < *before ? Change::fewer : Change::same;
}

int Comparison::count(Change change) const {
  int n = 0;
  for (const Compared& row : rows) n += static_cast<int>(std::ranges::count(row.changes, change));
  return n;
}

Comparison compare(const std::vector<Run>& runs) {
  std::vector<Key> order;
  std::vector<std::map<Key, const Row*>> tables;
  for (const Run& run : runs) tables.push_back(keyed(run, order));
  Comparison comparison;
  for (const Key& key : order) {
    Compared compared;
    for (const auto& table : tables) {
      const auto found = table.find(key);
      compared.rows.push_back(found == table.end() ? nullptr : found->second);
    }
    const Row& any = **std::ranges::find_if(compared.rows, [](const Row* row) { return row != nullptr; });
    compared.lab = any.lab;
    compared.rung = any.rung;
    compared.input = input_of(any);
    const Row* const first = compared.rows.front();
    for (std::size_t i = 1; i < compared.rows.size(); ++i) {
      const Row* const later = compared.rows[i];
      compared.changes.push_back(change_of(first, later));
      const bool timed = first && later && first->time_ms && later->time_ms;
      const auto before = first ? figure_of(*first, timed) : std::nullopt;
      const auto after = later ? figure_of(*later, timed) : std::nullopt;
      const double was = before.value_or(0);
      compared.ratios.push_back(was > 0 && after ? std::optional(*after / was) : std::nullopt);
    }
    comparison.rows.push_back(std::move(compared));
  }
  return comparison;
}

std::string summary_of(const Comparison& comparison) {
  std::string text;
  for (Change change : {Change::broken, Change::slower, Change::more, Change::faster, Change::fewer,
                        Change::mended, Change::same, Change::cannot_tell, Change::absent})
    if (const int n = comparison.count(change))
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, name_of(change));
  return text;
}

}  // namespace warplab::report
