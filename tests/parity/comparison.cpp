#include "tests/parity/comparison.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "tests/common/json_file.hpp"
#include "tests/parity/metrics.hpp"
#include "tests/parity/ncu_pages.hpp"

namespace warplab::parity {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

/// Output of a command that must end well.
std::string output_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string text;
  char part[4096];
  while (const std::size_t size = fread(part, 1, sizeof part, pipe)) text.append(part, size);
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed:\n" + text);
  return text;
}

/// "transpose tiled --size 33x65" as the command of that lab's program, any other name as a case of `parity`.
std::string command_of(const Places& places, const std::string& name) {
  const std::size_t space = name.find(' ');
  if (space == std::string::npos) return quoted(places.build / "bin/parity") + " " + name;
  return quoted(places.build / "bin" / name.substr(0, space)) + " --rung " + name.substr(space + 1) +
         " --in-process";
}

/// The launches that the lens recorded, each (kernel, grid, block) once.
std::vector<json> lens_launches(const Places& places, const std::string& name) {
  const fs::path file = fs::temp_directory_path() / ("warplab-parity-" + std::to_string(getpid()) + ".json");
  fs::remove(file);
  output_of("WARPLAB_LENS=1 WARPLAB_LENS_BLOCKS=all WARPLAB_LENS_JSON=" + quoted(file) + " " +
            command_of(places, name) + " 2>&1");
  const json list = fs::exists(file) ? read_json(file) : json::array();
  fs::remove(file);
  std::vector<json> launches;
  for (const json& launch : list) {
    const auto same = [&](const json& other) {
      return other.at("kernel") == launch.at("kernel") && other.at("grid") == launch.at("grid") &&
             other.at("block") == launch.at("block");
    };
    if (std::none_of(launches.begin(), launches.end(), same)) launches.push_back(launch);
  }
  return launches;
}

/// Adds a launch, one of `launches` in its case.
void add_beside(BesideTheCounts& sum, const json& counted, const json& lens, double launches) {
  const auto hardware = [&](const char* name) { return counted.at(name).get<double>(); };
  const auto here = [&](const char* place) { return lens.at(json::json_pointer(place)).get<double>(); };
  const auto add = [](Pair& pair, double on_hardware, double in_lens) {
    pair.hardware += on_hardware;
    pair.lens += in_lens;
  };
  add(sum.divergent_branches, hardware("branches.divergent"), here("/branches/divergent"));
  add(sum.branches, hardware("branches.targets"), here("/branches/executed"));
  add(sum.active_lanes, hardware("active_lanes") / launches, here("/active_lanes") / launches);
  add(sum.occupancy_percent, hardware("theoretical_occupancy_percent") / launches,
      100 * here("/occupancy") / launches);
  const double atomics = here("/atomics/shared/requests");
  if (counted.contains("shared_atomics.requests") || atomics != 0) {
    if (!sum.shared_atomics) sum.shared_atomics.emplace();
    add(*sum.shared_atomics, counted.value("shared_atomics.requests", 0.0), atomics);
  }
}

std::vector<std::string> lab_cases(const Places& places) {
  std::ifstream file(places.source / "tests/parity/lab_cases.txt");
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') names.push_back(line);
  return names;
}

}  // namespace

bool CaseResult::exact() const {
  return failure.empty() && std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.exact(); });
}

json hardware_document(const Places& places) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(places.source / "tests/parity/hardware"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  if (files.size() != 1)
    throw std::runtime_error("tests/parity/hardware has " + std::to_string(files.size()) +
                             " devices; the comparison is with one");
  return read_json(files[0]);
}

std::vector<std::string> case_names(const Places& places) {
  std::istringstream list(output_of(quoted(places.build / "bin/parity") + " --list"));
  std::vector<std::string> names;
  for (std::string line; std::getline(list, line);) names.push_back(line.substr(line.rfind(' ') + 1));
  for (const std::string& name : lab_cases(places)) names.push_back(name);
  return names;
}

CasesByRecord cases_by_record(const Places& places, const json& hardware) {
  CasesByRecord cases;
  for (const std::string& name : case_names(places))
    (hardware.at("cases").contains(name) ? cases.recorded : cases.missing).push_back(name);
  return cases;
}

CaseResult compare_case(const Places& places, const json& hardware, const std::string& name) {
  CaseResult result{name, "", {}, {}};
  const auto& cases = hardware.at("cases");
  if (!cases.contains(name)) {
    result.failure = "has no hardware numbers; tests/parity/record.sh records them";
    return result;
  }
  try {
    const auto& recorded = cases.at(name);
    std::vector<json> launches = lens_launches(places, name);
    if (launches.size() != recorded.size())
      throw std::runtime_error("launches " + std::to_string(launches.size()) + " kernels here and " +
                               std::to_string(recorded.size()) + " on the GPU");
    std::map<std::string, Row> rows;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      // Of kernels in two streams either may be the first.
      const auto same = std::find_if(
          launches.begin() + static_cast<std::ptrdiff_t>(i), launches.end(), [&](const json& launch) {
            return bare_name(launch.at("kernel").get<std::string>()) == recorded[i].at("kernel");
          });
      if (same != launches.end())
        std::rotate(launches.begin() + static_cast<std::ptrdiff_t>(i), same, same + 1);
      const std::string kernel = bare_name(launches[i].at("kernel").get<std::string>());
      if (kernel != recorded[i].at("kernel"))
        result.failure =
            ("the lens calls the kernel '" + kernel + "', the GPU " + recorded[i].at("kernel").dump());
      for (const char* extent : {"grid", "block"})
        if (launches[i].at(extent) != recorded[i].at(extent))
          throw std::runtime_error(std::string("has another ") + extent + " here than on the GPU");
      for (const auto& [metric, place] : metrics()) {
        const std::optional<double> counted = hardware_count(recorded[i].at("metrics"), metric);
        if (!counted) continue;
        Row& row = rows[metric];
        row.metric = metric;
        row.hardware += *counted;
        row.lens += launches[i].at("lens").at(json::json_pointer(place)).get<double>();
      }
      add_beside(result.beside, recorded[i].at("metrics"), launches[i].at("lens"),
                 static_cast<double>(launches.size()));
    }
    for (const auto& [metric, place] : metrics())
      if (rows.contains(metric)) result.rows.push_back(rows[metric]);
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  return result;
}

std::vector<Exception> read_exceptions(const Places& places) {
  std::vector<Exception> exceptions;
  for (const json& entry : read_json(places.source / "tests/parity/exceptions.json"))
    exceptions.push_back({entry.at("case"), entry.at("metrics"), entry.at("bound"), entry.at("reason")});
  return exceptions;
}

BranchReasons read_branch_reasons(const Places& places) {
  const json file = read_json(places.source / "tests/parity/branch_reasons.json");
  return {file.at("kinds"), file.at("cases")};
}

std::string branch_kind(const BranchReasons& reasons, const CaseResult& result) {
  if (result.beside.branches.hardware == 0) return "predicated";
  if (result.beside.divergent_branches.hardware < result.beside.divergent_branches.lens) return "fewer";
  const auto found = reasons.cases.find(result.name);
  return found == reasons.cases.end() ? "" : found->second;
}

double exact_share(const std::vector<CaseResult>& results) {
  const auto exact =
      std::count_if(results.begin(), results.end(), [](const CaseResult& r) { return r.exact(); });
  return results.empty() ? 0 : static_cast<double>(exact) / static_cast<double>(results.size());
}

}  // namespace warplab::parity
