#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/results/run_file.hpp"
#include "tests/common/scratch_folder.hpp"

// Runs that no device has taken, for tests of pages.

namespace warplab::report {

inline Json time_json(double median, double half_width = 0.001) {
  return {{"median", median},
          {"samples", 50},
          {"interval_low", median * (1 - half_width)},
          {"interval_high", median * (1 + half_width)}};
}

inline Json measured(const std::string& rung, int n, double ms) {
  return {{"lab", "turn"},
          {"rung", rung},
          {"role", "rung"},
          {"status", "ok"},
          {"verified", true},
          {"size", {{"n", n}}},
          {"dtype", "float"},
          {"time_ms", time_json(ms)},
          {"h2d_ms", 3 * ms},
          {"d2h_ms", 2 * ms},
          {"bytes", 8 * n},
          {"flops", 2 * n},
          {"gb_per_s", 8 * n / ms / 1e6},
          {"gflop_per_s", 2 * n / ms / 1e6},
          {"speed_of_light",
           {{"what", "a copy"}, {"unit", "GB/s"}, {"value", 100 * n / 1e6}, {"fraction", 0.5}}}};
}

inline Json results_of(Json measurements) {
  return {{"schema", 1},
          {"run", {{"command", "./run_all.sh"}, {"backend", "cuda"}, {"device", "GPU"}}},
          {"measurements", std::move(measurements)}};
}

/// A ladder of three sizes, which every kind of chart can be drawn of.
inline Json ladder() {
  Json measurements = Json::array();
  for (int n : {1000, 10000, 100000})
    for (const auto& [rung, ms] : {std::pair{"naive", n / 1e5}, {"tiled", n / 2e5}})
      measurements.push_back(measured(rung, n, ms));
  return results_of(measurements);
}

inline Run run_of(const ScratchFolder& folder, const Json& results, const std::string& name = "run") {
  return read_run(folder.write(name + "/results.json", results.dump()).parent_path());
}

inline bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

inline std::size_t times(const std::string& text, const std::string& words) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; at += words.size()) ++count;
  return count;
}

}  // namespace warplab::report
