// Launches as json.cpp wrote them, or as a stranger did: all of it may be wrong.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "lens/count_fields.hpp"
#include "lens/json.hpp"

namespace warplab::lens {
namespace {

constexpr RequestKind request_kinds[] = {RequestKind::global_load, RequestKind::global_store,
                                         RequestKind::shared_load, RequestKind::shared_store};

/// A number where it is whole and fits. @throws std::invalid_argument for others
template <std::integral T>
T whole(const Json& json) {
  if (json.is_number_unsigned()) {
    if (const auto value = json.get<std::uint64_t>(); std::in_range<T>(value)) return static_cast<T>(value);
  } else if (json.is_number_integer()) {
    if (const auto value = json.get<std::int64_t>(); std::in_range<T>(value)) return static_cast<T>(value);
  } else if (json.is_number_float()) {
    const auto value = json.get<double>();
    if (std::abs(value) <= 0x1p53 && value == std::trunc(value) &&
        std::in_range<T>(static_cast<std::int64_t>(value)))
      return static_cast<T>(value);
  }
  throw std::invalid_argument(fmt::format("{} is not a whole number that fits its place",
                                          json.is_number() ? json.dump() : json.type_name()));
}

template <class T>
void take(const Json& json, T& value) {
  json.get_to(value);
}
template <std::integral T>
void take(const Json& json, T& value) {
  value = whole<T>(json);
}
template <std::size_t extents>
void take(const Json& json, std::array<unsigned, extents>& values) {
  for (std::size_t i = 0; i < extents; ++i) values[i] = whole<unsigned>(json.at(i));
}

/// A value that may be null, which leaves what was there.
template <class T>
void read(const Json& json, const char* name, T& value) {
  const auto at = json.find(name);
  if (at != json.end() && !at->is_null()) take(*at, value);
}

/// A name, a path or a sentence. A stranger's code may have made it: no more is taken than people would read.
void read_words(const Json& json, const char* name, std::string& words) {
  constexpr std::size_t most = 2000;
  json.at(name).get_to(words);
  if (words.size() > most) words = words.substr(0, most) + "...";
}

/// An object that may be null as a whole.
template <class F>
void read_object(const Json& json, const char* name, F take) {
  const auto at = json.find(name);
  if (at != json.end() && !at->is_null()) take(*at);
}

template <Fields T>
void read(const Json& json, const char* name, T& counts) {
  read_object(json, name, [&](const Json& j) {
    each_field(&counts, [&](const char* field, auto member) { read(j, field, counts.*member); });
  });
}

Counts read_counts(const Json& json) {
  Counts c;
  read(json, "global_load", c.global_load);
  read(json, "global_store", c.global_store);
  read(json, "shared_load", c.shared_load);
  read(json, "shared_store", c.shared_store);
  read(json, "shared_copy", c.shared_copy);
  read(json, "constant", c.constant);
  read_object(json, "local", [&](const Json& j) {
    read(j, "load", c.local_load);
    read(j, "store", c.local_store);
  });
  read_object(json, "atomics", [&](const Json& j) {
    read(j, "global", c.global_atomics);
    read(j, "shared", c.shared_atomics);
  });
  read(json, "branches", c.branches);
  double average = 0;
  read(json, "active_lanes", average);
  read(json, "warp_events", c.warp_events);
  read(json, "barriers", c.barriers);
  c.active_lanes = static_cast<std::uint64_t>(std::llround(average * static_cast<double>(c.warp_events)));
  return c;
}

std::vector<CompiledAccess> read_compiled(const Json& json) {
  std::vector<CompiledAccess> accesses;
  for (const Json& j : json) {
    CompiledAccess& access = accesses.emplace_back();
    read_words(j, "kind", access.kind);
    take(j.at("bytes"), access.bytes);
    take(j.at("count"), access.count);
  }
  return accesses;
}

RequestSample read_sample(const Json& json) {
  RequestSample s;
  const std::string kind = json.at("kind");
  bool known = false;
  for (RequestKind candidate : request_kinds)
    if (kind == name_of(candidate)) s.kind = candidate, known = true;
  if (!known) throw std::invalid_argument(fmt::format("'{}' is not a kind of request", kind));
  const Json& addresses = json.at("addresses");
  if (!addresses.is_array() || addresses.size() != 32)
    throw std::invalid_argument("a sample's addresses are not 32, one for each lane");
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (addresses[lane].is_null()) continue;
    s.mask |= 1u << lane;
    take(addresses[lane], s.address[lane]);
  }
  take(json.at("bytes"), s.bytes);
  take(json.at("block"), s.block);
  take(json.at("warp"), s.warp);
  take(json.at("cost"), s.cost);
  take(json.at("ideal"), s.ideal);
  return s;
}

FindingKind read_kind(const std::string& name) {
  const std::optional<FindingKind> kind = finding_kind(name);
  if (!kind) throw std::invalid_argument(fmt::format("'{}' is not a kind of finding", name));
  return *kind;
}

void read_family(const Json& json, Launch& launch) {
  take(json.at("most_pending"), launch.max_pending);
  for (const Json& node : json.at("launches")) {
    Descendant d;
    take(node.at(0), d.parent);
    if (d.parent > launch.descendants.size())
      throw std::invalid_argument("a launch comes before the one that launched it");
    if (d.parent > 0) d.depth = launch.descendants[d.parent - 1].depth + 1;
    d.kernel = json.at("kernels").at(whole<std::size_t>(node.at(1)));
    take(node.at(2), d.blocks);
    take(node.at(3), d.threads);
    launch.descendants.push_back(std::move(d));
  }
}

Launch read_launch(const Json& json) {
  Launch launch;
  read_words(json, "kernel", launch.kernel);
  take(json.at("grid"), launch.grid);
  take(json.at("block"), launch.block);
  take(json.at("blocks"), launch.blocks);
  take(json.at("blocks_recorded"), launch.blocks_recorded);
  read_object(json, "waits", [&](const Json& waits) {
    read(waits, "most_barriers", launch.max_barriers);
    read(waits, "most", launch.max_waits);
  });
  read_object(json, "transfers", [&](const Json& transfers) {
    read(transfers, "fills", launch.fills);
    read(transfers, "copies", launch.copies);
  });
  read(json, "busiest_warp", launch.busiest_warp);
  launch.source = json.value("source", "emulator") == "emulator" ? Source::emulator : Source::nsight_compute;
  read(json, "static_shared_bytes", launch.static_shared_bytes);
  read(json, "dynamic_shared_bytes", launch.dynamic_shared_bytes);
  read(json, "note", launch.note);
  read(json, "not_measured", launch.not_measured);
  read(json, "occupancy", launch.occupancy.theoretical);
  read(json, "blocks_per_multiprocessor", launch.occupancy.blocks_per_multiprocessor);
  read(json, "limited_by", launch.occupancy.limited_by);
  read(json, "rates", launch.rates);
  launch.counts = read_counts(json);
  read_object(json, "work", [&](const Json& work) {
    launch.work.emplace();
    each_field(&*launch.work,
               [&](const char* field, auto member) { read(work, field, (*launch.work).*member); });
  });
  launch.from_kernel = json.contains("alike");
  read(json, "alike", launch.alike);
  if (launch.alike == 0) throw std::invalid_argument("\"alike\" is 0; it must be 1 or more");
  if (json.contains("family")) read_family(json.at("family"), launch);
  for (const Json& j : json.at("lines")) {
    Line line;
    read_words(j, "file", line.file);
    take(j.at("line"), line.line);
    if (j.contains("function")) read_words(j, "function", line.function);
    if (j.contains("text")) line.text = j.at("text").get<std::string>();
    if (j.contains("compiled")) line.compiled = read_compiled(j.at("compiled"));
    line.counts = read_counts(j);
    if (j.contains("samples"))
      for (const Json& sample : j.at("samples")) line.samples.push_back(read_sample(sample));
    launch.lines.push_back(std::move(line));
  }
  return launch;
}

}  // namespace

std::vector<Launch> launches_from_json(const Json& lens) {
  try {
    std::vector<Launch> launches;
    for (const Json& json : lens.at("launches")) launches.push_back(read_launch(json));
    for (const Json& json : lens.at("findings")) {
      Finding f;
      f.kind = read_kind(json.at("kind"));
      read_words(json, "kernel", f.kernel);
      take(json.at("block"), f.block);
      take(json.at("thread"), f.thread);
      read_words(json, "file", f.file);
      take(json.at("line"), f.line);
      read_words(json, "text", f.text);
      f.hint = hint_of(json.value("hint", "none")).value_or(Hint::none);
      f.place_is_claimed = json.value("place_is_claimed", false);
      read(json, "times", f.times);
      launches.at(whole<std::size_t>(json.at("launch"))).findings.push_back(std::move(f));
    }
    return launches;
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(fmt::format("this is not a lens object: {}", error.what()));
  } catch (const std::out_of_range&) {
    throw std::invalid_argument("this is not a lens object: a finding names a launch that it does not have");
  }
}

}  // namespace warplab::lens
