#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/src/block/observer.hpp"
#include "emulator/src/checker/structures.hpp"
#include "emulator/src/recorder/joined_requests.hpp"
#include "emulator/src/recorder/lane.hpp"
#include "emulator/src/recorder/launch_recorder.hpp"
#include "warplab_emulator/block/thread.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator::lens {

/// Follows the threads of one block: takes what each of them does, and puts together what lanes of a warp do
/// together.
///
/// Events of the warp that runs are kept, lane by lane, until all its lanes wait, end, or have filled their
/// share; then they are merged. A lane that lacks an event of the others may still come to it: such groups
/// stay open.
class BlockRecorder final : public BlockObserver {
 public:
  BlockRecorder(LaunchRecorder& launch, Worker& worker);
  ~BlockRecorder() override;
  BlockRecorder(const BlockRecorder&) = delete;

  void resume(int thread) override;
  void leave(int thread) override;
  void rest() override;
  void wake() override;
  void finish() override;
  void barrier(const Site& site) override;
  void meet(const Site& site) override;
  void note_barrier(const Site& site) override;
  void meet_cluster(const std::vector<BlockObserver*>& blocks) override;
  void exchange(const Site& site, unsigned warp, unsigned mask) override;
  void release(const void* object) override { release(*current_lane, object); }
  void release_for(unsigned thread, const void* object) override;
  void acquire(const void* object) override { acquire(*current_lane, object); }
  void fence_async_proxy() override;
  void place_shared(const void* variable, std::size_t bytes, const char* name) override;
  void bulk_access(const void* address, std::size_t bytes, bool write, const void* code) override;
  void bulk_store(const void* address, std::size_t bytes, bool combines, const void* code) override;
  void copy_write(const void* address, std::size_t bytes, const void* from, const void* code) override;
  void note_copies_under_way(std::uint64_t most, std::uint64_t left) override;
  unsigned tensor_load(const void* address, std::size_t bytes, unsigned first, const void* code) override;
  void tensor_product(std::uint64_t flops, bool of_warpgroup) override;
  void tensor_core_read(unsigned thread, const void* address, std::size_t bytes, const void* code) override;

  // What hooks and markers tell, about the lane that runs.
  /// @param use of an atomic in global memory
  void touch(Lane& lane, const void* address, unsigned bytes, AccessKind kind, const void* code,
             AtomicUse use = AtomicUse::whole_warp);
  /// An access that no hook has told of, but the guard: as a rule of an argument of a call.
  void touch_unannounced(Lane& lane, const void* address, unsigned bytes, AccessKind kind, const void* code);
  /// An atomic addition to a float or double.
  void add_to_sum(Lane& lane, const void* address, unsigned bytes, const void* code) {
    touch(lane, address, bytes, AccessKind::atomic, code, AtomicUse::each_lane);
  }
  /// A compare-and-swap. @param expected its value, in the low bytes
  void swap(Lane& lane, const void* address, unsigned bytes, std::uint64_t expected, const void* code);
  void touch_range(Lane& lane, const void* address, std::size_t bytes, bool write, const void* code);
  /// A call of sin() or its kin reads coefficients. @param second those of the second of two rows
  void read_table(Lane& lane, bool second, const void* code);
  /// Has come to the basic block whose hook returns to `code`.
  void compute(Lane& lane, const void* code) {
    if (const Arithmetic* const arithmetic = launch_.arithmetic().at(code)) lane.arithmetic += *arithmetic;
  }
  void mark(Lane& lane, LensMark mark, std::uint64_t value, const void* code);
  void add_array(Lane& lane, const void* begin, std::size_t bytes, bool surely_local, const void* code);
  void fence(Lane& lane);
  void release(Lane& lane, const void* object);
  void acquire(Lane& lane, const void* object);

 private:
  /// At the barrier of the block.
  struct Meeting {
    Site site;
    std::uint64_t number;  ///< from 1
  };
  /// How often each lane of a warp has come to a barrier of some warps, or of the cluster.
  struct Arrivals {
    Site site;
    std::array<std::uint32_t, 32> times{};
    std::uint32_t most = 0;
  };
  struct Warp {
    std::uint32_t lanes = 0;           ///< that exist
    std::uint32_t gone = 0;            ///< that have ended
    std::uint64_t steps = 0;           ///< groups handed over, those of local memory left out
    std::vector<Group> open;           ///< in the order of first sight
    std::vector<std::uint32_t> slots;  ///< hash table of `open`: 1 + index
    JoinedRequests joined;
    std::optional<Meeting> left_after;  ///< that came before a lane of the warp ended
    std::vector<Arrivals> arrivals;     ///< at barriers other than that of the block
  };

  /// The recorder of another block of the same launch.
  static BlockRecorder& recorder_of(const BlockObserver& observer);
  void add(Lane& lane, std::uint64_t address, unsigned bytes, EventKind kind, const void* code,
           std::uint16_t detail = 0, unsigned piece = 0);
  struct Target {
    std::uint64_t address = 0;  ///< as the costs want it: for shared memory, the offset in it
    EventKind event{};
    const Lane::Array* own_array = nullptr;  ///< of the lane, which may lie in local memory
    bool is_own = false;                     ///< no memory of a GPU, or such an array
    bool counts = true;                      ///< false: a mistake, for the checker only
  };
  Target find_target(const Lane& lane, std::uintptr_t place, AccessKind kind) const;
  std::uint32_t offset_of(const void* code) const { return launch_.instrumented().offset_of(code); }
  void note_condition(Lane& lane, bool taken, std::uint64_t number);
  bool is_stored_again(Lane& lane, const Target& target, std::uint16_t detail, const void* code) const;
  /// Whether a load finds in a register what the iteration before has stored. Notes stores.
  bool is_carried(Lane& lane, std::uintptr_t address, unsigned bytes, bool write) const;
  /// The width of the accesses to 16 bytes that the compiler announced as one.
  unsigned width_of_16(std::uintptr_t place) const;
  /// Which padding of a structure goes with its members. Notes what the lane loads.
  Padding accessed_padding(Lane& lane, std::uintptr_t place, std::size_t bytes, unsigned width, bool write,
                           const void* code) const;
  bool is_under_way(Lane& lane, const void* address, unsigned bytes, bool write, const void* code);
  void touch_own_array(Lane& lane, const Lane::Array& array, std::uintptr_t place, std::size_t bytes,
                       unsigned width, AccessKind kind, const void* code);
  void make_room(Lane& lane);
  unsigned lane_to_go_on(const Lane& full);
  void count_steps(std::uint64_t more);
  [[noreturn]] void report_endless();
  void merge(unsigned warp, bool complete);
  void merge_apart(Warp& warp, std::array<const Event*, 32>& cursors,
                   const std::array<const Event*, 32>& ends);
  Group& open_group(Warp& warp, const Event& event, unsigned lane);
  unsigned hindmost(unsigned warp, std::uint32_t lanes) const;
  void close_passed(unsigned warp);
  void close_groups(unsigned warp, bool all);
  void complete_all();
  void look_for_left_loop(const Site& site) const;
  void give_buffers(unsigned warp);
  void note_group(const Group& group, unsigned warp);
  void hand_over(const Group& group, unsigned warp);
  void pair_ways(unsigned warp);
  void load_for_sum(const Group& sum, unsigned warp);
  /// @param last a request that is ready as well, or null
  void count_ready(unsigned warp, const Group* last = nullptr);

  LaunchRecorder& launch_;
  Worker& worker_;
  BlockWork work_;
  int checked_block_ = 0;
  std::uint64_t meetings_ = 0;  ///< at the barrier of the block
  std::uint64_t steps_ = 0;     ///< of all its warps: iterations and accesses
  std::optional<Meeting> last_barrier_;
  std::vector<Lane> lanes_;
  std::vector<Warp> warps_;
  JoinedRequests::Ready ready_;
  uint3 block_;
  int active_warp_ = -1, running_ = -1;
  unsigned turns_ = 0;  ///< of lanes without room
  /// From here on nobody but the kernel knows how what lies in shared memory is aligned.
  std::uint64_t first_unaligned_ = ~std::uint64_t{0};
  std::uintptr_t stacks_begin_, shared_begin_, slots_begin_;
  std::size_t stacks_bytes_, shared_bytes_, slots_bytes_;
};

}  // namespace warplab::emulator::lens
