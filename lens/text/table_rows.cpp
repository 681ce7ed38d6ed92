#include "lens/text/table_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lens/text/advice.hpp"

namespace warplab::lens {
namespace {

double per(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::string requests_text(std::uint64_t requests) {
  return fmt::format("{} request{}", grouped(requests), requests == 1 ? "" : "s");
}

/// One kind of access: how its cost and ideal are called and what they are.
struct Access {
  const char* label;
  std::string name;  ///< in the JSON
  const char* unit;
  std::uint64_t requests, cost, ideal;
};

std::vector<Access> sector_accesses(const Counts& c) {
  std::vector<Access> all;
  const auto add = [&](const char* label, const char* name, const SectorCounts& s) {
    all.push_back({label, name, "sectors", s.requests, s.sectors, s.ideal_sectors});
  };
  add("global load", "global_load", c.global_load);
  add("global store", "global_store", c.global_store);
  add("local load", "local", c.local_load);
  add("local store", "local", c.local_store);
  return all;
}

std::vector<Access> wavefront_accesses(const Counts& c) {
  std::vector<Access> all;
  const auto add = [&](const char* label, const char* name, const WavefrontCounts& s) {
    all.push_back({label, name, "wavefronts", s.requests, s.wavefronts, s.ideal_wavefronts});
  };
  add("shared load", "shared_load", c.shared_load);
  add("shared store", "shared_store", c.shared_store);
  add("shared copy", "shared_copy", c.shared_copy);
  return all;
}

std::string conflict_text(double ways) {
  const bool whole = std::abs(ways - std::round(ways)) < 0.05;
  return whole ? fmt::format("{:.0f}-way bank conflict", ways)
               : fmt::format("bank conflicts, {:.1f}-way on average", ways);
}

/// What all kinds of access have in common; the caller adds what is special.
Row average_row(const Access& a, const Launch& launch) {
  Row row{a.label, "", requests_text(a.requests)};
  if (!measured(launch, a.name + "." + a.unit)) {
    row.text = fmt::format("{} not measured", a.unit);
    return row;
  }
  row.text = fmt::format("{}/request {:>4.1f}", a.unit, per(a.cost, a.requests));
  if (!measured(launch, a.name + ".ideal_" + a.unit)) return row;
  row.text += fmt::format(" (ideal {:.1f})", per(a.ideal, a.requests));
  row.far = far_from_ideal(a.cost, a.ideal);
  return row;
}

Row sum_row(const Access& a, const Launch& launch) {
  Row row{a.label, "", ""};
  if (!measured(launch, a.name + "." + a.unit)) {
    row.text = fmt::format("{}, {} not measured", requests_text(a.requests), a.unit);
    return row;
  }
  const std::string unit = a.unit;
  row.text = fmt::format("{} {}", grouped(a.cost), a.cost == 1 ? unit.substr(0, unit.size() - 1) : unit);
  if (measured(launch, a.name + ".ideal_" + a.unit)) {
    row.text += fmt::format(" (ideal {})", grouped(a.ideal));
    row.far = far_from_ideal(a.cost, a.ideal);
  }
  row.text += " in " + requests_text(a.requests);
  return row;
}

Row atomics_row(const char* label, const AtomicCounts& a) {
  Row row{label, "", requests_text(a.requests)};
  row.text = fmt::format("steps/request {:>4.1f} (ideal 1.0)", per(a.serial, a.requests));
  row.far = far_from_ideal(a.serial, a.requests);
  if (row.far)
    row.text += fmt::format(": {:.1f} lanes on {:.1f} addresses", per(a.lanes, a.requests),
                            per(a.addresses, a.requests));
  return row;
}

std::string branch_text(const BranchCounts& b) {
  return fmt::format("{} of {} branches divergent", grouped(b.divergent), grouped(b.executed));
}

}  // namespace

bool measured(const Launch& launch, const std::string& name) {
  return !launch.not_measured.contains(name) && !launch.not_measured.contains(name.substr(0, name.find('.')));
}

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::uint64_t bytes_moved(const Counts& c) {
  return 32 * (c.global_load.sectors + c.global_store.sectors + c.global_atomics.sectors);
}

std::vector<Row> rows_of_line(const Counts& c, const Launch& launch) {
  std::vector<Row> rows;
  for (const Access& access : sector_accesses(c))
    if (access.requests > 0 && measured(launch, access.name)) rows.push_back(average_row(access, launch));
  for (const Access& access : wavefront_accesses(c)) {
    if (access.requests == 0 || !measured(launch, access.name)) continue;
    rows.push_back(average_row(access, launch));
    if (rows.back().far) rows.back().text += ": " + conflict_text(per(access.cost, access.ideal));
  }
  if (c.constant.requests > 0 && measured(launch, "constant"))
    rows.push_back(
        {"constant",
         fmt::format("words/request   {:>4.1f} (ideal 1.0)", per(c.constant.addresses, c.constant.requests)),
         requests_text(c.constant.requests), far_from_ideal(c.constant.addresses, c.constant.requests)});
  if (measured(launch, "atomics")) {
    if (c.global_atomics.requests > 0) rows.push_back(atomics_row("global atomics", c.global_atomics));
    if (c.shared_atomics.requests > 0) rows.push_back(atomics_row("shared atomics", c.shared_atomics));
  }
  const auto lanes = c.average_active_lanes();
  const bool few = measured(launch, "active_lanes") && lanes && *lanes < 31.95;
  const bool parted = measured(launch, "branches") && c.branches.divergent > 0;
  if (few || parted) {
    std::string text =
        lanes && measured(launch, "active_lanes") ? fmt::format("active lanes {:.1f} of 32", *lanes) : "";
    if (parted) text += (text.empty() ? "" : "; ") + branch_text(c.branches);
    rows.push_back({"divergence", text, "", parted && c.branches.divergent * 10 >= c.branches.executed});
  }
  return rows;
}

std::vector<Row> rows_of_launch(const Launch& launch) {
  const Counts& c = launch.counts;
  std::vector<Row> rows;
  for (const Access& access : sector_accesses(c))
    if (access.requests > 0 && measured(launch, access.name)) rows.push_back(sum_row(access, launch));
  Access both{"shared, both", "shared_load", "wavefronts", 0, 0, 0};
  int kinds = 0;
  for (const Access& access : wavefront_accesses(c)) {
    if (access.requests == 0 || !measured(launch, access.name)) continue;
    rows.push_back(sum_row(access, launch));
    if (rows.back().far)
      rows.back().text += fmt::format(": {} bank conflicts", grouped(access.cost - access.ideal));
    both.requests += access.requests, both.cost += access.cost, both.ideal += access.ideal, ++kinds;
  }
  if (kinds == 3) both.label = "shared, all";
  if (kinds >= 2) rows.push_back(sum_row(both, launch));
  if (c.constant.requests > 0 && measured(launch, "constant"))
    rows.push_back({"constant",
                    fmt::format("{} words (ideal {}) in {}", grouped(c.constant.addresses),
                                grouped(c.constant.requests), requests_text(c.constant.requests)),
                    "", far_from_ideal(c.constant.addresses, c.constant.requests)});
  for (const auto& [label, atomics] :
       {std::pair<const char*, const AtomicCounts&>{"global atomics", c.global_atomics},
        {"shared atomics", c.shared_atomics}})
    if (atomics.requests > 0 && measured(launch, "atomics"))
      rows.push_back(
          {label,
           fmt::format("{} steps (ideal {}) for {} operations in {}", grouped(atomics.serial),
                       grouped(atomics.requests), grouped(atomics.lanes), requests_text(atomics.requests)),
           "", far_from_ideal(atomics.serial, atomics.requests)});
  std::string text;
  if (const auto lanes = c.average_active_lanes(); lanes && measured(launch, "active_lanes"))
    text = fmt::format("active lanes {:.1f} of 32", *lanes);
  if (measured(launch, "branches") && c.branches.executed > 0)
    text += (text.empty() ? "" : "; ") + branch_text(c.branches);
  if (!text.empty())
    rows.push_back({"divergence", text, "", c.branches.divergent * 10 > c.branches.executed});
  if (measured(launch, "barriers") && c.barriers > 0)
    rows.push_back({"barriers", grouped(c.barriers) + " times a warp waited at __syncthreads()", ""});
  return rows;
}

}  // namespace warplab::lens
