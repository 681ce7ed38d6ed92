// Makes the files of tests/corpus/counts of what Nsight Compute and the lens wrote about public programs.
//
//   counts_record hardware FOLDER LIST FILE key=value...          FOLDER has NAME.raw.csv and NAME.source.csv
//   counts_record lens FOLDER LIST HARDWARE FILE key=value...     FOLDER has NAME.json (WARPLAB_LENS_JSON)
//
// LIST has a line for each program: NAME, owner/repository/path, half, arguments, with tabs between them.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "common/io/file_content.hpp"
#include "tests/corpus/counts.hpp"
#include "tests/parity/metrics.hpp"
#include "tests/parity/ncu_pages.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using namespace warplab::corpus;

struct Listed {
  std::string name;
  ProgramCounts program;
};

std::vector<Listed> read_list(const fs::path& path) {
  std::ifstream file(path);
  std::vector<Listed> list;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    Listed one;
    std::string half;
    std::getline(fields, one.name, '\t');
    std::getline(fields, one.program.program, '\t');
    std::getline(fields, half, '\t');
    std::getline(fields, one.program.arguments, '\t');
    one.program.half = half == "learning" ? Half::learning : Half::set_aside;
    list.push_back(one);
  }
  if (list.empty()) throw std::runtime_error("no program in " + path.string());
  return list;
}

/// "void a::reduce<(unsigned int)256, float>(float *)" and "reduce<256, float>" as "reduce<256,float>".
std::string plain_name(const std::string& kernel) {
  std::string name = warplab::parity::bare_name(kernel), arguments;
  const std::size_t open = kernel.find(name + "<");
  if (open == std::string::npos) return name;
  int depth = 0;
  for (std::size_t i = open + name.size(); i < kernel.size(); ++i) {
    const char c = kernel[i];
    if (c == '(') {  // a cast
      i = std::min(kernel.find(')', i), kernel.size() - 1);
      continue;
    }
    depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (c != ' ') arguments += c;
    if (depth == 0) break;
  }
  return name + arguments;
}

std::vector<LaunchCounts> recorded(const fs::path& folder, const std::string& name) {
  const fs::path raw = folder / (name + ".raw.csv");
  if (!fs::exists(raw)) return {};
  std::vector<LaunchCounts> launches;
  std::map<std::string, long> numbers;
  for (auto& one : warplab::parity::read_pages(warplab::file_content(raw),
                                               warplab::file_content(folder / (name + ".source.csv")))) {
    const std::string kernel = plain_name(one.full_name);
    launches.push_back({kernel, ++numbers[kernel], one.grid, one.block, std::move(one.metrics)});
  }
  return launches;
}

std::map<std::string, double> lens_metrics(const json& lens) {
  std::map<std::string, double> metrics;
  const auto at = [&](const std::string& place) {
    const json& number = lens.at(json::json_pointer(place));
    return number.is_null() ? 0 : number.get<double>();  // of a launch that asked for nothing
  };
  for (const auto& [metric, place] : warplab::parity::metrics()) metrics[metric] = at(place);
  metrics["shared_atomics.requests"] = at("/atomics/shared/requests");
  metrics["branches.divergent"] = at("/branches/divergent");
  metrics["active_lanes"] = at("/active_lanes");
  metrics["theoretical_occupancy_percent"] = 100 * at("/occupancy");
  return metrics;
}

/// Of the launches of a program, those that the hardware has counted: the first so many of each kernel.
std::vector<LaunchCounts> lens_launches(const fs::path& file, const ProgramCounts& hardware) {
  const json list = json::parse(warplab::file_content(file));
  std::vector<LaunchCounts> launches;
  std::map<std::string, long> numbers;
  for (const json& one : list) {
    const std::string kernel = plain_name(one.at("kernel"));
    LaunchCounts launch{kernel, ++numbers[kernel], one.at("grid"), one.at("block"), {}};
    const bool wanted =
        std::any_of(hardware.launches.begin(), hardware.launches.end(), [&](const LaunchCounts& other) {
          return other.kernel == kernel && other.number == launch.number && other.grid == launch.grid &&
                 other.block == launch.block;
        });
    if (!wanted) continue;
    launch.metrics = lens_metrics(one.at("lens"));
    launches.push_back(std::move(launch));
  }
  return launches;
}

void run(const std::string& side, const std::vector<std::string>& words) {
  const bool lens = side == "lens";
  const fs::path folder = words.at(0), file = words.at(lens ? 3 : 2);
  Counts hardware, counts;
  if (lens) hardware = read_counts(words.at(2));
  for (std::size_t i = lens ? 4 : 3; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals == std::string::npos) throw std::runtime_error("'" + words[i] + "' is not a key=value");
    counts.about[words[i].substr(0, equals)] = words[i].substr(equals + 1);
  }
  std::size_t launches = 0;
  for (Listed& one : read_list(words.at(1))) {
    try {
      if (!lens) one.program.launches = recorded(folder, one.name);
      for (const ProgramCounts& other : hardware.programs)
        if (other.program == one.program.program && fs::exists(folder / (one.name + ".json")))
          one.program.launches = lens_launches(folder / (one.name + ".json"), other);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "counts_record: %s: %s\n", one.name.c_str(), error.what());
    }
    launches += one.program.launches.size();
    if (!one.program.launches.empty()) counts.programs.push_back(std::move(one.program));
  }
  write_counts(file, counts);
  std::printf("%s: %zu programs, %zu launches\n", file.c_str(), counts.programs.size(), launches);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 2), argv + argc);
  const std::string side = argc > 1 ? argv[1] : "";
  if ((side != "hardware" && side != "lens") || words.size() < (side == "lens" ? 4u : 3u)) {
    std::fprintf(stderr,
                 "usage: counts_record hardware FOLDER LIST FILE key=value...\n"
                 "       counts_record lens FOLDER LIST HARDWARE FILE key=value...\n");
    return 2;
  }
  try {
    run(side, words);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "counts_record: %s\n", error.what());
    return 4;
  }
}
