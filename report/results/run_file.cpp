#include "report/results/run_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/host/bad_input.hpp"
#include "common/io/file_content.hpp"
#include "common/io/json_nesting.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;

const Json& at(const Json& object, const char* key) {
  static const Json none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

std::string text(const Json& object, const char* key) {
  const Json& value = at(object, key);
  return value.is_string() ? value.get<std::string>() : "";
}

std::optional<double> number(const Json& object, const char* key) {
  const Json& value = at(object, key);
  if (!value.is_number() || !std::isfinite(value.get<double>())) return std::nullopt;
  return value.get<double>();
}

/// A time or a rate: what is not positive was not measured.
std::optional<double> positive(const Json& object, const char* key) {
  const auto value = number(object, key);
  return value && *value > 0 ? value : std::nullopt;
}

std::optional<Summary> summary(const Json& time) {
  const auto median = time.is_object() ? positive(time, "median") : std::nullopt;
  if (!median) return std::nullopt;
  Summary s;
  s.median = *median;
  s.samples = static_cast<std::size_t>(std::clamp(number(time, "samples").value_or(0), 0.0, 1e15));
  s.mean = number(time, "mean").value_or(0);
  s.min = number(time, "min").value_or(0);
  s.mad = number(time, "mad");
  s.stddev = number(time, "stddev");
  s.interval_low = number(time, "interval_low");
  s.interval_high = number(time, "interval_high");
  if (!s.interval_low || !s.interval_high) s.interval_low = s.interval_high = std::nullopt;
  return s;
}

std::optional<SpeedOfLight> light(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto value = positive(json, "value"), fraction = positive(json, "fraction");
  if (!value || !fraction) return std::nullopt;
  SpeedOfLight l{text(json, "what"), text(json, "unit"), *value, *fraction};
  // Older results have the unit in the words: "copy of the same bytes, GB/s".
  if (const std::string tail = ", GB/s"; l.unit.empty() && l.what.ends_with(tail)) {
    l.what.resize(l.what.size() - tail.size());
    l.unit = "GB/s";
  }
  return l;
}

/// Of a time; older results have no more than the median.
std::optional<double> median(const Json& object, const char* key) {
  const Json& time = at(object, key);
  return time.is_object() ? positive(time, "median") : positive(object, key);
}

Row row_of(const Json& m) {
  Row row;
  row.lab = text(m, "lab");
  row.rung = text(m, "rung");
  row.role = text(m, "role").empty() ? "rung" : text(m, "role");
  row.backend = text(m, "backend");
  row.device = text(m, "device");
  row.dtype = text(m, "dtype");
  if (const std::string status = text(m, "status"); !status.empty()) row.status = find_status(status);
  row.why = text(m, "why");
  row.verified = at(m, "verified").is_boolean() && at(m, "verified").get<bool>();
  if (const Json& size = at(m, "size"); size.is_object())
    for (const auto& [name, value] : size.items())
      if (value.is_number()) row.size.emplace_back(name, value.get<double>());
  if (const Json& params = at(m, "params"); params.is_object())
    for (const auto& [name, value] : params.items()) {
      if (value.is_string())
        row.params.emplace_back(name, value.get<std::string>());
      else if (value.is_number())
        row.params.emplace_back(name, fmt::format("{:g}", value.get<double>()));
    }
  row.time_ms = summary(at(m, "time_ms"));
  row.h2d_ms = positive(m, "h2d_ms");
  row.d2h_ms = positive(m, "d2h_ms");
  row.bytes = positive(m, "bytes");
  row.flops = positive(m, "flops");
  row.gb_per_s = positive(m, "gb_per_s");
  row.gflop_per_s = positive(m, "gflop_per_s");
  if (const Json& cpu = at(m, "cpu"); cpu.is_object()) {
    row.cpu_ms = median(cpu, "one_core_ms");
    row.cpu_fastest_ms = median(cpu, "fastest_ms");
    // Older results have all cores, which are slower than one where there is little to do.
    if (const auto all_cores_ms = median(cpu, "all_cores_ms"); all_cores_ms && row.cpu_ms)
      row.cpu_fastest_ms = std::min(*all_cores_ms, *row.cpu_ms);
  }
  if (const Json& gpu = at(m, "gpu"); gpu.is_object()) {
    row.sm_clock_mhz = median(gpu, "sm_clock_mhz");
    row.power_w = positive(gpu, "power_w");
    row.temperature_c = positive(gpu, "temperature_c");
  }
  if (const Json& figures = at(m, "figures"); figures.is_object())
    for (const auto& [name, value] : figures.items())
      if (value.is_number()) row.figures[name] = value.get<double>();
  row.light = light(at(m, "speed_of_light"));
  for (auto [key, part] :
       {std::pair{"published", &row.published}, {"lens", &row.lens}, {"counts", &row.counts}})
    if (at(m, key).is_object()) *part = at(m, key);
  if (at(m, "kernels").is_array()) row.kernels = at(m, "kernels");
  return row;
}

/// Why a member cannot be read, as the end of a sentence; "" where it can. What is absent or null is fine.
std::string fault_of(const Json& m) {
  const auto is_of = [&](std::initializer_list<const char*> keys, auto is_right,
                         const char* kind) -> std::string {
    for (const char* key : keys)
      if (const Json& value = at(m, key); !value.is_null() && !is_right(value))
        return fmt::format("\"{}\" is {}, which is not {}", key, value.dump(-1, ' ', true).substr(0, 40),
                           kind);
    return "";
  };
  for (const std::string& fault :
       {is_of(
            {"lab", "rung", "role", "backend", "device", "dtype", "status", "why"},
            [](const Json& value) { return value.is_string(); }, "a text"),
        is_of(
            {"size", "params", "time_ms", "speed_of_light", "cpu", "gpu", "published", "lens", "counts"},
            [](const Json& value) { return value.is_object(); }, "an object"),
        is_of(
            {"h2d_ms", "d2h_ms", "bytes", "flops", "gb_per_s", "gflop_per_s"},
            [](const Json& value) { return value.is_number() && value.template get<double>() >= 0; },
            "a number of 0 or more")})
    if (!fault.empty()) return fault;
  if (text(m, "lab").empty()) return "it names no lab";
  if (const std::string status = text(m, "status"); !status.empty() && !find_status(status))
    return fmt::format("\"status\" is {}; known are ok, todo, refused, failed, not_built and unavailable",
                       at(m, "status").dump(-1, ' ', true).substr(0, 40));
  const Json& median = at(m, "time_ms").is_object() ? at(at(m, "time_ms"), "median") : Json();
  if (!median.is_null() && !(median.is_number() && median.get<double>() > 0))
    return fmt::format("its median time is {}", median.dump());
  return "";
}

Json parsed(const fs::path& file) {
  const std::optional<std::string> content = readable_content(file);
  if (!content) throw BadInput("cannot read " + file.string());
  if (json_nesting(*content) > max_json_nesting) throw BadInput(file.string() + " is nested too deep");
  try {
    return Json::parse(*content);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = content->begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, content->size()));
    throw BadInput(fmt::format("{} is broken: it is not JSON from line {} on", file.string(),
                               std::count(content->begin(), end, '\n') + 1));
  } catch (const nlohmann::json::exception&) {
    throw BadInput(file.string() + " is broken: it holds a number that is none");
  }
}

}  // namespace

std::optional<double> number_at(const Json& object, std::initializer_list<const char*> path) {
  const Json* value = &object;
  for (const char* key : path) {
    if (!value->is_object()) return std::nullopt;
    value = &at(*value, key);
  }
  return value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

std::string Row::size_text() const {
  std::string joined;
  for (const auto& [name, value] : size) joined += (joined.empty() ? "" : "x") + fmt::format("{:.0f}", value);
  return joined;
}

std::string Row::param(const std::string& name) const {
  for (const auto& [key, value] : params)
    if (key == name) return value;
  return "";
}

std::string Run::fact(const char* key) const { return text(info, key); }

bool Run::emulated() const {
  if (!fact("backend").empty()) return fact("backend") == "emulator";
  return std::ranges::all_of(rows, [](const Row& row) { return row.backend == "emulator"; });
}

std::vector<std::string> Run::labs() const {
  std::vector<std::string> labs;
  for (const Row& row : rows)
    if (std::ranges::find(labs, row.lab) == labs.end()) labs.push_back(row.lab);
  return labs;
}

std::vector<std::string> Row::findings() const {
  std::vector<std::string> lines;
  const Json& found = at(lens, "findings");
  if (!found.is_array()) return lines;
  for (const Json& one : found)
    lines.push_back(fmt::format("{}:{:.0f}: {}: {}", text(one, "file"), number(one, "line").value_or(0),
                                text(one, "kind"), text(one, "text")));
  return lines;
}

Run run_of(const Json& results, const fs::path& file) {
  if (!results.is_object() || !at(results, "measurements").is_array())
    throw BadInput(file.string() + " holds no results of warplab: it has no measurements");
  if (const auto schema = number(results, "schema"); schema && *schema != 1)
    throw BadInput(fmt::format("{} has schema {}; this warplab reads schema 1", file.string(), *schema));
  Run run;
  run.folder = file.parent_path();
  run.name = fs::absolute(file).lexically_normal().parent_path().filename();
  if (const Json& info = at(results, "run"); info.is_object())
    run.info = info;
  else if (!info.is_null())
    throw BadInput(file.string() + " is broken: \"run\" is not an object");
  for (const Json& measurement : at(results, "measurements")) {
    if (!measurement.is_object())
      throw BadInput(
          fmt::format("{} is broken: measurement {} is not an object", file.string(), run.rows.size() + 1));
    if (const std::string fault = fault_of(measurement); !fault.empty())
      throw BadInput(
          fmt::format("{} is broken: measurement {}: {}", file.string(), run.rows.size() + 1, fault));
    run.rows.push_back(row_of(measurement));
  }
  return run;
}

Run read_run(const fs::path& path) {
  std::error_code none;
  if (!fs::exists(path, none)) throw BadInput("there is no run " + path.string());
  const bool is_folder = fs::is_directory(path, none);
  const fs::path file = is_folder ? path / "results.json" : path;
  if (!fs::is_regular_file(file, none))
    throw BadInput(path.string() + " is not a run of warplab: it has no results.json");
  Run run = run_of(parsed(file), file);
  if (run.rows.empty()) throw BadInput(file.string() + " holds no results: nothing was measured");
  return run;
}

}  // namespace warplab::report
