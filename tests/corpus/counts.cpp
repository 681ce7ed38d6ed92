#include "tests/corpus/counts.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/common/json_file.hpp"
#include "tests/parity/metrics.hpp"

namespace warplab::corpus {
namespace {

using nlohmann::json;

Half half_of(const std::string& name) {
  if (name == "learning") return Half::learning;
  if (name == "set aside") return Half::set_aside;
  throw std::runtime_error("unknown half '" + name + "'");
}

LaunchCounts launch_of(const json& entry) {
  return {entry.at("kernel"), entry.at("launch"), entry.at("grid"), entry.at("block"), entry.at("metrics")};
}

ProgramCounts counts_of(const json& entry) {
  ProgramCounts program{entry.at("program"), entry.at("arguments"), half_of(entry.at("half")), {}};
  for (const json& launch : entry.at("launches")) program.launches.push_back(launch_of(launch));
  return program;
}

json json_of(const LaunchCounts& launch) {
  json metrics = json::object();
  for (const auto& [name, value] : launch.metrics)
    if (value != 0) metrics[name] = value;
  return {{"kernel", launch.kernel},
          {"launch", launch.number},
          {"grid", launch.grid},
          {"block", launch.block},
          {"metrics", metrics}};
}

std::vector<Number> numbers_of(const LaunchCounts& hardware, const LaunchCounts& lens) {
  json counted = hardware.metrics;
  for (const char* const sum : {"shared.wavefronts", "shared.ideal_wavefronts"}) counted.emplace(sum, 0);
  std::vector<Number> numbers;
  for (const auto& [metric, place] : parity::metrics()) {
    const bool only_if_counted = metric.starts_with("shared_copy.");
    const std::optional<double> count = parity::hardware_count(counted, metric);
    if (!count && only_if_counted) continue;
    const auto here = lens.metrics.find(metric);
    const Number number{metric, count.value_or(0), here == lens.metrics.end() ? 0 : here->second};
    if (number.hardware != 0 || number.lens != 0) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

Counts read_counts(const std::filesystem::path& file) {
  try {
    const json document = read_json(file);
    Counts counts{document.at("about"), {}};
    for (const json& entry : document.at("programs")) counts.programs.push_back(counts_of(entry));
    return counts;
  } catch (const std::exception& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
}

void write_counts(const std::filesystem::path& file, const Counts& counts) {
  std::ofstream out(file);
  out << "{\n \"about\": " << json(counts.about).dump() << ",\n \"programs\": [";
  const char* between = "\n";
  for (const ProgramCounts& program : counts.programs) {
    out << between << "  {\"program\": " << json(program.program).dump()
        << ", \"arguments\": " << json(program.arguments).dump() << ", \"half\": \""
        << (program.half == Half::learning ? "learning" : "set aside") << "\", \"launches\": [";
    const char* comma = "\n";
    for (const LaunchCounts& launch : program.launches) {
      out << comma << "   " << json_of(launch).dump();
      comma = ",\n";
    }
    out << "]}";
    between = ",\n";
  }
  out << "\n ]\n}\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

bool Number::agrees() const { return std::abs(hardware - lens) <= 0.02 * hardware; }

bool LaunchNumbers::agrees() const {
  return std::all_of(numbers.begin(), numbers.end(), [](const Number& one) { return one.agrees(); });
}

std::vector<LaunchNumbers> both_sides(const Counts& hardware, const Counts& lens) {
  std::vector<LaunchNumbers> launches;
  for (const ProgramCounts& program : lens.programs) {
    const auto recorded =
        std::find_if(hardware.programs.begin(), hardware.programs.end(),
                     [&](const ProgramCounts& other) { return other.program == program.program; });
    if (recorded == hardware.programs.end())
      throw std::runtime_error("the hardware has not counted " + program.program);
    for (const LaunchCounts& launch : program.launches) {
      const auto same =
          std::find_if(recorded->launches.begin(), recorded->launches.end(), [&](const LaunchCounts& other) {
            return other.kernel == launch.kernel && other.number == launch.number &&
                   other.grid == launch.grid && other.block == launch.block;
          });
      if (same == recorded->launches.end())
        throw std::runtime_error("the hardware has not counted launch " + std::to_string(launch.number) +
                                 " of " + launch.kernel + " in " + program.program);
      launches.push_back(
          {program.program, launch.kernel, launch.number, program.half, numbers_of(*same, launch)});
    }
  }
  return launches;
}

std::vector<Choice> read_choices(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.rbegin(), folders.rend());
  std::vector<Choice> choices;
  for (const std::filesystem::path& one : folders)
    choices.push_back({read_counts(one / "hardware.json"), read_counts(one / "lens_first.json"),
                       read_counts(one / "lens.json")});
  return choices;
}

Causes read_causes(const std::filesystem::path& file) {
  const json document = read_json(file);
  Causes causes{document.at("kinds"), {}};
  for (const json& entry : document.at("causes"))
    causes.causes.push_back({entry.at("program"), entry.at("kernel"), entry.at("kind"), entry.at("metrics")});
  return causes;
}

}  // namespace warplab::corpus
