#include "lens/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lens/count_fields.hpp"
#include "lens/merge.hpp"

namespace warplab::lens {
namespace {

Json ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? Json(nullptr) : Json(static_cast<double>(part) / static_cast<double>(whole));
}

Json to_json(const SectorCounts& c) {
  return {{"requests", c.requests},
          {"sectors", c.sectors},
          {"ideal_sectors", c.ideal_sectors},
          {"sectors_per_request", ratio(c.sectors, c.requests)},
          {"lanes", c.lanes},
          {"bytes", c.bytes}};
}

Json to_json(const WavefrontCounts& c) {
  return {{"requests", c.requests},
          {"wavefronts", c.wavefronts},
          {"ideal_wavefronts", c.ideal_wavefronts},
          {"bank_conflicts", c.bank_conflicts()},
          {"wavefronts_per_request", ratio(c.wavefronts, c.requests)},
          {"lanes", c.lanes},
          {"bytes", c.bytes}};
}

Json to_json(const AtomicCounts& c) {
  Json json;
  each_field(&c, [&](const char* field, auto member) { json[field] = c.*member; });
  return json;
}

/// The sum of two parts, with these below it.
template <class T>
Json in_two_parts(const char* first, const T& one, const char* second, const T& other) {
  T both = one;
  both += other;
  Json json = to_json(both);
  json[first] = to_json(one);
  json[second] = to_json(other);
  return json;
}

Json counts_json(const Counts& c) {
  Json json;
  json["global_load"] = to_json(c.global_load);
  json["global_store"] = to_json(c.global_store);
  json["shared_load"] = to_json(c.shared_load);
  json["shared_store"] = to_json(c.shared_store);
  json["shared_copy"] = to_json(c.shared_copy);
  json["constant"] = {{"requests", c.constant.requests},
                      {"addresses", c.constant.addresses},
                      {"addresses_per_request", ratio(c.constant.addresses, c.constant.requests)},
                      {"loaded", c.constant.loaded}};
  json["local"] = in_two_parts("load", c.local_load, "store", c.local_store);
  json["atomics"] = in_two_parts("global", c.global_atomics, "shared", c.shared_atomics);
  json["branches"] = {{"executed", c.branches.executed}, {"divergent", c.branches.divergent}};
  const auto average = c.average_active_lanes();
  json["active_lanes"] = average ? Json(*average) : Json(nullptr);
  json["warp_events"] = c.warp_events;
  json["barriers"] = c.barriers;
  return json;
}

/// Sets to null what was not counted: "branches" or "shared_load.ideal_wavefronts",
/// and what was computed from it.
void blank(Json& json, const std::map<std::string, std::string>& not_measured) {
  for (const auto& [name, why] : not_measured) {
    const std::size_t dot = name.find('.');
    const std::string outer = name.substr(0, dot);
    if (!json.contains(outer)) continue;
    if (dot == std::string::npos) {
      json[outer] = nullptr;
      continue;
    }
    const std::string inner = name.substr(dot + 1);
    if (!json[outer].is_object() || !json[outer].contains(inner)) continue;
    json[outer][inner] = nullptr;
    for (const char* derived : {"sectors_per_request", "wavefronts_per_request", "addresses_per_request"})
      if (json[outer].contains(derived) && (inner == "requests" || std::string(derived).find(inner) == 0))
        json[outer][derived] = nullptr;
    if (json[outer].contains("bank_conflicts") && inner.find("wavefronts") != std::string::npos)
      json[outer]["bank_conflicts"] = nullptr;
  }
}

/// Everything that a launch without records lacks, for the reason that it gives.
std::map<std::string, std::string> gaps_of(const Launch& launch) {
  std::map<std::string, std::string> gaps = launch.not_measured;
  if (launch.recorded()) return gaps;
  const std::string why = launch.note.empty() ? "no block was recorded" : launch.note;
  const Json all = counts_json({});
  for (const auto& [name, value] : all.items()) gaps.emplace(name, why);
  return gaps;
}

Json sample_json(const RequestSample& s) {
  Json addresses = Json::array();
  for (unsigned lane = 0; lane < 32; ++lane)
    addresses.push_back(s.mask >> lane & 1 ? Json(s.address[lane]) : Json(nullptr));
  return {{"kind", name_of(s.kind)}, {"bytes", s.bytes}, {"addresses", addresses}, {"block", s.block},
          {"warp", s.warp},          {"cost", s.cost},   {"ideal", s.ideal}};
}

Json compiled_json(const std::vector<CompiledAccess>& accesses) {
  Json all = Json::array();
  for (const CompiledAccess& access : accesses)
    all.push_back({{"kind", access.kind}, {"bytes", access.bytes}, {"count", access.count}});
  return all;
}

Json lines_json(const Launch& launch, bool with_samples) {
  Json lines = Json::array();
  for (const Line& line : launch.lines) {
    Json json{{"file", line.file}, {"line", line.line}, {"function", line.function}};
    if (line.text) json["text"] = *line.text;
    if (line.compiled) json["compiled"] = compiled_json(*line.compiled);
    json.update(counts_json(line.counts));
    blank(json, launch.not_measured);
    if (with_samples) {
      json["samples"] = Json::array();
      for (const RequestSample& sample : line.samples) json["samples"].push_back(sample_json(sample));
    }
    lines.push_back(std::move(json));
  }
  return lines;
}

Json counts_and_blocks(const Launch& launch) {
  Json json = counts_json(launch.counts);
  const auto gaps = gaps_of(launch);
  blank(json, gaps);
  for (const char* later : {"occupancy", "blocks_per_multiprocessor", "limited_by"}) json[later] = nullptr;
  json["blocks_recorded"] = launch.blocks_recorded;
  json["blocks"] = launch.blocks;
  json["scaled"] = launch.blocks_recorded < launch.blocks;
  json["not_measured"] = gaps;
  return json;
}

void set_occupancy(Json& json, const Occupancy& occupancy) {
  json["blocks_per_multiprocessor"] = occupancy.blocks_per_multiprocessor;
  json["limited_by"] = occupancy.limited_by;
  if (!json["not_measured"].contains("occupancy")) json["occupancy"] = occupancy.theoretical;
}

/// The kernels' names once, and of each launch from a kernel: its parent's place, its
/// kernel's, blocks and threads.
Json family_json(const Launch& launch) {
  std::map<std::string, std::size_t> numbers;
  Json names = Json::array(), nodes = Json::array();
  for (const Descendant& d : launch.descendants) {
    const auto [kernel, is_new] = numbers.emplace(d.kernel, names.size());
    if (is_new) names.push_back(d.kernel);
    nodes.push_back({d.parent, kernel->second, d.blocks, d.threads});
  }
  return {{"kernels", names}, {"launches", nodes}, {"most_pending", launch.max_pending}};
}

Json one_launch(const Launch& launch) {
  Json json{{"kernel", launch.kernel},
            {"grid", launch.grid},
            {"block", launch.block},
            {"source", launch.source == Source::emulator ? "emulator" : "nsight_compute"},
            {"static_shared_bytes", launch.static_shared_bytes},
            {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
            {"note", launch.note}};
  json.update(counts_and_blocks(launch));
  set_occupancy(json, launch.occupancy);
  json["rates"] = launch.rates;
  if (launch.work)
    each_field(&*launch.work,
               [&](const char* field, auto member) { json["work"][field] = (*launch.work).*member; });
  if (launch.max_waits != 0)
    json["waits"] = {{"most_barriers", launch.max_barriers}, {"most", launch.max_waits}};
  if (launch.fills + launch.copies != 0)
    json["transfers"] = {{"fills", launch.fills}, {"copies", launch.copies}};
  if (launch.busiest_warp != 0) json["busiest_warp"] = launch.busiest_warp;
  if (launch.from_kernel) json["alike"] = launch.alike;
  if (!launch.descendants.empty()) json["family"] = family_json(launch);
  json["lines"] = lines_json(launch, true);
  return json;
}

Json finding_json(const Finding& f, std::size_t launch) {
  Json json{{"kind", name_of(f.kind)}, {"kernel", f.kernel}, {"block", f.block}, {"thread", f.thread},
            {"file", f.file},          {"line", f.line},     {"text", f.text},   {"hint", name_of(f.hint)},
            {"times", f.times},        {"launch", launch}};
  if (f.place_is_claimed) json["place_is_claimed"] = true;
  return json;
}

/// All launches as if they were one. What one of them lacks, the sum lacks.
Launch sum_of(const std::vector<Launch>& launches) {
  Launch sum;
  for (const Launch& launch : launches) {
    sum.counts += launch.counts;
    sum.blocks += launch.blocks;
    sum.blocks_recorded += launch.blocks_recorded;
    for (const auto& [name, why] : gaps_of(launch))
      sum.not_measured.emplace(name, launches.size() == 1 ? why : launch.kernel + ": " + why);
  }
  return sum;
}

}  // namespace

const char* name_of(RequestKind kind) {
  switch (kind) {
    case RequestKind::global_load:
      return "global_load";
    case RequestKind::global_store:
      return "global_store";
    case RequestKind::shared_load:
      return "shared_load";
    case RequestKind::shared_store:
      return "shared_store";
  }
  return "";
}

Json measurement_json(const std::vector<Launch>& launches) {
  Json json = counts_and_blocks(sum_of(launches));
  bool alike = !launches.empty();
  for (const Launch& launch : launches)
    alike = alike && launch.occupancy.theoretical == launches.front().occupancy.theoretical &&
            launch.occupancy.limited_by == launches.front().occupancy.limited_by;
  if (alike)
    set_occupancy(json, launches.front().occupancy);
  else
    json["not_measured"]["occupancy"] =
        launches.empty() ? "nothing was launched" : "the launches differ: each has its own";
  json["launches"] = Json::array();
  json["findings"] = Json::array();
  for (std::size_t i = 0; i < launches.size(); ++i) {
    json["launches"].push_back(one_launch(launches[i]));
    for (const Finding& finding : launches[i].findings) json["findings"].push_back(finding_json(finding, i));
  }
  return json;
}

Json launch_json(const Launch& launch) {
  Json json{{"kernel", launch.kernel}, {"grid", launch.grid}, {"block", launch.block}};
  json["lens"] = measurement_json({launch});
  json["lens"]["lines"] = lines_json(launch, false);
  return json;
}

}  // namespace warplab::lens
