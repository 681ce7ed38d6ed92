#include "report/handouts/rung_rows.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/host/bad_input.hpp"
#include "report/handouts/handout_table.hpp"

namespace warplab::report {
namespace {

/// Whether a row is of the input "SIZE TYPE[, PARAMETER VALUE]...".
bool is_of(const Row& row, const std::string& input) {
  const std::vector<std::string> parts = split(input, ',');
  return !parts.empty() && size_and_type(row) == parts[0] &&
         std::all_of(parts.begin() + 1, parts.end(),
                     [&](const std::string& condition) { return meets(row, condition); });
}

}  // namespace

RungRows rung_rows_of(const std::filesystem::path& run, const std::string& lab, const std::string& input) {
  RungRows rows;
  for (const Row& row : read_run(run).rows)
    if (row.lab == lab && row.role != "ceiling" && is_of(row, input)) rows.emplace(row.rung, row);
  return rows;
}

void require_comparable(const Row& counted, const Row& timed) {
  const auto refuse = [&](const std::string& what) {
    throw BadInput("the counts of " + timed.rung + " are of another " + what +
                   " than its time: " + size_and_type(counted) + " beside " + size_and_type(timed));
  };
  if (counted.dtype != timed.dtype) refuse("type");
  if (counted.params != timed.params) refuse("set of parameters");
  if (counted.size.size() != timed.size.size()) refuse("size");
  for (std::size_t i = 0; i < timed.size.size(); ++i) {
    const auto& [name, extent] = counted.size[i];
    if (name != timed.size[i].first || extent <= 0 || std::fmod(timed.size[i].second, extent) != 0)
      refuse("size");
  }
}

}  // namespace warplab::report
