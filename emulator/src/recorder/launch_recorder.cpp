#include "emulator/src/recorder/launch_recorder.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <random>
#include <unordered_set>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/base/isolation.hpp"
#include "emulator/src/base/order_seed.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/block_recorder.hpp"
#include "lens/merge.hpp"

namespace warplab::emulator::lens {
namespace {

using warplab::lens::RequestKind;

constexpr std::size_t max_sampled = 1 << 20;

bool is_loads(EventKind kind) {
  return kind == EventKind::global_load || kind == EventKind::shared_load || kind == EventKind::local_load;
}

bool is_store(EventKind kind) { return kind == EventKind::global_store || kind == EventKind::shared_store; }

// Whether lanes use different addresses, or go different ways.
bool lanes_differ(const WarpRequest& request) {
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1)
    if (request.address[lowest(rest)] != request.address[lowest(request.mask)]) return true;
  return false;
}

/// Whether lanes ask for elements at one distance from each other, or all for one element.
bool is_evenly_spaced(const WarpRequest& request) {
  const unsigned first = lowest(request.mask);
  std::uint32_t rest = request.mask & (request.mask - 1);
  if (rest == 0) return true;
  const std::uint64_t begin = request.address[first];
  const std::uint64_t gap = request.address[lowest(rest)] - begin, lanes_between = lowest(rest) - first;
  for (; rest != 0; rest &= rest - 1)
    if ((request.address[lowest(rest)] - begin) * lanes_between != gap * (lowest(rest) - first)) return false;
  return true;
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

}  // namespace

LaunchRecorder::LaunchRecorder(const Launch& launch, const InstrumentedKernel& instrumented,
                               const Options& options)
    : kernel_(instrumented.kernel.empty() ? launch.kernel : instrumented.kernel),
      grid_(launch.grid),
      block_(launch.block),
      dynamic_shared_bytes_(launch.dynamic_shared_bytes),
      instrumented_(instrumented),
      arithmetic_(options.details ? arithmetic_of(static_cast<const std::byte*>(instrumented.code),
                                                  *instrumented.functions)
                                  : std::make_shared<const KernelArithmetic>()),
      options_(options),
      total_blocks_(count_in(launch.grid)) {
  choose_blocks(options.blocks);
  if (count_in(launch.cluster) > 1) complete_clusters(launch.cluster);
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
  if (limit > max_sampled) {
    static std::atomic<bool> is_said = false;
    if (!is_said.exchange(true))
      emulator::report(
          "the lens records %zu of the %llu blocks that it was asked for: no more of a part of a launch",
          max_sampled, limit);
    limit = max_sampled;
  }
  std::mt19937_64 random(order_seed());
  std::unordered_set<std::uint64_t> chosen(corners_.begin(), corners_.end());
  chosen.reserve(limit);
  while (chosen.size() < limit) chosen.insert(random() % total_blocks_);
  blocks_.assign(chosen.begin(), chosen.end());
  std::sort(blocks_.begin(), blocks_.end());
}

// Blocks of a cluster run together: all of them are recorded, or none.
void LaunchRecorder::complete_clusters(dim3 shape) {
  corners_.clear();
  std::vector<std::uint64_t> all;
  for (const std::uint64_t block : blocks_) {
    const uint3 at = emulator::place_in(grid_, block);
    for (unsigned i = 0; i < count_in(shape); ++i) {
      const uint3 in_cluster = emulator::place_in(shape, i);
      const std::uint64_t x = at.x / shape.x * shape.x + in_cluster.x,
                          y = at.y / shape.y * shape.y + in_cluster.y,
                          z = at.z / shape.z * shape.z + in_cluster.z;
      all.push_back(x + grid_.x * (y + grid_.y * z));
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  blocks_ = std::move(all);
}

bool LaunchRecorder::is_corner(std::uint64_t block) const {
  return std::binary_search(corners_.begin(), corners_.end(), block);
}

Instruction& LaunchRecorder::instruction(const Group& group) {
  const bool local = is_local(group.kind);
  const auto array =
      local ? LocalPlace::array(group.request.address[lowest(group.request.mask)]) : std::uint8_t{0};
  const std::uint64_t key =
      std::uint64_t{group.code} << 16 | std::uint64_t{array} << 8 | static_cast<std::uint64_t>(group.kind);
  if (key == last_key_) return instructions_[last_];
  const auto [place, is_new] = number_of_.emplace(key, instructions_.size());
  if (is_new) {
    instructions_.emplace_back();
    instructions_.back().code = instrumented_.base + group.code;
    instructions_.back().kind = group.kind;
    instructions_.back().array = array;
  }
  last_key_ = key;
  last_ = place->second;
  return instructions_[last_];
}

namespace {

InstructionCounts counts_of(const Group& group) {
  const WarpRequest& request = group.request;
  const auto active_lanes = static_cast<unsigned>(std::popcount(request.mask));
  InstructionCounts counts{
      .requests = 1, .lanes = active_lanes, .bytes = std::uint64_t{active_lanes} * request.bytes};
  const auto take = [&](std::uint64_t cost, std::uint64_t ideal) {
    counts.cost = cost, counts.ideal = ideal;
  };
  switch (group.kind) {
    case EventKind::global_load:
    case EventKind::global_store: {
      const GlobalCost c = global_cost(request);
      take(c.sectors, c.ideal_sectors);
      break;
    }
    case EventKind::shared_load:
    case EventKind::shared_store:
    case EventKind::shared_copy: {
      const SharedCost c = is_loads(group.kind) ? shared_load_cost(request) : shared_store_cost(request);
      take(c.wavefronts, c.ideal_wavefronts);
      break;
    }
    case EventKind::local_load:
    case EventKind::local_store:
      take(local_sectors(request), (active_lanes * request.bytes + 31) / 32);
      break;
    case EventKind::constant_load:
      counts.addresses = constant_addresses(request);
      break;
    case EventKind::global_atomic:
    case EventKind::shared_atomic: {
      const AtomicCost c = atomic_cost(request);
      counts.cost = c.sectors;
      counts.addresses = c.addresses;
      counts.serial = c.max_on_one_address;
      break;
    }
    case EventKind::table_loads: {
      const GlobalCost c = global_cost(request);
      take(loads_of_table * c.sectors, loads_of_table * c.ideal_sectors);
      counts.requests *= loads_of_table, counts.lanes *= loads_of_table, counts.bytes *= loads_of_table;
      counts.addresses = 1;
      counts.serial = group.detail == static_cast<std::uint16_t>(TableAddress::before_the_loop);
      break;
    }
    case EventKind::branch:
      counts.cost = lanes_differ(request);
      break;
  }
  return counts;
}

}  // namespace

InstructionCounts& InstructionCounts::operator+=(const InstructionCounts& more) {
  requests += more.requests, cost += more.cost, ideal += more.ideal, lanes += more.lanes, bytes += more.bytes;
  addresses += more.addresses, serial += more.serial;
  return *this;
}

InstructionCounts& InstructionCounts::operator-=(const InstructionCounts& less) {
  requests -= less.requests, cost -= less.cost, ideal -= less.ideal, lanes -= less.lanes, bytes -= less.bytes;
  addresses -= less.addresses, serial -= less.serial;
  return *this;
}

void LaunchRecorder::add(const Group& group, uint3 block, unsigned warp) {
  Instruction& at = instruction(group);
  const InstructionCounts counts = counts_of(group);
  at.counts[stratum_] += counts;
  switch (group.kind) {
    case EventKind::global_load:
    case EventKind::global_store:
    case EventKind::shared_load:
    case EventKind::shared_store:
      return keep_if_worst(
          at, group, {static_cast<unsigned>(counts.cost), static_cast<unsigned>(counts.ideal)}, block, warp);
    case EventKind::local_load:
    case EventKind::local_store:
      if (lanes_differ(group.request)) arrays_[at.array].is_local = true;
      return;
    case EventKind::table_loads:
      at.loads_address |= group.detail == static_cast<std::uint16_t>(TableAddress::at_each_call);
      return;
    default:
      return;
  }
}

void LaunchRecorder::add(const UncertainJoin& join, uint3 block, unsigned warp) {
  const auto note = [&](Changes& changes, const std::vector<Group>& joined) {
    for (const Group& group : join.apart) {
      instruction(group);
      changes[last_][stratum_] -= counts_of(group);
    }
    for (const Group& group : joined) {
      instruction(group);
      changes[last_][stratum_] += counts_of(group);
    }
  };
  for (const Group& group : join.apart) add(group, block, warp);
  if (join.are_ways) {
    Ways& ways = joined_ways_[join.places];
    const Group& joined = join.joined.front();
    ways.are_alike = ways.are_alike && !is_store(joined.kind) && is_evenly_spaced(joined.request);
    note(ways.changes, join.joined);
  } else {
    Joins& joins = joins_[join.places];
    note(joins.by_four, join.joined);
    note(joins.by_two, join.by_two);
  }
}

// Of graded code members are counted one by one: it may have an unused pointer at structures just to have its
// numbers joined, which nvcc would not do.
void LaunchRecorder::note_structures(std::uint64_t address, std::uint32_t alignment) {
  if (isolation::active()) return;
  if (alignment_of_structures(address) >= alignment) return;
  if (const auto found = find_allocation(reinterpret_cast<const void*>(address))) {
    const auto begin = reinterpret_cast<std::uint64_t>(found->data);
    structures_.push_back({begin, begin + found->bytes, alignment});
  }
}

std::uint32_t LaunchRecorder::alignment_of_structures(std::uint64_t address) const {
  std::uint32_t alignment = 1;
  for (const Structures& known : structures_)
    if (address >= known.begin && address < known.end) alignment = std::max(alignment, known.alignment);
  return alignment;
}

// Ways are one instruction where they are on one line, or where both load one element.
void LaunchRecorder::settle_joins() {
  for (const auto& [places, joins] : joins_) {
    unsigned width = 4;
    for (const CodePlace& first : places)
      for (const CodePlace& second : places)
        width = std::min(width, running_->neighbours.width(first, second));
    if (width > 1) apply(width == 4 ? joins.by_four : joins.by_two);
  }
  joins_.clear();
  const auto code_of = [&](const CodePlace& place) { return instrumented_.base + place.code; };
  std::vector<const void*> codes;
  for (const auto& [places, ways] : joined_ways_)
    for (const CodePlace& place : places) codes.push_back(code_of(place));
  const Places lines = source_lines(codes);
  for (const auto& [places, ways] : joined_ways_) {
    const auto first = lines.find(code_of(places.front())), second = lines.find(code_of(places.back()));
    const bool on_one_line = first != lines.end() && second != lines.end() &&
                             first->second.line == second->second.line &&
                             first->second.file == second->second.file;
    if (on_one_line || ways.are_alike) apply(ways.changes);
  }
  joined_ways_.clear();
}

// Among a few words in registers nvcc 13.0 chooses by moves that have conditions.
void LaunchRecorder::settle_arrays() {
  constexpr std::size_t words_in_registers = 9;
  std::size_t bytes = 0;
  bool are_words = true;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    LocalArrayUse& array = arrays_[i];
    array.is_local = array.is_local || running_->element_places.are_local(static_cast<std::uint8_t>(i));
    if (!array.is_local) continue;
    bytes += array.bytes;
    are_words = are_words && array.has_words_only;
  }
  if (are_words && bytes <= 4 * words_in_registers)
    for (LocalArrayUse& array : arrays_) array.is_local = false;
}

void LaunchRecorder::settle_constants() {
  for (Instruction& instruction : instructions_)
    if (instruction.kind == EventKind::constant_load)
      instruction.is_uniform =
          running_->constant_words.are_uniform(instrumented_.offset_of(instruction.code));
}

void LaunchRecorder::apply(const Changes& changes) {
  for (const auto& [number, change] : changes)
    for (std::size_t stratum = 0; stratum < change.size(); ++stratum)
      instructions_[number].counts[stratum] += change[stratum];
}

// The best example of the instruction. Maps draw it.
void LaunchRecorder::keep_if_worst(Instruction& at, const Group& group, RequestCost cost, uint3 block,
                                   unsigned warp) {
  const WarpRequest& request = group.request;
  using warplab::lens::example_weight;
  if (at.worst.cost != 0 && example_weight(cost.taken, cost.ideal, request.mask) <=
                                example_weight(at.worst.cost, at.worst.ideal, at.worst.mask))
    return;
  at.worst = {request_kind(group.kind),    request.mask, request.bytes, request.address,
              {block.x, block.y, block.z}, warp,         cost.taken,    cost.ideal};
  if (group.kind != EventKind::global_load && group.kind != EventKind::global_store) return;
  if (const auto known =
          find_allocation(reinterpret_cast<const void*>(request.address[lowest(request.mask)])))
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

std::uint8_t LaunchRecorder::array_number(const void* code, std::size_t bytes, bool surely_local) {
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (arrays_[i].code == code) return static_cast<std::uint8_t>(i);
  if (arrays_.size() == 255) return 254;
  arrays_.push_back({code, bytes, surely_local});
  return static_cast<std::uint8_t>(arrays_.size() - 1);
}

void LaunchRecorder::end_block(const BlockWork& work) {
  ++recorded_[stratum_];
  work_.add(work);
}

void LaunchRecorder::close() {
  settle_joins();
  settle_arrays();
  settle_constants();
  running_.reset();
  number_of_ = {};
  work_.close(total_blocks_);
  if (checker_ == nullptr) return;
  mistakes_ = checker_->mistakes();
  gap_ = checker_->gap();
  checker_.reset();
}

}  // namespace warplab::emulator::lens
