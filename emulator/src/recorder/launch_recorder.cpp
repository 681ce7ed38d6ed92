#include "emulator/src/recorder/launch_recorder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <random>

#include "emulator/src/base/order_seed.hpp"
#include "emulator/src/base/source_lines.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/launch/occupancy.hpp"
#include "emulator/src/launch/shared_memory.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/block_recorder.hpp"
#include "lens/count_fields.hpp"
#include "lens/merge.hpp"
#include "lens/occupancy.hpp"

namespace warplab::emulator::lens {
namespace {

using warplab::lens::Counts;
using warplab::lens::FindingKind;
using warplab::lens::Hint;
using warplab::lens::RequestKind;

constexpr std::size_t max_sampled = 1 << 20;

std::array<unsigned, 3> triple(const dim3& d) { return {d.x, d.y, d.z}; }
std::array<unsigned, 3> triple(const uint3& d) { return {d.x, d.y, d.z}; }

bool is_loads(EventKind kind) {
  return kind == EventKind::global_load || kind == EventKind::shared_load || kind == EventKind::local_load;
}

unsigned first_lane(const WarpRequest& request) {
  return static_cast<unsigned>(std::countr_zero(request.mask));
}

// Whether lanes use different addresses, or go different ways.
bool lanes_differ(const WarpRequest& request) {
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1)
    if (request.address[static_cast<unsigned>(std::countr_zero(rest))] !=
        request.address[first_lane(request)])
      return true;
  return false;
}

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

RequestKind request_kind(EventKind kind) {
  switch (kind) {
    case EventKind::global_load:
      return RequestKind::global_load;
    case EventKind::global_store:
      return RequestKind::global_store;
    case EventKind::shared_load:
      return RequestKind::shared_load;
    default:
      return RequestKind::shared_store;
  }
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

}  // namespace

LaunchRecorder::LaunchRecorder(const Launch& launch, const InstrumentedKernel& instrumented,
                               unsigned long long limit, bool only)
    : kernel_(instrumented.kernel.empty() ? launch.kernel : instrumented.kernel),
      grid_(launch.grid),
      block_(launch.block),
      dynamic_shared_bytes_(launch.dynamic_shared_bytes),
      instrumented_(instrumented),
      arithmetic_(arithmetic_of(static_cast<const std::byte*>(instrumented.code), *instrumented.functions)),
      only_(only),
      total_blocks_(std::uint64_t{1} * launch.grid.x * launch.grid.y * launch.grid.z) {
  choose_blocks(limit);
  if (launch.cluster.x * launch.cluster.y * launch.cluster.z > 1) complete_clusters(launch.cluster);
}

void LaunchRecorder::watch(const std::byte* stacks, std::size_t stacks_bytes) {
  Checker::Setup setup;
  setup.grid = grid_;
  setup.block = block_;
  setup.all_blocks = blocks_.size() == total_blocks_;
  setup.stacks_begin = stacks;
  setup.stacks_bytes = stacks_bytes;
  checker_ = std::make_unique<Checker>(setup);
}

std::unique_ptr<BlockObserver> LaunchRecorder::follow(Worker& worker, std::uint64_t block) {
  stratum_ = is_corner(block) ? 0 : 1;
  return std::make_unique<BlockRecorder>(*this, worker);
}

// The grid's corners, where guards matter, and others at random. Corners count as themselves; the others
// stand for all that are not corners.
void LaunchRecorder::choose_blocks(unsigned long long limit) {
  for (unsigned corner = 0; corner < 8; ++corner) {
    const std::uint64_t x = corner & 1 ? grid_.x - 1 : 0, y = corner & 2 ? grid_.y - 1 : 0,
                        z = corner & 4 ? grid_.z - 1 : 0;
    corners_.push_back(x + grid_.x * (y + std::uint64_t{grid_.y} * z));
  }
  std::sort(corners_.begin(), corners_.end());
  corners_.erase(std::unique(corners_.begin(), corners_.end()), corners_.end());
  if (limit == 0 || limit >= total_blocks_) {
    corners_.clear();
    blocks_.resize(total_blocks_);
    for (std::uint64_t i = 0; i < total_blocks_; ++i) blocks_[i] = i;
    return;
  }
  if (corners_.size() > limit) corners_.resize(limit);
  blocks_ = corners_;
  std::mt19937_64 random(order_seed());
  limit = std::min<unsigned long long>(limit, max_sampled);
  while (blocks_.size() < limit) {
    const std::size_t missing = limit - blocks_.size();
    for (std::size_t i = 0; i < missing; ++i) blocks_.push_back(random() % total_blocks_);
    std::sort(blocks_.begin(), blocks_.end());
    blocks_.erase(std::unique(blocks_.begin(), blocks_.end()), blocks_.end());
  }
}

// Blocks of a cluster run together: all of them are recorded, or none.
void LaunchRecorder::complete_clusters(dim3 shape) {
  corners_.clear();
  std::vector<std::uint64_t> all;
  for (const std::uint64_t block : blocks_) {
    const std::uint64_t x = block % grid_.x / shape.x * shape.x,
                        y = block / grid_.x % grid_.y / shape.y * shape.y,
                        z = block / grid_.x / grid_.y / shape.z * shape.z;
    for (unsigned i = 0; i < shape.x * shape.y * shape.z; ++i)
      all.push_back(x + i % shape.x +
                    grid_.x *
                        (y + i / shape.x % shape.y + std::uint64_t{grid_.y} * (z + i / shape.x / shape.y)));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  blocks_ = std::move(all);
}

bool LaunchRecorder::is_corner(std::uint64_t block) const {
  return std::binary_search(corners_.begin(), corners_.end(), block);
}

Instruction& LaunchRecorder::instruction(const Group& group) {
  const std::uint64_t key = std::uint64_t{group.code} << 16 | std::uint64_t{group.array} << 8 |
                            static_cast<std::uint64_t>(group.kind);
  if (key == last_key_) return instructions_[last_];
  const auto [place, is_new] = number_of_.emplace(key, instructions_.size());
  if (is_new) {
    instructions_.emplace_back();
    instructions_.back().code = instrumented_.base + group.code;
    instructions_.back().kind = group.kind;
    instructions_.back().array = group.array;
  }
  last_key_ = key;
  last_ = place->second;
  return instructions_[last_];
}

void LaunchRecorder::add(const Group& group, uint3 block, unsigned warp) {
  Instruction& at = instruction(group);
  InstructionCounts& counts = at.counts[stratum_];
  const WarpRequest& request = group.request;
  const auto lanes = static_cast<unsigned>(std::popcount(request.mask));
  ++counts.requests;
  counts.lanes += lanes;
  counts.bytes += std::uint64_t{lanes} * request.bytes;
  switch (group.kind) {
    case EventKind::global_load:
    case EventKind::global_store: {
      const GlobalCost c = global_cost(request);
      counts.cost += c.sectors;
      counts.ideal += c.ideal_sectors;
      keep_if_worst(at, group, {c.sectors, c.ideal_sectors}, block, warp);
      break;
    }
    case EventKind::shared_load:
    case EventKind::shared_store: {
      const SharedCost c = is_loads(group.kind) ? shared_load_cost(request) : shared_store_cost(request);
      counts.cost += c.wavefronts;
      counts.ideal += c.ideal_wavefronts;
      keep_if_worst(at, group, {c.wavefronts, c.ideal_wavefronts}, block, warp);
      break;
    }
    case EventKind::shared_copy: {
      const SharedCost c = shared_store_cost(request);
      counts.cost += c.wavefronts;
      counts.ideal += c.ideal_wavefronts;
      break;
    }
    case EventKind::local_load:
    case EventKind::local_store:
      counts.cost += local_sectors(request);
      counts.ideal += (lanes * request.bytes + 31) / 32;
      if (lanes_differ(request)) arrays_[group.array].is_local = true;
      break;
    case EventKind::constant_load:
      counts.addresses += constant_addresses(request);
      break;
    case EventKind::global_atomic:
    case EventKind::shared_atomic: {
      const AtomicCost c = atomic_cost(request);
      counts.cost += c.sectors;
      counts.addresses += c.addresses;
      counts.serial += c.max_on_one_address;
      break;
    }
    case EventKind::branch:
      counts.cost += lanes_differ(request);
      break;
  }
}

// The request with the most to save, of those with as much the one of the most lanes. Maps draw it.
void LaunchRecorder::keep_if_worst(Instruction& at, const Group& group, RequestCost cost, uint3 block,
                                   unsigned warp) {
  const WarpRequest& request = group.request;
  const unsigned saved = cost.taken - cost.ideal, saved_by_worst = at.worst.cost - at.worst.ideal;
  if (at.worst.cost != 0 && saved <= saved_by_worst &&
      (saved < saved_by_worst || std::popcount(request.mask) <= std::popcount(at.worst.mask)))
    return;
  at.worst = {request_kind(group.kind),
              request.mask,
              request.bytes,
              request.address,
              triple(block),
              warp,
              cost.taken,
              cost.ideal};
  if (group.kind != EventKind::global_load && group.kind != EventKind::global_store) return;
  if (const auto known = find_allocation(reinterpret_cast<const void*>(request.address[first_lane(request)])))
    for (std::uint64_t& address : at.worst.address) address -= reinterpret_cast<std::uintptr_t>(known->data);
}

void LaunchRecorder::add_barrier(const char* file, int line, unsigned warps) {
  for (BarrierSite& known : barriers_)
    if (known.line == line && known.file == file) {
      known.warps[stratum_] += warps;
      return;
    }
  barriers_.push_back({file, line, {}});
  barriers_.back().warps[stratum_] = warps;
}

std::uint8_t LaunchRecorder::array_number(const void* code, bool surely_local) {
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (arrays_[i].code == code) return static_cast<std::uint8_t>(i);
  if (arrays_.size() == 255) return 254;
  arrays_.push_back({code, surely_local});
  return static_cast<std::uint8_t>(arrays_.size() - 1);
}

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

void LaunchRecorder::end_block(const BlockWork& work) {
  ++recorded_[stratum_];
  work_.add(work);
}

void LaunchRecorder::close() {
  work_.close(total_blocks_);
  if (checker_ == nullptr) return;
  mistakes_ = checker_->mistakes();
  gap_ = checker_->gap();
  checker_.reset();
}

void LaunchRecorder::add_lines(warplab::lens::Launch& report, const Places& places) const {
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
    const bool local = s.kind == EventKind::local_load || s.kind == EventKind::local_store;
    if (local && !arrays_[s.array].is_local) continue;
    const InstructionCounts counts = total(s.counts);
    lens::add(report.counts, s.kind, counts);
    const auto place = places.find(s.code);
    if (place == places.end()) continue;
    warplab::lens::Line& line = line_of(place->second.file, place->second.line);
    line.function = place->second.function;
    lens::add(line.counts, s.kind, counts);
    if (s.worst.cost == 0) continue;
    warplab::lens::keep_worst(line.samples, s.worst);
  }
  for (const BarrierSite& barrier : barriers_) {
    const std::uint64_t warps = scaled(barrier.warps[0], barrier.warps[1]);
    report.counts.barriers += warps;
    line_of(known_path(barrier.file, places), barrier.line).counts.barriers += warps;
  }
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
    // What the runtime's own headers do with the program's memory is not a mistake of the kernel.
    if (m.kind == FindingKind::host_memory && place != places.end() && place->second.from_headers) continue;
    const bool update = is_update(m, places);
    if (update && m.code != m.other) continue;  // its writes say it
    put(finding_of(m, update, places), m.code);
  }
  for (const FaultFinding& f : faults_)
    if (std::ranges::none_of(report.findings,
                             [&](const auto& finding) { return explains(finding, f.finding); }))
      put(f.finding, f.code);
}

// What a multiprocessor of the emulated device has, which WARPLAB_DEVICE may choose.
static warplab::lens::MultiprocessorLimits limits_of_device() {
  warplab::lens::MultiprocessorLimits limits;
  limits.warps = max_threads_per_multiprocessor() / 32;
  limits.blocks = max_blocks_per_multiprocessor();
  limits.shared_bytes = shared_bytes_per_multiprocessor();
  limits.shared_bytes_per_block = shared_block_limit();
  limits.shared_reserved = shared_bytes_reserved_per_block();
  return limits;
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
  if (report.blocks_recorded != 0) report.work = work_.work();
  report.fills = fills_;
  report.copies = copies_;
  report.busiest_warp = busiest_warp_;

  std::vector<const void*> codes;
  for (const Instruction& s : instructions_) codes.push_back(s.code);
  for (const Mistake& m : mistakes_) {
    codes.push_back(m.code);
    if (m.other != nullptr) codes.push_back(m.other);
    if (m.through != nullptr) codes.push_back(m.through);
  }
  for (const FaultFinding& f : faults_)
    if (f.code != nullptr) codes.push_back(f.code);
  const Places places = source_lines(codes);

  add_lines(report, places);
  if (only_)
    report.not_measured["findings"] = "the other blocks did not run";
  else
    add_findings(report, places);
  report.occupancy = warplab::lens::theoretical_occupancy(
      report.block, static_shared_bytes_ + dynamic_shared_bytes_, std::nullopt, limits_of_device());
  return report;
}

}  // namespace warplab::emulator::lens
