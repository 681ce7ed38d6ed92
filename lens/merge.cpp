#include "lens/merge.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "lens/count_fields.hpp"

namespace warplab::lens {
namespace {

/// A mistake that every launch makes at the same place is told once.
void merge_findings(std::vector<Finding>& kept, const std::vector<Finding>& more) {
  for (const Finding& finding : more) {
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const Finding& f) {
      return std::tie(f.kind, f.file, f.line) == std::tie(finding.kind, finding.file, finding.line);
    });
    if (same == kept.end() || finding.file.empty())
      kept.push_back(finding);
    else
      same->times += finding.times;
  }
}

void merge_lines(std::vector<Line>& kept, const std::vector<Line>& more) {
  const auto place = [](const Line& line) { return std::tie(line.file, line.line, line.function); };
  const auto before = [&](const Line& a, const Line& b) { return place(a) < place(b); };
  for (const Line& line : more) {
    const auto at = std::lower_bound(kept.begin(), kept.end(), line, before);
    if (at == kept.end() || place(*at) != place(line)) {
      kept.insert(at, line);
      continue;
    }
    at->counts += line.counts;
    for (const RequestSample& sample : line.samples) keep_worst(at->samples, sample);
  }
}

}  // namespace

ExampleWeight example_weight(unsigned cost, unsigned ideal, std::uint32_t mask) {
  const auto lanes = static_cast<unsigned>(std::popcount(mask));
  return {cost > ideal ? (cost - ideal) * lanes : 0, lanes};
}

void keep_worst(std::vector<RequestSample>& kept, const RequestSample& sample) {
  const auto weight = [](const RequestSample& s) { return example_weight(s.cost, s.ideal, s.mask); };
  const auto same =
      std::find_if(kept.begin(), kept.end(), [&](const RequestSample& s) { return s.kind == sample.kind; });
  if (same == kept.end())
    kept.push_back(sample);
  else if (weight(sample) > weight(*same))
    *same = sample;
}

Counts& operator+=(Counts& sum, const Counts& more) {
  sum.global_load += more.global_load;
  sum.global_store += more.global_store;
  sum.local_load += more.local_load;
  sum.local_store += more.local_store;
  sum.shared_load += more.shared_load;
  sum.shared_store += more.shared_store;
  sum.shared_copy += more.shared_copy;
  sum.constant += more.constant;
  sum.global_atomics += more.global_atomics;
  sum.shared_atomics += more.shared_atomics;
  sum.branches += more.branches;
  sum.barriers += more.barriers;
  sum.active_lanes += more.active_lanes;
  sum.warp_events += more.warp_events;
  return sum;
}

std::vector<Group> merge_alike(const std::vector<Launch>& launches) {
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::array<unsigned, 3>, std::array<unsigned, 3>, std::uint64_t, bool>,
           std::size_t>
      known;
  for (const Launch& launch : launches) {
    // A launch that was not recorded must not be taken for one that did nothing.
    const auto key = std::make_tuple(launch.kernel, launch.grid, launch.block,
                                     launch.static_shared_bytes + launch.dynamic_shared_bytes,
                                     launch.blocks_recorded == 0);
    const auto [at, is_new] = known.emplace(key, groups.size());
    if (is_new) {
      Group group{launch, launch.alike};
      group.launch.lines.clear();
      merge_lines(group.launch.lines, launch.lines);
      groups.push_back(std::move(group));
      continue;
    }
    Group& group = groups[at->second];
    group.launches += launch.alike;
    Launch& sum = group.launch;
    sum.counts += launch.counts;
    if (!launch.work)
      sum.work.reset();
    else if (sum.work)
      *sum.work += *launch.work;
    sum.fills += launch.fills;
    sum.copies += launch.copies;
    sum.blocks += launch.blocks;
    sum.blocks_recorded += launch.blocks_recorded;
    sum.max_barriers = std::max(sum.max_barriers, launch.max_barriers);
    sum.max_waits = std::max(sum.max_waits, launch.max_waits);
    sum.busiest_warp += launch.busiest_warp;
    merge_lines(sum.lines, launch.lines);
    merge_findings(sum.findings, launch.findings);
    sum.not_measured.insert(launch.not_measured.begin(), launch.not_measured.end());
    if (sum.note.empty()) sum.note = launch.note;
  }
  return groups;
}

std::uint64_t count_of(const std::vector<Launch>& launches) {
  std::uint64_t count = 0;
  for (const Launch& launch : launches) count += launch.alike;
  return count;
}

}  // namespace warplab::lens
