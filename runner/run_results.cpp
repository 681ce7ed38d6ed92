#include "runner/run_results.hpp"

#include <algorithm>
#include <sstream>

namespace warplab::runner {
namespace {

using report::Json;

/// What stands in for a lab that did not come to its end.
Json absent(const LabOutcome& outcome, const std::string& backend) {
  return {{"lab", outcome.lab},
          {"rung", ""},
          {"role", "rung"},
          {"backend", backend},
          {"status", name_of(outcome.status() == RungStatus::ok ? RungStatus::failed : outcome.status())},
          {"why", outcome.why()},
          {"verified", false},
          {"time_ms", nullptr}};
}

/// A CSV row of that, under the columns of `header`.
std::string absent_row(const LabOutcome& outcome, const std::string& backend, const std::string& header) {
  const Json row = absent(outcome, backend);
  std::istringstream columns(header);
  std::string line;
  for (std::string column; std::getline(columns, column, ',');) {
    const auto found = row.find(column);
    const bool is_known = found != row.end() && !found->is_null();
    std::string field = !is_known ? "" : found->is_string() ? found->get<std::string>() : found->dump();
    std::ranges::replace(field, '"', '\'');
    line += (line.empty() ? "\"" : ",\"") + field + "\"";
  }
  return line + "\n";
}

}  // namespace

Json merged_results(const RunInfo& info, const std::string& backend,
                    const std::vector<LabOutcome>& outcomes) {
  Json run = {{"command", info.command}, {"backend", backend},    {"device", nullptr},
              {"driver", nullptr},       {"toolkit", nullptr},    {"flags", info.flags},
              {"cpu_flags", nullptr},    {"commit", info.commit}, {"date", info.date},
              {"host", info.host}};
  Json measurements = Json::array();
  for (const LabOutcome& outcome : outcomes) {
    if (outcome.results) {
      const auto theirs = outcome.results->find("run");
      for (const char* key : {"device", "driver", "toolkit", "cpu_flags"})
        if (theirs != outcome.results->end() && run[key].is_null() && theirs->contains(key))
          run[key] = (*theirs)[key];
      for (const Json& measurement : outcome.results->at("measurements")) measurements.push_back(measurement);
    }
    if (!outcome.is_complete()) measurements.push_back(absent(outcome, backend));
  }
  return {{"schema", 1}, {"run", run}, {"measurements", measurements}};
}

std::string merged_csv(const std::string& backend, const std::vector<LabOutcome>& outcomes) {
  std::string header = results_csv({});
  header.resize(header.find('\n'));
  std::string text = header + "\n";
  for (const LabOutcome& outcome : outcomes)
    if (const std::size_t rows = outcome.csv.find('\n'); rows != std::string::npos)
      text += outcome.csv.substr(rows + 1);
    else
      text += absent_row(outcome, backend, header);
  return text;
}

}  // namespace warplab::runner
