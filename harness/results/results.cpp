#include "harness/results/results.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/io/csv.hpp"
#include "harness/console/case_text.hpp"
#include "harness/results/lens_report.hpp"
#include "harness/results/source_commit.hpp"

namespace warplab {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json summary_json(const Summary& s) {
  return {{"median", s.median},
          {"mad", or_null(s.mad)},
          {"mean", s.mean},
          {"stddev", or_null(s.stddev)},
          {"min", s.min},
          {"samples", s.samples},
          {"interval_low", or_null(s.interval_low)},
          {"interval_high", or_null(s.interval_high)}};
}

Json cpu_json(const CpuBaseline& cpu) {
  return {{"one_core_ms", summary_json(cpu.one_core_ms)},
          {"fastest_ms", cpu.fastest_ms ? summary_json(*cpu.fastest_ms) : Json(nullptr)},
          {"threads", cpu.fastest_ms ? Json(cpu.threads) : Json(nullptr)},
          {"cores", cpu.cores}};
}

Json gpu_json(const GpuState& gpu) {
  return {{"sm_clock_mhz", summary_json(gpu.sm_clock_mhz)},
          {"power_w", or_null(gpu.power_w)},
          {"temperature_c", or_null(gpu.temperature_c)}};
}

Json params_json(const Case& c) {
  Json params = Json::object();
  params["block"] = c.block ? Json(extent_text(*c.block)) : Json(nullptr);
  params["grid"] = c.grid ? Json(extent_text(*c.grid)) : Json(nullptr);
  for (const Parameter& p : c.params)
    if (is_shown(p)) params[p.name] = p.label.empty() ? Json(p.value) : Json(p.label);
  return params;
}

/// Files of this project are named from its root: results are read on other machines.
Json without_place(Json json) {
  static const std::string root = std::string(WARPLAB_SOURCE_DIR) + "/";
  if (json.is_string() && json.get_ref<const std::string&>().starts_with(root))
    return json.get_ref<const std::string&>().substr(root.size());
  if (json.is_structured())
    for (Json& part : json) part = without_place(std::move(part));
  return json;
}

Json published_json(const Published& p) {
  Json json{{"table", p.table}, {"row", p.row}};
  for (const auto& [name, value] : p.figures) json[name] = value;
  if (!p.note.empty()) json["note"] = p.note;
  return json;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string field(const std::optional<double>& value) { return value ? fmt::format("{:.9g}", *value) : ""; }

}  // namespace

RunInfo describe_run(int argc, const char* const* argv, const DeviceInfo& device) {
  RunInfo run;
  for (int i = 0; i < argc; ++i) run.command += (i ? " " : "") + std::string(argv[i]);
  run.device = device.name;
  run.driver = device.driver;
  run.toolkit = device.toolkit;
  run.flags = WARPLAB_BUILD_FLAGS;
  run.cpu_flags = WARPLAB_CPU_FLAGS;
  run.commit = source_commit();
  run.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  run.host = host.data();
  return run;
}

Json to_json(const Measurement& m) {
  Json size = Json::object();
  for (const auto& [name, value] : m.problem_case.size) size[name] = value;
  Json json;
  json["lab"] = m.lab;
  json["rung"] = m.rung;
  json["role"] = m.role;
  json["backend"] = m.backend;
  json["device"] = m.device;
  json["size"] = size;
  json["params"] = params_json(m.problem_case);
  json["dtype"] = std::string(name_of(m.problem_case.dtype));
  json["seed"] = m.problem_case.seed;
  json["status"] = name_of(m.status);
  json["why"] = m.why;
  json["verified"] = m.verified;
  json["max_abs_error"] = or_null(m.max_abs_error);
  json["max_rel_error"] = or_null(m.max_rel_error);
  json["mean_abs_error"] = or_null(m.mean_abs_error);
  json["mean_error"] = or_null(m.mean_error);
  json["tolerance"] = {{"atol", m.tolerance.atol}, {"rtol", m.tolerance.rtol}};
  if (!m.figures.empty())
    for (const auto& [name, value] : m.figures) json["figures"][name] = value;
  json["time_ms"] = m.time_ms ? summary_json(*m.time_ms) : Json(nullptr);
  json["h2d_ms"] = or_null(m.h2d_ms);
  json["d2h_ms"] = or_null(m.d2h_ms);
  json["published"] = m.published ? published_json(*m.published) : Json(nullptr);
  json["bytes"] = m.bytes;
  json["flops"] = m.flops;
  json["gb_per_s"] = or_null(m.gb_per_s());
  json["gflop_per_s"] = or_null(m.gflop_per_s());
  json["speed_of_light"] = nullptr;
  if (const auto& s = m.speed_of_light)
    json["speed_of_light"] = {
        {"what", s->what}, {"unit", s->unit}, {"value", s->value}, {"fraction", s->fraction}};
  json["paired_with"] = nullptr;
  if (const auto& r = m.paired_with)
    json["paired_with"] = {
        {"rung", r->rung}, {"time_ms", summary_json(r->time_ms)}, {"ratio", summary_json(r->ratio)}};
  json["cpu"] = m.cpu ? cpu_json(*m.cpu) : Json(nullptr);
  json["gpu"] = m.gpu ? gpu_json(*m.gpu) : Json(nullptr);
  json["counts"] = nullptr;
  if (const auto& c = m.counts)
    json["counts"] = {
        {"launches", c->launches}, {"blocks", c->blocks}, {"threads", c->threads}, {"barriers", c->barriers}};
  json["kernels"] = nullptr;
  for (const KernelUse& k : m.kernels)
    json["kernels"].push_back({{"kernel", k.kernel},
                               {"grid", extent_text(k.grid)},
                               {"block", extent_text(k.block)},
                               {"registers", k.registers},
                               {"local_bytes", k.local_bytes},
                               {"shared_bytes", k.shared_bytes},
                               {"occupancy", k.occupancy}});
  json["lens"] = m.lens ? without_place(lens_json(*m.lens)) : Json(nullptr);
  json["not_measured"] = m.not_measured;
  return json;
}

std::string results_json(const RunInfo& run, const std::vector<Measurement>& measurements) {
  Json json;
  json["schema"] = 1;
  json["run"] = {{"command", run.command}, {"device", run.device}, {"driver", run.driver},
                 {"toolkit", run.toolkit}, {"flags", run.flags},   {"cpu_flags", run.cpu_flags},
                 {"commit", run.commit},   {"date", run.date},     {"host", run.host}};
  if (!run.finished) json["run"]["finished"] = false;
  json["measurements"] = Json::array();
  for (const Measurement& m : measurements) json["measurements"].push_back(to_json(m));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

constexpr const char* csv_header =
    "lab,rung,role,backend,device,size,block,grid,dtype,seed,status,verified,max_abs_error,max_rel_error,"
    "mean_abs_error,mean_error,time_median_ms,time_mad_ms,time_mean_ms,time_stddev_ms,time_min_ms,samples,"
    "h2d_ms,d2h_ms,bytes,flops,gb_per_s,gflop_per_s,speed_of_light_what,speed_of_light_value,"
    "speed_of_light_fraction,cpu_one_core_ms,cpu_fastest_ms,cpu_threads,cpu_cores,sm_clock_mhz,launches,"
    "blocks,threads,barriers,"
    "published_table,published_row,published,why\n";

std::vector<std::string> csv_fields(const Measurement& m) {
  const Case& c = m.problem_case;
  const auto time = [&](auto member) { return m.time_ms ? field((*m.time_ms).*member) : std::string(); };
  const auto count = [&](auto member) {
    return m.counts ? std::to_string((*m.counts).*member) : std::string();
  };
  std::string published;
  if (m.published)
    for (const auto& [name, value] : m.published->figures)
      published += fmt::format("{}{}={:.9g}", published.empty() ? "" : " ", name, value);
  return {m.lab,
          m.rung,
          m.role,
          m.backend,
          m.device,
          size_text(c),
          c.block ? extent_text(*c.block) : "",
          c.grid ? extent_text(*c.grid) : "",
          std::string(name_of(c.dtype)),
          std::to_string(c.seed),
          name_of(m.status),
          m.verified ? "true" : "false",
          field(m.max_abs_error),
          field(m.max_rel_error),
          field(m.mean_abs_error),
          field(m.mean_error),
          time(&Summary::median),
          time(&Summary::mad),
          time(&Summary::mean),
          time(&Summary::stddev),
          time(&Summary::min),
          m.time_ms ? std::to_string(m.time_ms->samples) : "",
          field(m.h2d_ms),
          field(m.d2h_ms),
          field(m.bytes),
          field(m.flops),
          field(m.gb_per_s()),
          field(m.gflop_per_s()),
          m.speed_of_light ? m.speed_of_light->what + ", " + m.speed_of_light->unit : "",
          m.speed_of_light ? field(m.speed_of_light->value) : "",
          m.speed_of_light ? field(m.speed_of_light->fraction) : "",
          m.cpu ? field(m.cpu->one_core_ms.median) : "",
          m.cpu && m.cpu->fastest_ms ? field(m.cpu->fastest_ms->median) : "",
          m.cpu && m.cpu->fastest_ms ? std::to_string(m.cpu->threads) : "",
          m.cpu ? std::to_string(m.cpu->cores) : "",
          m.gpu ? field(m.gpu->sm_clock_mhz.median) : "",
          count(&LaunchCounts::launches),
          count(&LaunchCounts::blocks),
          count(&LaunchCounts::threads),
          count(&LaunchCounts::barriers),
          m.published ? m.published->table : "",
          m.published ? m.published->row : "",
          published,
          one_line(m.why)};
}

}  // namespace

std::string results_csv(const std::vector<Measurement>& measurements) {
  std::string text = csv_header;
  for (const Measurement& m : measurements) {
    const std::vector<std::string> fields = csv_fields(m);
    for (std::size_t i = 0; i < fields.size(); ++i) text += (i ? "," : "") + csv_quoted(fields[i]);
    text += '\n';
  }
  return text;
}

}  // namespace warplab
