#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "emulator/src/block/context.hpp"
#include "emulator/src/block/named_barriers.hpp"
#include "warplab_emulator/block/thread.hpp"

namespace warplab::emulator {

class BlockObserver;

/// Whether two barriers are one and the same.
bool same_place(const Site& a, const Site& b);

/// Runs the threads of one block on fibers, one at a time. A thread runs until it waits; then the next one
/// that can go on is switched to directly, lanes of the same warp first. Fibers are kept from block to block.
class Scheduler {
 public:
  static constexpr int max_threads = 1024;
  static constexpr int warp_size = 32;

  Scheduler() = default;
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;

  /// Runs `entry(body)` for all threads of the block that current_indices describes.
  void run(void (*entry)(const void*), const void* body);

  /// Whether the caller is on one of this scheduler's fibers.
  bool active() const { return active_; }
  /// Drops the running block's fibers. The caller then leaves the block by a jump of its own.
  void reset();

  // What a running thread calls; see thread.hpp.
  int lane() const { return current_ % warp_size; }
  unsigned live_lanes() const { return warps_[warp()].live; }
  /// Of the running thread's warp, those that wait for nothing but their turn.
  unsigned ready_lanes() const { return warps_[warp()].ready; }
  unsigned live_lanes_of(std::size_t warp) const { return warps_[warp].live; }
  /// Tells `observer` which thread runs, and what threads wait for; null for nobody.
  void observe(BlockObserver* observer) { observer_ = observer; }
  /// Lets threads of the caller's warp run that have not started yet, or else the one in `lane`, which is
  /// ready or the caller's.
  void let_lane_run(int lane);
  /// The memory of all stacks, made for `threads` of them; and whether an address is on the running thread's.
  void prepare_stacks(int threads) { make_stacks(threads); }
  const std::byte* stacks() const { return stacks_; }
  std::size_t stacks_bytes() const { return stacks_bytes_; }
  bool on_current_stack(std::uintptr_t address) const;
  /// The thread that has gone below its stack, where no closed page stops it; -1 if none has.
  /// Async-signal-safe.
  int overflowed_thread() const;
  uint3 index_of(int thread) const;
  /// Below each stack lies a page, the largest that the processor's kernels use. It is closed while the
  /// process has mappings to spare for that; what is written into one that is open is seen when a thread
  /// ends.
#if defined(__x86_64__)
  static constexpr std::size_t guard_bytes = 4096;
#else
  static constexpr std::size_t guard_bytes = 64 * 1024;
#endif
  /// Not a power of two: this spreads the tops of the stacks over the sets of the caches.
  static constexpr std::size_t stack_stride = std::size_t{128} * 1024 + guard_bytes;
  int current_stack() const { return running_->number; }
  std::uintptr_t stack_begin(int stack) const;
  /// What the running thread's last exchange has returned: warp_size values, or null.
  const unsigned long long* exchanged_values() const;

  Exchanged exchange(unsigned mask, unsigned long long value, const Site& site);
  int barrier(bool predicate, const Site& site);
  /// A barrier of some warps, by number. @param threads that are to arrive; 0: all that have not returned
  void named_barrier(unsigned number, unsigned threads, bool waits, const Site& site);
  void yield();
  void grid_barrier(const Site& site);
  [[noreturn]] void exit_thread();  ///< ends the running thread, and drops what is on its stack
  struct Patience {
    bool in_time = false;  ///< not for ever: where nobody else can run, it goes on
    unsigned parity = 0;   ///< of the phase that is waited for, for `explain`
    /// What is missing at `key`, for reports: " (1 of 4 arrivals is missing)", or "". Null: nothing to say.
    std::string (*explain)(const void* key, unsigned parity) = nullptr;
  };
  void park(const void* key, const Site& site, Patience how);  ///< waits for wake(key)
  void wake(const void* key);
  /// Nobody can run: threads that do not wait for ever go on. @return false if there is none, or if that has
  /// been in vain too often
  bool let_time_pass();

  // What a cooperative grid asks of a block's scheduler.
  void release_all();  ///< all its threads wait in a grid barrier, which opens
  struct Waiting {
    struct Group {
      int count = 0;
      std::string first;
    };
    std::map<std::string, Group> groups;  ///< by place
  };
  void list_waiting(Waiting& waiting, const Indices& indices) const;
  static std::string describe(const Waiting& waiting);

  /// Threads of the block that have not returned.
  int live() const { return live_; }
  unsigned long long barriers() const { return barriers_; }
  /// How often a thread got on: it returned, or what it and others waited for came.
  unsigned long long progress() const { return progress_; }

 private:
  struct Fiber {
    Context context = nullptr;
    int number = 0;
  };

  // Values of one completed exchange, shared by its lanes until each starts its next one.
  struct Results {
    std::array<unsigned long long, warp_size> values;
    unsigned lanes = 0;  ///< that took part
    int users = 0;
  };

  struct Warp {
    unsigned live = 0;        ///< lanes that have not returned
    unsigned ready = 0;       ///< lanes that waited and can go on
    unsigned exchanging = 0;  ///< lanes that wait in an exchange
    int yielded = 0;          ///< the lane that gave way last
    std::array<unsigned, warp_size> mask;
    std::array<unsigned long long, warp_size> value;
    std::array<Results*, warp_size> result;
  };

  std::size_t warp() const { return static_cast<std::size_t>(current_) / warp_size; }
  static void fiber_main();
  void runner();
  void run_thread();
  void finish_thread();
  void note_progress() {
    fruitless_yields_ = 0;
    ++progress_;
  }
  void switch_to(Fiber* fiber);
  Fiber* idle_fiber();
  void begin_stack(Fiber& fiber);  ///< its fiber begins at the top of it
  static constexpr int start_next = -1, nobody = -2;
  /// Whether a warp has threads that have not started yet.
  bool starts_in(std::size_t warp) const {
    return next_start_ < threads_ && static_cast<std::size_t>(next_start_) / warp_size == warp;
  }
  int choose_near();  ///< who runs next: a thread, start_next or nobody; lanes of the same warp first
  int choose_fair();  ///< likewise, round the whole block
  int take_ready(std::size_t warp, int lane);
  void make_ready(int thread);
  void go_on_with(int thread);
  bool complete_exchange(Warp& warp, std::size_t warp_number, int lane);
  void forget(Warp& warp, int lane);
  void open_barrier(const Site& site);
  void leave_named_barriers();
  void wait_for_other_blocks();  ///< nobody can go on here
  void make_stacks(int count);
  bool close_guard(std::size_t stack);
  const std::byte* watched_bytes(std::size_t stack) const;  ///< below a stack, in a page that is open
  bool is_overflowed(std::size_t stack) const;

  std::vector<Fiber> fibers_;                      ///< by stack
  std::vector<Fiber*> idle_;                       ///< fibers with no thread
  std::array<Fiber*, max_threads> fiber_of_{};     ///< by thread: where it waits
  std::array<const Site*, max_threads> site_{};    ///< by thread: why it waits
  std::array<const void*, max_threads> parked_{};  ///< by thread: the key it waits for
  std::array<Patience, max_threads> patience_{};   ///< by thread that is parked
  std::array<Warp, max_threads / warp_size> warps_;
  std::deque<Results> result_storage_;
  std::vector<Results*> free_results_;
  std::uint32_t warps_ready_ = 0;  ///< warps with ready lanes
  uint3 next_index_{};             ///< of the thread that starts next
  int threads_ = 0, live_ = 0, next_start_ = 0, current_ = 0;
  Fiber* running_ = nullptr;
  Context main_ = nullptr;
  void (*entry_)(const void*) = nullptr;
  const void* body_ = nullptr;

  int arrived_ = 0, predicates_ = 0, predicates_result_ = 0;
  const Site* barrier_site_ = nullptr;
  NamedBarriers named_barriers_;
  bool any_named_barrier_ = false;  ///< used by the block
  unsigned long long barriers_ = 0;
  unsigned long long fruitless_yields_ = 0;  ///< since a thread got on
  unsigned long long progress_ = 0;
  unsigned long long progress_at_pass_ = 0;  ///< when time passed last
  int passes_ = 0;                           ///< since a thread got on
  std::chrono::steady_clock::time_point first_pass_{};
  BlockObserver* observer_ = nullptr;
  bool active_ = false;
  int spins_ = 0;            ///< yields since other blocks of a cooperative grid had their turn
  unsigned exchanges_ = 0;   ///< that the block has completed
  int turns_in_warp_ = 0;    ///< yields to lanes of one warp, since others had their turn
  bool must_start_ = false;  ///< the fiber switched to shall start a thread, whoever else is ready

  std::byte* stacks_ = nullptr;
  std::size_t stacks_bytes_ = 0;
  std::size_t guards_ = 0;  ///< so many of the first stacks have a closed page below them
};

}  // namespace warplab::emulator
