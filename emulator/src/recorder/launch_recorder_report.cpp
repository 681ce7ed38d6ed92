// What was recorded of a launch, as a report for people: its lines, its findings, its occupancy.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "emulator/src/base/source_lines.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/launch/occupancy.hpp"
#include "emulator/src/launch/shared_memory.hpp"
#include "emulator/src/recorder/launch_recorder.hpp"
#include "lens/count_fields.hpp"
#include "lens/merge.hpp"
#include "lens/occupancy.hpp"

namespace warplab::emulator::lens {
namespace {

using warplab::lens::Counts;
using warplab::lens::FindingKind;
using warplab::lens::Hint;

std::array<unsigned, 3> triple(const dim3& d) { return {d.x, d.y, d.z}; }
std::array<unsigned, 3> triple(const uint3& d) { return {d.x, d.y, d.z}; }

/// Sectors of global and local memory, or wavefronts of shared memory.
template <class T>
void add(T& to, const InstructionCounts& c) {
  to += T{c.requests, c.cost, c.ideal, c.lanes, c.bytes};
}
void add(warplab::lens::AtomicCounts& to, const InstructionCounts& c) {
  to += warplab::lens::AtomicCounts{c.requests, c.cost, c.lanes, c.addresses, c.serial};
}

void add(Counts& to, EventKind kind, const InstructionCounts& c) {
  // The lanes of a copy are counted with what it reads.
  if (kind == EventKind::shared_copy) return add(to.shared_copy, c);
  to.active_lanes += c.lanes;
  to.warp_events += c.requests;
  switch (kind) {
    case EventKind::table_loads:
      to.constant.requests += c.addresses;
      to.constant.addresses += c.addresses;
      [[fallthrough]];
    case EventKind::global_load:
      return add(to.global_load, c);
    case EventKind::global_store:
      return add(to.global_store, c);
    case EventKind::local_load:
      return add(to.local_load, c);
    case EventKind::local_store:
      return add(to.local_store, c);
    case EventKind::shared_load:
      return add(to.shared_load, c);
    case EventKind::shared_store:
      return add(to.shared_store, c);
    case EventKind::shared_copy:
      return;
    case EventKind::global_atomic:
      return add(to.global_atomics, c);
    case EventKind::shared_atomic:
      return add(to.shared_atomics, c);
    case EventKind::constant_load:
      to.constant.requests += c.requests;
      to.constant.addresses += c.addresses;
      return;
    case EventKind::branch:
      to.branches.executed += c.requests;
      to.branches.divergent += c.cost;
      return;
  }
}

FindingKind finding_kind(const Fault& fault) {
  switch (fault.kind) {
    case FaultKind::divergent_barrier:
      return FindingKind::divergent_barrier;
    case FaultKind::deadlock:
      return FindingKind::deadlock;
    case FaultKind::endless:
      return FindingKind::endless;
    case FaultKind::other:
      break;
  }
  return fault.error == cudaErrorIllegalAddress ? FindingKind::out_of_bounds : FindingKind::fault;
}

/// What a fault of a kind comes from, most likely.
Hint hint_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::divergent_barrier:
      return Hint::barrier_not_reached_by_all;
    case FindingKind::deadlock:
      return Hint::threads_wait_for_each_other;
    case FindingKind::endless:
      return Hint::loop_never_ends;
    default:
      return Hint::none;
  }
}

/// A file as the places have it: a site names it as the compiler was told to read
/// it, perhaps from another folder.
template <class Places>
std::string known_path(const std::string& file, const Places& places) {
  if (file.empty() || file.starts_with('/')) return file;
  for (const auto& [code, place] : places)
    if (place.file.ends_with("/" + file)) return place.file;
  return file;
}

/// "transpose_tiled.cu:28"
std::string line_text(const void* code, const std::map<const void*, SourceLine>& places) {
  const auto place = places.find(code);
  return place == places.end() ? std::string("an unknown line")
                               : place->second.file.substr(place->second.file.rfind('/') + 1) + ":" +
                                     std::to_string(place->second.line);
}

/// Whether the checker has seen what the fault comes from, and has more to say about it.
bool explains(const warplab::lens::Finding& finding, const warplab::lens::Finding& fault) {
  const bool same =
      finding.kind == fault.kind ||
      (fault.kind == FindingKind::out_of_bounds &&
       (finding.kind == FindingKind::use_after_free || finding.kind == FindingKind::host_memory ||
        finding.kind == FindingKind::misaligned || finding.kind == FindingKind::write_to_constant_memory));
  return same && finding.block == fault.block && finding.thread == fault.thread;
}

// What a multiprocessor of the emulated device has, which WARPLAB_DEVICE may choose.
warplab::lens::MultiprocessorLimits limits_of_device() {
  warplab::lens::MultiprocessorLimits limits;
  limits.warps = max_threads_per_multiprocessor() / 32;
  limits.blocks = max_blocks_per_multiprocessor();
  limits.shared_bytes = shared_bytes_per_multiprocessor();
  limits.shared_bytes_per_block = shared_block_limit();
  limits.shared_reserved = shared_bytes_reserved_per_block();
  return limits;
}

}  // namespace

void LaunchRecorder::add_fault(const Fault& fault) {
  warplab::lens::Finding finding;
  finding.kind = finding_kind(fault);
  finding.hint = hint_of(finding.kind);
  finding.kernel = kernel_;
  finding.block = triple(fault.block);
  finding.thread = triple(fault.thread);
  finding.text = fault.what;
  if (fault.file != nullptr) {
    finding.file = fault.file;
    finding.line = fault.line;
    finding.place_is_claimed = true;
  }
  faults_.push_back({std::move(finding), fault.code});
}

void LaunchRecorder::add_fault_once(const Fault& fault) {
  const auto is_known = [&](const FaultFinding& f) {
    return f.finding.line == fault.line && f.finding.file == fault.file;
  };
  if (std::ranges::none_of(faults_, is_known)) add_fault(fault);
}

void LaunchRecorder::add_counts(warplab::lens::Launch& report, const Places& places) const {
  const double others =
      static_cast<double>(total_blocks_ - std::min<std::uint64_t>(total_blocks_, corners_.size()));
  const double weight = recorded_[1] == 0 ? 1 : others / static_cast<double>(recorded_[1]);
  const auto scaled = [&](std::uint64_t corner, std::uint64_t other) {
    return corner + static_cast<std::uint64_t>(std::llround(weight * static_cast<double>(other)));
  };
  const auto total = [&](const std::array<InstructionCounts, 2>& c) {
    return InstructionCounts{scaled(c[0].requests, c[1].requests), scaled(c[0].cost, c[1].cost),
                             scaled(c[0].ideal, c[1].ideal),       scaled(c[0].lanes, c[1].lanes),
                             scaled(c[0].bytes, c[1].bytes),       scaled(c[0].addresses, c[1].addresses),
                             scaled(c[0].serial, c[1].serial)};
  };

  std::map<std::pair<std::string, int>, warplab::lens::Line> lines;
  const auto line_of = [&](const std::string& file, int line) -> warplab::lens::Line& {
    warplab::lens::Line& found = lines[{file, line}];
    found.file = file;
    found.line = line;
    return found;
  };
  for (const Instruction& s : instructions_) {
    if (is_local(s.kind) && !arrays_[s.array].is_local) continue;
    InstructionCounts counts = total(s.counts);
    const bool is_table = s.kind == EventKind::table_loads;
    if (is_table && !s.loads_address) counts.addresses = counts.serial;
    lens::add(report.counts, s.kind, counts);
    const bool is_loaded_word = is_table || (s.kind == EventKind::constant_load && !s.is_uniform);
    const std::uint64_t loaded = is_loaded_word ? counts.addresses : 0;
    report.counts.constant.loaded += loaded;
    const auto place = places.find(s.code);
    if (place == places.end()) continue;
    warplab::lens::Line& line = line_of(place->second.file, place->second.line);
    line.function = place->second.function;
    lens::add(line.counts, s.kind, counts);
    line.counts.constant.loaded += loaded;
    if (s.worst.cost == 0) continue;
    warplab::lens::keep_worst(line.samples, s.worst);
  }
  for (const BarrierSite& barrier : barriers_) {
    const std::uint64_t warps = scaled(barrier.warps[0], barrier.warps[1]);
    report.counts.barriers += warps;
    line_of(known_path(barrier.file, places), barrier.line).counts.barriers += warps;
  }
  if (!options_.details) return;
  for (auto& [key, line] : lines) report.lines.push_back(std::move(line));
}

// Where an instruction's writes collide with one another, a read on the same line is of the same update.
bool LaunchRecorder::is_update(const Mistake& mistake, const Places& places) const {
  const std::string line = line_text(mistake.code, places);
  return !mistake.text_of_update.empty() && line == line_text(mistake.other, places) &&
         std::ranges::any_of(mistakes_,
                             [&](const Mistake& writes) {
                               return writes.kind == mistake.kind && writes.code == writes.other &&
                                      (writes.code == mistake.code || writes.code == mistake.other);
                             }) &&
         std::ranges::any_of(mistakes_, [&](const Mistake& read) {
           return read.kind == mistake.kind && read.code != read.other &&
                  line_text(read.code, places) == line && line_text(read.other, places) == line;
         });
}

warplab::lens::Finding LaunchRecorder::finding_of(const Mistake& mistake, bool update,
                                                  const Places& places) const {
  warplab::lens::Finding finding;
  finding.kind = mistake.kind;
  finding.kernel = kernel_;
  finding.block = triple(mistake.block);
  finding.thread = triple(mistake.thread);
  finding.text = update ? mistake.text_of_update : mistake.text;
  finding.hint = update ? Hint::update_is_not_atomic : mistake.hint;
  for (const auto& [name, code] :
       {std::pair<std::string, const void*>{"{other}", mistake.other}, {"{through}", mistake.through}})
    for (std::size_t at; (at = finding.text.find(name)) != std::string::npos;)
      finding.text.replace(at, name.size(), line_text(code, places));
  finding.times = mistake.times;
  return finding;
}

void LaunchRecorder::add_findings(warplab::lens::Launch& report, const Places& places) const {
  const auto put = [&](warplab::lens::Finding finding, const void* code) {
    if (const auto place = places.find(code); place != places.end() && finding.line == 0) {
      finding.file = place->second.file;
      finding.line = place->second.line;
    }
    finding.file = known_path(finding.file, places);
    report.findings.push_back(std::move(finding));
  };
  for (const Mistake& m : mistakes_) {
    const auto place = places.find(m.code);
    // What the runtime's own headers do with the program's memory is not a mistake of the kernel. What they
    // keep there may lie beside a device variable.
    if ((m.kind == FindingKind::host_memory || m.plain_read_on_host) && place != places.end() &&
        place->second.from_headers)
      continue;
    const bool update = is_update(m, places);
    if (update && m.code != m.other) continue;  // its writes say it
    put(finding_of(m, update, places), m.code);
  }
  for (const FaultFinding& f : faults_)
    if (std::ranges::none_of(report.findings,
                             [&](const auto& finding) { return explains(finding, f.finding); }))
      put(f.finding, f.code);
}

warplab::lens::Launch LaunchRecorder::report() const {
  warplab::lens::Launch report;
  report.kernel = kernel_;
  report.grid = triple(grid_);
  report.block = triple(block_);
  report.static_shared_bytes = static_shared_bytes_;
  report.dynamic_shared_bytes = dynamic_shared_bytes_;
  report.blocks = total_blocks_;
  report.blocks_recorded = recorded_[0] + recorded_[1];
  report.note = gap_;
  report.from_kernel = lineage_.depth != 0;
  report.max_pending = max_pending_;
  report.max_barriers = max_barriers_;
  report.max_waits = max_waits_;
  if (report.blocks_recorded != 0 && options_.details) report.work = work_.work();
  report.fills = fills_;
  report.copies = copies_;
  report.busiest_warp = busiest_warp_;

  std::vector<const void*> codes;
  if (options_.details)
    for (const Instruction& s : instructions_) codes.push_back(s.code);
  for (const Mistake& m : mistakes_) {
    codes.push_back(m.code);
    if (m.other != nullptr) codes.push_back(m.other);
    if (m.through != nullptr) codes.push_back(m.through);
  }
  for (const FaultFinding& f : faults_)
    if (f.code != nullptr) codes.push_back(f.code);
  const Places places = source_lines(codes);

  add_counts(report, places);
  if (options_.only)
    report.not_measured["findings"] = "the other blocks did not run";
  else
    add_findings(report, places);
  report.occupancy = warplab::lens::theoretical_occupancy(
      report.block, static_shared_bytes_ + dynamic_shared_bytes_, std::nullopt, limits_of_device());
  return report;
}

}  // namespace warplab::emulator::lens
