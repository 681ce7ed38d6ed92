#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/results/measurement.hpp"
#include "harness/rung/device_info.hpp"

namespace warplab {

/// Under what conditions the measurements of a file were taken.
struct RunInfo {
  std::string command, device, driver, toolkit, flags, cpu_flags, commit, date, host;
  bool finished = true;  ///< false: it was still running, or was ended from outside
};

/// This run: the command line, this host, the source tree's commit, the time in UTC.
RunInfo describe_run(int argc, const char* const* argv, const DeviceInfo& device);

/// One measurement in the schema of results.json. What was not measured is null, and "not_measured" says why.
nlohmann::ordered_json to_json(const Measurement& measurement);

/// The text of results.json, schema 1; its run has "finished": false if it was not.
std::string results_json(const RunInfo& run, const std::vector<Measurement>& measurements);

/// The same measurements as CSV with a header, units in the names; an empty field was not measured.
std::string results_csv(const std::vector<Measurement>& measurements);

}  // namespace warplab
