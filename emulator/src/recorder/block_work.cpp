#include "emulator/src/recorder/block_work.hpp"

#include <algorithm>
#include <bit>

#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/group.hpp"

namespace warplab::emulator::lens {
namespace {

/// Quarters of a pass, in which L1 delivers 128 bytes: a sector is one. Where a request touches more than two
/// lines of 128 bytes, each takes a pass (results/h100-80gb-hbm3-rates). Bulk copies, which one lane asks
/// for, go past L1.
unsigned load_quarters(const WarpRequest& request) {
  if (std::has_single_bit(request.mask) && request.bytes >= 16) return 0;
  const unsigned lines = distinct_lines(request);
  return std::max(lines > 2 ? 4 * lines : 4u, global_cost(request).sectors);
}

unsigned cost_of(EventKind kind, const WarpRequest& request) {
  switch (kind) {
    case EventKind::global_load:
      return load_quarters(request);
    case EventKind::global_store:
      return global_cost(request).sectors;
    case EventKind::shared_load:
      return shared_load_cost(request).wavefronts;
    default:
      return shared_store_cost(request).wavefronts;
  }
}

bool is_global(EventKind kind) { return kind == EventKind::global_load || kind == EventKind::global_store; }

/// Whether most of the sectors that it touches are written from end to end.
bool is_whole(const WarpRequest& request, std::uint64_t sectors) {
  return static_cast<unsigned>(std::popcount(request.mask)) * request.bytes >=
         sectors * PageUse::sector_bytes / 2;
}

/// Whether it writes two of its sectors or more of each line of 128 bytes, on average. These go to L2
/// together, and an H100 takes them like whole ones: `vectorized` of lab 05 writes 124 sectors per ns in rows
/// of 5999 bytes, two bytes of each, where 63 come in which have a line of their own (results/h100-80gb-hbm3,
/// -rates).
bool shares_lines(const WarpRequest& request, std::uint64_t sectors) {
  return sectors >= std::uint64_t{2} * distinct_lines(request);
}

}  // namespace

std::uint64_t PageUse::count(const std::array<std::uint64_t, 2>& bits) {
  return static_cast<std::uint64_t>(std::popcount(bits[0]) + std::popcount(bits[1]));
}

BlockWork::Run BlockWork::run_of(EventKind kind, const WarpRequest& request) {
  // The compiler knows how shared memory is aligned, and joins accesses to it. Of pointers it knows nothing.
  const bool global = is_global(kind);
  Run run{.kind = kind, .mask = request.mask, .width = global ? request.bytes : common_width(request)};
  const std::uint64_t first = request.address[lowest(request.mask)];
  run.begin = global ? 0 : static_cast<std::uint32_t>(first % run.width);
  run.end = run.begin + request.bytes;
  run.apart = cost_of(kind, request);
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1)
    run.piece[lowest(rest)] = request.address[lowest(rest)] - run.begin;
  return run;
}

bool BlockWork::joins(Run& run, const WarpRequest& request) {
  const unsigned first = lowest(request.mask);
  const std::uint64_t place = request.address[first] - run.piece[first];
  if (place + request.bytes > run.width) return false;
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1)
    if (request.address[lowest(rest)] - run.piece[lowest(rest)] != place) return false;
  const auto begin = static_cast<std::uint32_t>(place), end = begin + request.bytes;
  if (begin < run.begin || end > run.end) run.apart += cost_of(run.kind, request);
  run.begin = std::min(run.begin, begin);
  run.end = std::max(run.end, end);
  return true;
}

void BlockWork::close(const Run& run) {
  WarpRequest request{.mask = run.mask, .bytes = std::bit_ceil(run.end - run.begin), .address = run.piece};
  std::uint32_t begin = run.begin / request.bytes * request.bytes;
  if (run.end > begin + request.bytes) request.bytes *= 2, begin = begin / request.bytes * request.bytes;
  for (std::uint64_t& address : request.address) address += begin;
  // In global memory only equal requests join, so the run costs what its first one did.
  const bool is_first = is_global(run.kind) && request.bytes == run.width;
  const std::uint64_t passes =
      is_first ? run.apart : std::min<std::uint64_t>(run.apart, cost_of(run.kind, request));
  if (run.kind == EventKind::global_load) {
    sums_.load_quarters += passes;
  } else if (run.kind == EventKind::global_store) {
    const std::uint64_t sectors = is_first ? run.apart : global_cost(request).sectors;
    const bool whole = is_whole(request, sectors) || shares_lines(request, sectors);
    (whole ? sums_.stored_sectors : sums_.partial_sectors) += passes;
  } else {
    sums_.shared_passes += passes;
  }
}

void BlockWork::close_runs(Warp& warp) {
  for (const Run& run : warp.runs) close(run);
  warp.requests += warp.runs.size();
  warp.runs.clear();
  warp.oldest = 0;
}

void BlockWork::meet() {
  for (Warp& warp : warps_) close_runs(warp);
  sums_.load_phases += fetches_ && !copies_ ? 1 : 0;
  fetches_ = copies_ = false;
}

void BlockWork::add_arithmetic(const Arithmetic& arithmetic, std::size_t warp) {
  const std::uint64_t doubles =
      std::max(arithmetic.double_sums, arithmetic.double_products) + arithmetic.doubles;
  const std::uint64_t instructions = std::max(arithmetic.float_sums, arithmetic.float_products) + doubles +
                                     arithmetic.specials + arithmetic.others + warps_[warp].requests;
  sums_.instructions += instructions;
  sums_.double_instructions += doubles;
  sums_.special_instructions += arithmetic.specials;
  sums_.table_loads += arithmetic.table_loads;
  sums_.longest_warp = std::max(sums_.longest_warp, instructions);
}

void BlockWork::touch(const WarpRequest& request, bool write) {
  std::uint64_t known = ~0ull;
  PageUse* page = nullptr;
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t begin = request.address[lowest(rest)];
    for (std::uint64_t sector = begin / PageUse::sector_bytes;
         sector <= (begin + request.bytes - 1) / PageUse::sector_bytes; ++sector) {
      if (sector / PageUse::sectors != known) page = &pages_[known = sector / PageUse::sectors];
      std::uint64_t& bits = (write ? page->written : page->read)[sector % PageUse::sectors / 64];
      const std::uint64_t bit = std::uint64_t{1} << sector % 64;
      fetches_ |= !write && (bits & bit) == 0;
      bits |= bit;
    }
  }
}

void BlockWork::copy(std::uint64_t address, std::uint64_t bytes, bool in_bulk) {
  std::uint64_t& count = in_bulk ? sums_.bulk_copied_sectors : sums_.copied_sectors;
  for (std::uint64_t sector = address / PageUse::sector_bytes;
       sector * PageUse::sector_bytes < address + bytes; ++sector) {
    PageUse& page = pages_[sector / PageUse::sectors];
    std::uint64_t& bits = (in_bulk ? page.copied_in_bulk : page.copied)[sector % PageUse::sectors / 64];
    const std::uint64_t bit = std::uint64_t{1} << sector % 64;
    count += (bits & bit) == 0 ? 1 : 0;
    bits |= bit;
  }
}

void BlockWork::count_atomics(const WarpRequest& request, AtomicUse use) {
  if (use == AtomicUse::each_lane) {
    for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1)
      ++atomic_sums_[request.address[lowest(rest)]];
    return;
  }
  std::array<std::uint64_t, 32> addresses{};
  auto end = addresses.begin();
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1) *end++ = request.address[lowest(rest)];
  std::sort(addresses.begin(), end);
  end = std::unique(addresses.begin(), end);
  for (auto address = addresses.begin(); address != end; ++address) ++atomics_[*address];
}

BlockWork::Extent BlockWork::array_of(std::uint64_t address) {
  if (!last_array_.contains(address)) {
    const auto found = find_allocation(reinterpret_cast<const void*>(address));
    if (!found) return {};
    const auto begin = reinterpret_cast<std::uint64_t>(found->data);
    last_array_ = {begin, begin + found->bytes};
  }
  return last_array_;
}

// A load of the same width from another array: all stores before it must have been done.
void BlockWork::read_stores(Warp& warp, const WarpRequest& load) {
  const std::uint64_t address = load.address[lowest(load.mask)];
  for (Run& run : warp.runs)
    if (run.kind == EventKind::global_store && !run.is_read && run.width == load.bytes)
      run.is_read = !array_of(run.piece[lowest(run.mask)]).contains(address);
}

void BlockWork::add(const Group& group, unsigned warp) {
  const WarpRequest& request = group.request;
  switch (group.kind) {
    case EventKind::global_atomic: {
      touch(request, true);
      count_atomics(request, static_cast<AtomicUse>(group.detail));
      ++warps_[warp].requests;
      return;
    }
    case EventKind::global_load:
    case EventKind::global_store:
      touch(request, group.kind == EventKind::global_store);
      if (overlap_ && group.kind == EventKind::global_load) read_stores(warps_[warp], request);
      break;
    case EventKind::shared_load:
    case EventKind::shared_store:
    case EventKind::shared_copy:
      break;
    default:
      return;
  }
  Warp& of = warps_[warp];
  for (Run& run : of.runs)
    if (run.kind == group.kind && run.mask == request.mask && !run.is_read && joins(run, request)) return;
  if (of.runs.size() < max_runs) {
    of.runs.push_back(run_of(group.kind, request));
    return;
  }
  close(of.runs[of.oldest]);
  ++of.requests;
  of.runs[of.oldest] = run_of(group.kind, request);
  of.oldest = (of.oldest + 1) % max_runs;
}

}  // namespace warplab::emulator::lens
