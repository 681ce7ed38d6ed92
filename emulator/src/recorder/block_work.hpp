#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/src/recorder/arithmetic.hpp"
#include "emulator/src/recorder/cost.hpp"
#include "emulator/src/recorder/lane.hpp"
#include "lens/work.hpp"

namespace warplab::emulator::lens {

struct Group;

/// A page of global memory: which of its sectors were read and written, a bit for each.
struct PageUse {
  static constexpr std::uint64_t sector_bytes = 32, sectors = 128, bytes = sectors * sector_bytes;
  std::array<std::uint64_t, 2> read{}, written{};
  std::array<std::uint64_t, 2> copied{}, copied_in_bulk{};  ///< by asynchronous copies

  static std::uint64_t count(const std::array<std::uint64_t, 2>& bits);
};

/// The least work of one block. A compiler may keep what it has read, and join what a thread asks of shared
/// memory side by side, up to 16 bytes: between two barriers such requests count as one.
class BlockWork {
 public:
  explicit BlockWork(std::size_t warps) : warps_(warps) {}

  void add(const Group& group, unsigned warp);
  /// From now on a load from one array may find what was stored in another, for all that a compiler knows: it
  /// can't join stores around such a load.
  void let_arrays_overlap() { overlap_ = true; }
  /// @param arithmetic of the warp's lanes, the most of each kind. Once for each warp, at its end.
  void add_arithmetic(const Arithmetic& arithmetic, std::size_t warp);
  void add_product(std::uint64_t flops, bool of_warpgroup) {
    (of_warpgroup ? sums_.wgmma_flops : sums_.mma_flops) += flops;
  }
  /// An asynchronous copy begins: nobody waits for what is loaded until the threads meet.
  void copy_asynchronously() { copies_ = true; }
  /// It reads so many bytes of global memory.
  void copy(std::uint64_t address, std::uint64_t bytes, bool in_bulk);
  void note_copies_under_way(std::uint64_t most, std::uint64_t left) {
    sums_.copies_landed += warplab::lens::Work::parts_of_byte * (most - left);
    sums_.copies_overlapped += warplab::lens::Work::parts_of_byte * (most - left) * left / most;
  }
  /// All threads have met, or ended: what they read before may be another value from now on.
  void meet();

  /// @pre met
  const warplab::lens::Work& sums() const { return sums_; }
  const std::unordered_map<std::uint64_t, PageUse>& pages() const { return pages_; }  ///< by number
  /// By address: requests of atomics, and additions to floats.
  const std::unordered_map<std::uint64_t, std::uint64_t>& atomics() const { return atomics_; }
  const std::unordered_map<std::uint64_t, std::uint64_t>& atomic_sums() const { return atomic_sums_; }

 private:
  /// Requests of a warp that may be one.
  struct Run {
    EventKind kind = EventKind::branch;
    std::uint32_t mask = 0;
    std::uint32_t width = 0;           ///< bytes of the piece of each lane: a power of two, 16 at most
    std::uint32_t begin = 0, end = 0;  ///< of what was asked for in it
    std::uint64_t apart = 0;           ///< passes of its requests one by one
    std::array<std::uint64_t, 32> piece{};
    bool is_read = false;  ///< stores that a load may have found
  };
  /// Addresses of one array in global memory.
  struct Extent {
    std::uint64_t begin = 0, end = 0;
    bool contains(std::uint64_t address) const { return address >= begin && address < end; }
  };
  static constexpr std::size_t max_runs = 16;
  struct Warp {
    std::vector<Run> runs;
    std::size_t oldest = 0;
    std::uint64_t requests = 0;  ///< to memory
  };

  Extent array_of(std::uint64_t address);
  void read_stores(Warp& warp, const WarpRequest& load);
  static bool joins(Run& run, const WarpRequest& request);
  static Run run_of(EventKind kind, const WarpRequest& request);
  void close(const Run& run);
  void touch(const WarpRequest& request, bool write);
  void close_runs(Warp& warp);
  void count_atomics(const WarpRequest& request, AtomicUse use);

  std::vector<Warp> warps_;
  bool fetches_ = false, copies_ = false;  ///< since the threads met
  bool overlap_ = false;
  Extent last_array_;
  warplab::lens::Work sums_;
  std::unordered_map<std::uint64_t, PageUse> pages_;
  std::unordered_map<std::uint64_t, std::uint64_t> atomics_, atomic_sums_;
};

}  // namespace warplab::emulator::lens
