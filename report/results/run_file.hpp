#pragma once

#include <filesystem>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/results/measurement.hpp"

namespace warplab::report {

using Json = nlohmann::ordered_json;

/// The number at the end of a path of keys; nothing where there is none.
std::optional<double> number_at(const Json& object, std::initializer_list<const char*> path);

/// A measurement of results.json. What is absent there is absent here.
struct Row {
  std::string lab, rung, role, backend, device, dtype, why;
  std::optional<RungStatus> status;
  bool verified = false;
  std::vector<std::pair<std::string, double>> size;         ///< in the file's order
  std::vector<std::pair<std::string, std::string>> params;  ///< those that are set
  std::optional<Summary> time_ms;
  std::optional<double> h2d_ms, d2h_ms, bytes, flops, gb_per_s, gflop_per_s;
  std::optional<double> cpu_ms, cpu_fastest_ms;  ///< the CPU baseline, on one core and on the best number
  std::optional<double> sm_clock_mhz, power_w, temperature_c;  ///< while it was timed
  std::map<std::string, double> figures;                       ///< the lab's own
  std::optional<SpeedOfLight> light;
  Json published, lens, counts;  ///< null where there is none
  Json kernels;  ///< an array: what the first call launched on a GPU; null where it is not known

  bool is_rung() const { return role == "rung" || role == "peer"; }
  std::string size_text() const;
  /// The value of a parameter, or "".
  std::string param(const std::string& name) const;
  /// What the lens found: "transpose_tiled.cu:28: race: ...".
  std::vector<std::string> findings() const;
};

/// A run: the folder that run_all.sh left, or just a results.json.
struct Run {
  std::filesystem::path folder;
  std::string name;  ///< the folder's
  Json info;         ///< "run" of the file: command, device, ...
  std::vector<Row> rows;

  /// What `info` says under a name, or "".
  std::string fact(const char* key) const;
  /// Whether it was counted, not timed.
  bool emulated() const;
  /// Labs in the order of the file.
  std::vector<std::string> labs() const;
};

/// A run from the JSON of results.json; it may have no rows.
/// @param file where that JSON is, for messages
/// @throws BadInput in one sentence if it does not hold results, or a member is not what it should be
Run run_of(const Json& results, const std::filesystem::path& file);

/// @param path a run's folder, or its results.json
/// @throws BadInput in one sentence where there is none, or it cannot be read, is broken or holds no results
Run read_run(const std::filesystem::path& path);

}  // namespace warplab::report
