#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/device_info.hpp"
#include "harness/measurement.hpp"

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

/// "4096x4096": the extents of a case.
std::string size_text(const Case& c);
/// Whether results and people get to see a parameter. Not one whose name begins with a dot: its problem
/// derives it from the rest of the case.
inline bool is_shown(const Parameter& parameter) { return !parameter.name.starts_with('.'); }
/// "64x1 float seed 3 block 32x8": a case in a word, for messages.
std::string case_text(const Case& c);
/// The label of a parameter, or its number.
std::string value_text(const Parameter& parameter);
/// "32x8": an extent without trailing ones.
std::string extent_text(const Extent3& extent);

}  // namespace warplab
