#include "grader/data/filter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"

namespace warplab {
namespace {

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

using ValueOf = std::function<std::string(const MeasuredRow&)>;

/// Keeps the rows that have one of these values. @throws BadInput for a value that none of all rows has
void keep(std::vector<MeasuredRow>& rows, const std::vector<MeasuredRow>& all,
          const std::vector<std::string>& wanted, const char* option, const ValueOf& value_of) {
  if (wanted.empty()) return;
  std::set<std::string> known;
  for (const MeasuredRow& row : all) known.insert(value_of(row));
  known.erase("");
  for (const std::string& value : wanted)
    if (!known.contains(value))
      throw BadInput(fmt::format("{}: nothing was measured for '{}'{}; there is {}", option, value,
                                 did_you_mean(value, {known.begin(), known.end()}),
                                 known.empty() ? "nothing" : fmt::format("{}", fmt::join(known, ", "))));
  std::erase_if(
      rows, [&](const MeasuredRow& row) { return std::ranges::find(wanted, value_of(row)) == wanted.end(); });
}

/// @throws BadInput for a parameter that no row has
void check_parameter(const std::vector<MeasuredRow>& rows, const std::string& name) {
  std::set<std::string> known;
  for (const MeasuredRow& row : rows)
    for (const auto& [parameter, value] : row.params) known.insert(parameter);
  if (!known.contains(name))
    throw BadInput(fmt::format("--where {}: nothing was measured with such a parameter{}; there is {}", name,
                               did_you_mean(name, {known.begin(), known.end()}),
                               known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

void keep_device(std::vector<MeasuredRow>& rows, const std::vector<MeasuredRow>& all,
                 const std::string& part) {
  const auto has_part = [&](const MeasuredRow& row) {
    return in_lower_case(row.device).find(in_lower_case(part)) != std::string::npos;
  };
  if (std::ranges::none_of(all, has_part)) {
    std::set<std::string> devices;
    for (const MeasuredRow& row : all) devices.insert(row.device);
    throw BadInput(
        fmt::format("--device: nothing was measured on '{}'; there is {}", part, fmt::join(devices, ", ")));
  }
  std::erase_if(rows, [&](const MeasuredRow& row) { return !has_part(row); });
}

void sort_rows(std::vector<MeasuredRow>& rows, const std::string& by) {
  const auto best_first = [&](const auto& key) { std::ranges::stable_sort(rows, {}, key); };
  if (by == "time") best_first([](const MeasuredRow& row) { return row.median_ms; });
  if (by == "rate")
    best_first([](const MeasuredRow& row) { return -row.gb_per_s.value_or(row.gflop_per_s.value_or(0)); });
  if (by == "fraction") best_first([](const MeasuredRow& row) { return -row.fraction.value_or(0); });
}

}  // namespace

std::vector<MeasuredRow> filtered(std::vector<MeasuredRow> rows, const DataFilter& filter) {
  const std::vector<MeasuredRow> all = rows;
  keep(rows, all, filter.rungs, "--rung", [](const MeasuredRow& row) { return row.rung; });
  keep(rows, all, filter.sizes, "--size", [](const MeasuredRow& row) { return row.size; });
  keep(rows, all, filter.dtypes, "--dtype", [](const MeasuredRow& row) { return row.dtype; });
  for (const std::string& condition : filter.where) {
    const std::size_t equal = condition.find('=');
    if (equal == std::string::npos || equal == 0)
      throw BadInput("--where is '" + condition + "'; it takes NAME=VALUE, such as block=256");
    const std::string name = condition.substr(0, equal);
    check_parameter(all, name);
    keep(rows, all, {condition.substr(equal + 1)}, ("--where " + name).c_str(), [&](const MeasuredRow& row) {
      const auto param = std::ranges::find(row.params, name, [](const auto& one) { return one.first; });
      return param == row.params.end() ? std::string() : param->second;
    });
  }
  if (!filter.device.empty()) keep_device(rows, all, filter.device);
  sort_rows(rows, filter.sort);
  return rows;
}

}  // namespace warplab
