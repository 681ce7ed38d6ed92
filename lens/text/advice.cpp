#include "lens/text/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "lens/patterns/access_pattern.hpp"
#include "lens/text/table_rows.hpp"

namespace warplab::lens {
namespace {

const RequestSample* sample_of(const Line& line, RequestKind kind) {
  for (const RequestSample& sample : line.samples)
    if (sample.kind == kind) return &sample;
  return nullptr;
}

std::string bytes_text(std::int64_t bytes) {
  return fmt::format("{} byte{}", grouped(static_cast<std::uint64_t>(bytes)), bytes == 1 ? "" : "s");
}

std::string about_global(const SectorCounts& counts, const RequestSample* sample, bool store) {
  const std::string doing = store ? "write" : "read";
  if (!sample)
    return fmt::format(
        "The lanes of a warp {} addresses that lie apart: let neighbouring lanes {} neighbouring elements.",
        doing, doing);
  const AccessPattern p = pattern_of(*sample);
  const std::int64_t bytes = sample->bytes, stride = std::llabs(p.stride.value_or(0));
  if (p.stride && stride <= bytes && sample->cost == sample->ideal + 1)
    return fmt::format(
        "The warp starts {} past the start of a sector, so it touches one sector more than it needs: let "
        "rows and pointers start at multiples of 32 bytes.",
        bytes_text(p.past_sector));
  if (p.stride && stride > bytes && stride <= 64 && stride % bytes == 0)
    return fmt::format(
        "Neighbouring lanes are {} apart and each takes {} of them, as in an array of structures or with a "
        "stride of {} elements: keep what is {} together side by side (a structure of arrays), or stage it "
        "in shared memory.",
        bytes_text(stride), bytes, stride / bytes, store ? "written" : "read");
  if (p.stride && stride > bytes)
    return fmt::format(
        "Neighbouring lanes are {} apart, so each has a sector of its own: let threadIdx.x run along the "
        "contiguous index, or stage a tile in shared memory.",
        bytes_text(stride));
  if (p.stride && p.lanes < 32)
    return fmt::format(
        "{} of the warp's 32 lanes take part, with gaps between them, and what lies in the gaps is moved "
        "too: let the lanes that {} be neighbours.",
        p.lanes, doing);
  if (p.run)
    return fmt::format(
        "The warp lies on {} rows with {} lanes on each: make the block wider in x, so that whole warps {} "
        "along a row.",
        32 / *p.run, *p.run, doing);
  return fmt::format(
      "The {} lanes {} {:.0f} sectors in no regular order: sort or group the work so that neighbouring lanes "
      "{} neighbouring elements, or stage it in shared memory.",
      p.lanes, doing, static_cast<double>(counts.sectors) / static_cast<double>(counts.requests), doing);
}

std::string about_shared(const WavefrontCounts& counts, const RequestSample* sample) {
  const double ways = bank_conflict_ways(counts);
  const AccessPattern p = sample ? pattern_of(*sample) : AccessPattern{};
  const std::int64_t words = std::llabs(p.stride.value_or(0)) / 4;
  if (!p.stride || *p.stride % 4 != 0 || words < 2)
    return fmt::format(
        "Lanes want different words of the same bank, which then serves one after another ({:.1f} wavefronts "
        "for 1): lay the data out so that the lanes of a warp fall into different banks.",
        ways);
  std::bitset<32> touched;  // by a lane of each turn: an element of two words has two banks
  for (std::int64_t lane = 0; lane < 32; ++lane)
    for (std::int64_t word = 0; word < std::max<std::int64_t>(sample->bytes / 4, 1); ++word)
      touched.set(static_cast<std::size_t>((lane * words + word) % 32));
  const std::size_t banks = touched.count();
  const std::string cause =
      banks == 1
          ? fmt::format("Neighbouring lanes are {} words apart, so all want the same one of the 32 banks",
                        words)
          : fmt::format("Neighbouring lanes are {} words apart, so they share {} of the 32 banks", words,
                        banks);
  if (words >= 32)
    return fmt::format("{}: pad each row by one {} ({} words become {}), or swizzle the index.", cause,
                       sample->bytes > 4 ? "element" : "word", words,
                       words + std::max<std::int64_t>(sample->bytes / 4, 1));
  return fmt::format("{}: let neighbouring lanes take neighbouring words.", cause);
}

/// Whether a line of source begins a loop: "for (", "} while (", "do {".
bool begins_loop(std::string_view line) {
  if (line.starts_with('}')) line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const auto is_word = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  const std::string_view word(line.begin(), std::ranges::find_if_not(line, is_word));
  return word == "for" || word == "while" || word == "do";
}

std::string about_branches(const std::string& source) {
  if (begins_loop(source))
    return "The lanes of a warp leave this loop in different iterations, and all wait for the last: give "
           "neighbouring lanes work of the same length.";
  return "The warp diverges here: both branches run, one after the other. Make the condition uniform within "
         "a warp (compare threadIdx.x / 32 rather than threadIdx.x % 2), or compute both and select.";
}

}  // namespace

bool far_from_ideal(std::uint64_t cost, std::uint64_t ideal) {
  return cost > ideal && static_cast<double>(cost) >= 1.2 * static_cast<double>(ideal);
}

double bank_conflict_ways(const WavefrontCounts& counts) {
  if (counts.ideal_wavefronts == 0) return 1;
  return static_cast<double>(counts.wavefronts) / static_cast<double>(counts.ideal_wavefronts);
}

std::string advice(const Line& line, const std::string& source, const Counts* launch) {
  const Counts& c = line.counts;
  double worst = 0;
  std::string text;
  // What is lost, in sectors of global memory. A wavefront, a word of constant memory and a lost turn of a
  // warp each take about as long as a quarter of a sector from the second-level cache: this decides only what
  // is spoken of.
  const auto consider = [&](double lost, auto say) {
    if (lost <= worst) return;
    worst = lost;
    text = say();
  };
  for (const bool store : {false, true}) {
    const SectorCounts& global = store ? c.global_store : c.global_load;
    if (far_from_ideal(global.sectors, global.ideal_sectors))
      consider(static_cast<double>(global.sectors - global.ideal_sectors), [&] {
        return about_global(
            global, sample_of(line, store ? RequestKind::global_store : RequestKind::global_load), store);
      });
    const WavefrontCounts& shared = store ? c.shared_store : c.shared_load;
    if (far_from_ideal(shared.wavefronts, shared.ideal_wavefronts))
      consider(static_cast<double>(shared.bank_conflicts()) / 4, [&] {
        return about_shared(shared,
                            sample_of(line, store ? RequestKind::shared_store : RequestKind::shared_load));
      });
  }
  if (far_from_ideal(c.constant.addresses, c.constant.requests))
    consider(static_cast<double>(c.constant.addresses - c.constant.requests) / 4, [] {
      return std::string(
          "Constant memory serves one word at a time, and the lanes of a warp ask for different ones: keep "
          "this table in shared memory, or let the index be the same for the whole warp.");
    });
  consider(static_cast<double>(c.local_load.sectors + c.local_store.sectors) / 4, [] {
    return std::string(
        "An array of the thread lies in local memory, since its index is known only when the kernel runs: "
        "unroll the loops that index it, so that it can stay in registers.");
  });
  for (const AtomicCounts& atomics : {c.global_atomics, c.shared_atomics})
    if (far_from_ideal(atomics.serial, atomics.requests))
      consider(static_cast<double>(atomics.serial - atomics.requests), [] {
        return std::string(
            "Lanes of a warp update the same address, one after another: add up within the warp first "
            "(__shfl_down_sync) or within the block, then let one lane do one atomic.");
      });
  const std::uint64_t branches =
      launch ? std::max(launch->branches.executed, c.branches.executed) : c.branches.executed;
  // One divergent branch is most often a bounds check in the last warp of an array, which must be there.
  if (c.branches.divergent * 10 >= branches && c.branches.divergent > 1)
    consider(static_cast<double>(c.branches.divergent) / 4, [&] { return about_branches(source); });
  return text;
}

std::string advice(const Occupancy& occupancy, std::uint64_t shared_bytes_per_block) {
  if (occupancy.theoretical >= 0.5 || occupancy.blocks_per_multiprocessor == 0) return "";
  const int blocks = occupancy.blocks_per_multiprocessor;
  const std::string held = blocks == 1
                               ? "Only 1 block fits on a multiprocessor at a time"
                               : fmt::format("Only {} blocks fit on a multiprocessor at a time", blocks);
  if (occupancy.limited_by == "shared memory")
    return fmt::format(
        "{}, {} {:.1f} KiB of shared memory: a smaller tile, or more threads per block on the same tile, "
        "would hide more latency.",
        held, blocks == 1 ? "as it takes" : "as each takes",
        static_cast<double>(shared_bytes_per_block) / 1024);
  if (occupancy.limited_by == "registers")
    return held +
           ", as the threads use many registers: fewer variables alive at once, or __launch_bounds__, would "
           "hide more latency.";
  if (occupancy.limited_by == "blocks")
    return held + ", and they are small: blocks of 128 to 256 threads would hide more latency.";
  return held + ": blocks of 128 to 256 threads would fill it better.";
}

}  // namespace warplab::lens
