#include "tests/bounds/validation.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "lens/count_fields.hpp"

namespace warplab::bounds {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* runs[] = {"h100-80gb-hbm3", "h200"};
const std::set<std::string> not_a_launch{"first_program", "device_query"};

Json read(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return Json::parse(in);
}

/// "1.5" as Python writes numbers, of which names are made.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text = value.dump();
  return text;
}

std::string name_of(const Json& row, bool with_rung) {
  std::ostringstream name;
  name << row.at("lab").get<std::string>() << ' ';
  if (with_rung) name << row.at("rung").get<std::string>() << ' ';
  const char* between = "";
  for (const auto& [dimension, extent] : row.at("size").items()) {
    name << between << extent.dump();
    between = "x";
  }
  name << ' ' << row.at("dtype").get<std::string>();
  // What each rung chooses for itself does not part a ladder.
  static const std::set<std::string> of_rung{"block",   "grid",      "tile", "slots",
                                             "balance", "truncates", "step"};
  std::map<std::string, std::string> params;
  for (const auto& [key, value] : row.at("params").items())
    if (!value.is_null() && (with_rung || !of_rung.contains(key))) params[key] = text_of(value);
  for (const auto& [key, value] : params) name << ' ' << key << '=' << value;
  return name.str();
}

lens::Launch launch_from(const Json& json) {
  lens::Launch launch;
  json.at("kernel").get_to(launch.kernel);
  json.at("grid").get_to(launch.grid);
  json.at("block").get_to(launch.block);
  json.at("blocks").get_to(launch.blocks);
  json.at("blocks_recorded").get_to(launch.blocks_recorded);
  json.at("barriers").get_to(launch.max_barriers);
  json.at("from_kernel").get_to(launch.from_kernel);
  launch.fills = json.value("fills", std::uint64_t{0});
  launch.copies = json.value("copies", std::uint64_t{0});
  json.at("blocks_per_multiprocessor").get_to(launch.occupancy.blocks_per_multiprocessor);
  launch.counts.barriers = json.value("warp_barriers", std::uint64_t{0});
  launch.work.emplace();
  each_field(&*launch.work, [&](const char* field, auto member) {
    (*launch.work).*member = json.at("work").value(field, std::uint64_t{0});
  });
  return launch;
}

std::optional<lens::Bounds> bounds_of_case(const Json& counted, const lens::DeviceRates& rates) {
  std::vector<lens::Launch> launches;
  for (const Json& launch : counted.at("launches")) launches.push_back(launch_from(launch));
  return lens::bounds_of_call(launches, rates);
}

/// A case of a row that was timed; `counts` are those of all cases.
TimedCase case_of(const std::string& run, const Json& row, const Json& counts,
                  const lens::DeviceRates& rates) {
  TimedCase one{run,
                name_of(row, true),
                run + " " + name_of(row, false),
                1000 * row.at("time_ms").at("median").get<double>(),
                std::nullopt,
                ""};
  const auto counted = counts.find(one.name);
  if (counted == counts.end())
    one.why = "not counted yet: `tests/bounds/count.py` goes on from what is there";
  else if (counted->contains("why"))
    one.why = counted->at("why");
  else
    one.bounds = bounds_of_case(*counted, rates);
  return one;
}

}  // namespace

std::vector<TimedCase> timed_cases(const std::filesystem::path& source) {
  const Json counts = read(source / "tests/bounds/counts.json");
  std::vector<TimedCase> cases;
  for (const char* run : runs) {
    const Json results = read(source / "results" / run / "results.json");
    const lens::DeviceRates* const rates = lens::find_rates(results.at("run").at("device"));
    if (rates == nullptr)
      throw std::runtime_error(std::string("no rates are known for the device of ") + run);
    for (const Json& row : results.at("measurements"))
      if (row.at("role") == "rung" && !row.at("time_ms").is_null() &&
          !not_a_launch.contains(row.at("lab").get<std::string>()))
        cases.push_back(case_of(run, row, counts, *rates));
  }
  return cases;
}

Figures figures_of(const std::vector<TimedCase>& cases) {
  Figures figures;
  std::map<std::string, std::vector<const TimedCase*>> ladders;
  for (const TimedCase& one : cases) {
    if (!one.bounds) {
      ++figures.left_out;
      continue;
    }
    ++figures.cases;
    figures.too_high += one.share() > 1 + tolerance;
    figures.within_two += one.share() >= 0.5;
    figures.highest = std::max(figures.highest, one.share());
    ladders[one.ladder].push_back(&one);
  }
  for (const auto& [name, rungs] : ladders)
    for (std::size_t i = 0; i < rungs.size(); ++i)
      for (std::size_t j = i + 1; j < rungs.size(); ++j) {
        const TimedCase &a = *rungs[i], &b = *rungs[j];
        if (std::max(a.measured_us, b.measured_us) < differing * std::min(a.measured_us, b.measured_us))
          continue;
        ++figures.pairs;
        figures.in_order += (a.measured_us < b.measured_us) == (a.bounds->us() < b.bounds->us()) &&
                            a.bounds->us() != b.bounds->us();
      }
  return figures;
}

}  // namespace warplab::bounds
