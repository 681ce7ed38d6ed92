#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "finding.hpp"  // not by its full path: emulator/include has this header too, for programs of users
#include "work.hpp"

namespace warplab::lens {

/// Global or local memory. A request is one instruction of one warp; a sector is 32 bytes.
struct SectorCounts {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t ideal_sectors = 0;  ///< as few as the bytes that the lanes ask for allow
  std::uint64_t lanes = 0;          ///< lanes that took part, over all requests
  std::uint64_t bytes = 0;          ///< that the lanes asked for
};

/// Shared memory. A wavefront is what its 32 banks serve at once.
struct WavefrontCounts {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal_wavefronts = 0;
  std::uint64_t lanes = 0;
  std::uint64_t bytes = 0;

  std::uint64_t bank_conflicts() const {
    return wavefronts > ideal_wavefronts ? wavefronts - ideal_wavefronts : 0;
  }
};

/// Constant memory: a request takes one step for each distinct word.
struct ConstantCounts {
  std::uint64_t requests = 0;
  std::uint64_t addresses = 0;  ///< distinct ones, over all requests
  std::uint64_t loaded = 0;     ///< of these, words that load instructions ask for
};

/// Atomic operations, in one kind of memory.
struct AtomicCounts {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;    ///< global memory only
  std::uint64_t lanes = 0;      ///< single operations
  std::uint64_t addresses = 0;  ///< distinct addresses, over all requests
  std::uint64_t serial = 0;     ///< steps one after another: for each request, the most lanes on one address
};

/// Branches, and how many of them parted a warp.
struct BranchCounts {
  std::uint64_t executed = 0;   ///< branches that a warp came to
  std::uint64_t divergent = 0;  ///< of which its lanes went both ways
};

/// What was counted for a launch or for one of its source lines.
struct Counts {
  SectorCounts global_load, global_store, local_load, local_store;
  WavefrontCounts shared_load, shared_store;
  WavefrontCounts shared_copy;  ///< what cp.async and st.async write, which is not a store of the thread
  ConstantCounts constant;
  AtomicCounts global_atomics, shared_atomics;
  BranchCounts branches;
  std::uint64_t barriers = 0;      ///< __syncthreads(), once for each warp
  std::uint64_t active_lanes = 0;  ///< over all events counted, the lanes that took part ...
  std::uint64_t warp_events = 0;   ///< ... and how many such events there were

  /// Lanes of 32 that took part in an average event, or nothing where there was none.
  std::optional<double> average_active_lanes() const {
    if (warp_events == 0) return std::nullopt;
    return static_cast<double>(active_lanes) / static_cast<double>(warp_events);
  }
};

/// What a warp asks memory for.
enum class RequestKind { global_load, global_store, shared_load, shared_store };

/// One request of one warp: the worst of its line.
struct RequestSample {
  RequestKind kind = RequestKind::global_load;
  std::uint32_t mask = 0;                   ///< lanes that took part
  std::uint32_t bytes = 0;                  ///< of each lane: 1, 2, 4, 8 or 16
  std::array<std::uint64_t, 32> address{};  ///< global: distance from the allocation's start; shared: offset
  std::array<unsigned, 3> block{};
  unsigned warp = 0;
  unsigned cost = 0;  ///< sectors or wavefronts
  unsigned ideal = 0;
};

/// Instructions of nvcc's for one line of the source, all alike.
struct CompiledAccess {
  std::string kind;    ///< "global load"
  unsigned bytes = 0;  ///< of each lane; 0: of several lanes together, such as a fragment
  unsigned count = 0;  ///< in the code, however often they run

  bool operator==(const CompiledAccess&) const = default;
};

/// A line of the source, with what its accesses cost.
struct Line {
  std::string file;
  int line = 0;
  std::string function;  ///< demangled, may be empty
  Counts counts;
  std::vector<RequestSample> samples;  ///< at most one of each kind
  /// The line as it was when it was counted; absent if whoever counted did not keep it.
  std::optional<std::string> text = {};
  /// What nvcc makes of its accesses; absent where nobody asked nvcc.
  std::optional<std::vector<CompiledAccess>> compiled = {};
};

/// What limits the warps that a multiprocessor can hold.
struct Occupancy {
  double theoretical = 0;  ///< active warps of the maximum, 0 to 1
  int blocks_per_multiprocessor = 0;
  std::string limited_by;  ///< "threads", "shared memory", "blocks"
};

/// Where the counts come from.
enum class Source { emulator, nsight_compute };

/// A launch from a kernel, in the list of the host's launch that it follows from.
struct Descendant {
  std::uint32_t parent = 0;  ///< who launched it: a place in that list, from 1; 0 for the host's launch
  std::uint32_t depth = 1;   ///< launches between it and the host
  std::string kernel;
  std::uint64_t blocks = 0;
  std::uint32_t threads = 0;  ///< per block
};

/// All that is known about one launch; or about launches from kernels that are alike, added up.
struct Launch {
  std::string kernel;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t static_shared_bytes = 0, dynamic_shared_bytes = 0;
  std::uint64_t blocks = 0, blocks_recorded = 0;  ///< where fewer were recorded than ran, counts are scaled
  Source source = Source::emulator;
  Counts counts;
  std::optional<Work> work;  ///< known on the emulator only
  /// What the device has done by itself since the launch before, or after the last one: cudaMemset and copies
  /// from its memory, to the host's too.
  std::uint64_t fills = 0, copies = 0;
  std::vector<Line> lines;  ///< by file and line
  Occupancy occupancy;
  /// What a GPU's counters say of its units' work, by name and unit
  /// ("l2_hit_percent"); empty on the emulator.
  std::map<std::string, double> rates;
  std::vector<Finding> findings;
  std::string note;  ///< why something is missing, or empty
  bool from_kernel = false;
  std::uint64_t alike = 1;              ///< how many launches from kernels this is
  std::vector<Descendant> descendants;  ///< of a launch by the host: in the order in which they began
  std::uint64_t max_pending = 0;        ///< of them, how many at most waited to begin
  /// Barriers that a thread came to that came to most: those of blocks, by __syncthreads() and by number; and
  /// all that threads wait at, with those in shared memory.
  std::uint64_t max_barriers = 0, max_waits = 0;
  /// Steps of the warp that took most: requests to memory, local memory left out, and branches. Of launches
  /// from kernels that are alike, the sum: they may follow one another.
  std::uint64_t busiest_warp = 0;
  /// What could not be counted, as the JSON names it ("branches", "shared_load.ideal_wavefronts"), and why.
  /// Where no block was recorded nothing was, and `note` is why.
  std::map<std::string, std::string> not_measured;

  bool scaled() const { return blocks_recorded != 0 && blocks_recorded < blocks; }
  bool recorded() const { return blocks_recorded != 0 || blocks == 0; }
};

}  // namespace warplab::lens
