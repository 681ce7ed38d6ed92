#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "warplab_emulator/block/block.hpp"
#include "warplab_emulator/block/kept_memory.hpp"
#include "warplab_emulator/block/warp_exchange.hpp"
#include "warplab_emulator/type_identity.hpp"

namespace warplab::emulator {

/// Copies what a thread leaves to later regions to its place. The place gives the type: that of a value may
/// be a pointer with `__restrict__`.
template <class T>
[[gnu::always_inline]] inline void keep(T* place, Identity<T> value) {
  new (place) T(value);
}

template <class T, std::size_t n>
[[gnu::always_inline]] inline void keep(T (*place)[n], const Identity<T> (&value)[n]) {
  for (std::size_t i = 0; i < n; ++i) keep(&(*place)[i], value[i]);
}

/// Whether each warp of the block consists of neighbours in x.
inline bool warps_lie_in_rows() noexcept {
  const dim3 size = current_indices.block_dim;
  return size.x % warpSize == 0 || size.y * size.z == 1;
}

/// Which threads take which way of a branch, by thread.
struct DividedThreads {
  const bool* before;  ///< that came to the branch; null: all
  const bool *taken, *other;
};

/// The threads of a block whose barriers, and functions of its warps, cut its kernel into regions. The block
/// runs the kernel's loops; in each region it loops over the threads, none of which needs a stack of its own.
class ThreadRegions {
 public:
  ThreadRegions() noexcept
      : size_(current_indices.block_dim), count_(static_cast<unsigned>(count_in(size_))), live_(count_) {
    reset_kept_memory();
  }

  /// Memory for a variable of each thread.
  template <class T>
  T* keep() const {
    return static_cast<T*>(kept_memory(sizeof(T) * count_));
  }
  /// The same, for one that begins as a copy of `value` in each. By value, so that T is without
  /// `__restrict__`.
  template <class T>
  T* keep_copies(T value) const {
    T* const copies = keep<T>();
    for (unsigned t = 0; t < count_; ++t) new (copies + t) T(value);
    return copies;
  }

  /// Runs `region(threadIdx, number)` for each thread that has not returned. Between two barriers threads do
  /// not depend on each other, or they race.
  template <class Region>
  [[gnu::always_inline]] void run(const Region& region) const {
    if (live_ == count_ && here_ == nullptr) [[likely]]
      for_each_thread<8>(
          size_, [&](const uint3 index, int t) __attribute__((always_inline)) { region(index, t); });
    else
      for_each_thread<8>(
          size_, [&](const uint3 index, int t) __attribute__((always_inline)) {
            if (is_here(t)) region(index, t);
          });
  }

  /// To be called before the kernel's loops, whose rounds release memory, if threads may return in regions.
  void may_return() { goes_on_ = keep_copies(true); }

  /// As run() where threads may return: `region` says false of those that do. @return whether any is left
  template <class Region>
  [[gnu::always_inline]] bool run_returning(const Region& region) {
    for_each_thread<8>(
        size_, [&](const uint3 index, int t) __attribute__((always_inline)) {
          if (is_here(t)) goes_on_[t] = region(index, t);
        });
    live_ = 0;
    for (unsigned t = 0; t < count_; ++t) live_ += goes_on_[t];
    return live_ != 0;
  }

  void barrier() const noexcept { count_barrier(); }

  /// Where threads come to a branch with that condition, `condition(threadIdx, number)`.
  template <class Condition>
  [[gnu::always_inline]] DividedThreads divide(const Condition& condition) const {
    bool* const taken = keep_copies(false);
    bool* const other = keep_copies(false);
    run([&](const uint3 index, int t) __attribute__((always_inline)) {
      taken[t] = condition(index, t);
      other[t] = !taken[t];
    });
    return {here_, taken, other};
  }
  /// Goes on with some of the threads. @return whether there are any
  bool take(const bool* way) {
    here_ = way;
    bool any = false;
    for (unsigned t = 0; t < count_; ++t) any |= is_here(static_cast<int>(t));
    return any;
  }
  /// Goes on with the threads that came to the branch.
  void join(const DividedThreads& divided) { here_ = divided.before; }

  /// A function of the warps, which the threads have brought its arguments for. @param brought by thread
  template <Collective collective>
  void exchange(Brought* brought, const Site& site) const {
    Lanes lanes[32] = {};
    if (live_ == count_ && here_ == nullptr) {
      for (unsigned w = 0; w <= (count_ - 1) / 32; ++w)
        lanes[w].here = lanes[w].live = count_ - 32 * w >= 32 ? ~0u : (1u << (count_ - 32 * w)) - 1;
    } else {
      for (unsigned t = 0; t < count_; ++t) {
        lanes[t / 32].here |= static_cast<unsigned>(is_here(static_cast<int>(t))) << t % 32;
        lanes[t / 32].live |= static_cast<unsigned>(goes_on_ == nullptr || goes_on_[t]) << t % 32;
      }
    }
    exchange_brought(brought, count_, lanes, collective, site);
  }

 private:
  bool is_here(int t) const { return (goes_on_ == nullptr || goes_on_[t]) && (here_ == nullptr || here_[t]); }

  const dim3 size_;
  const unsigned count_;
  unsigned live_;               ///< threads that have not returned
  bool* goes_on_ = nullptr;     ///< by thread, if any may return
  const bool* here_ = nullptr;  ///< by thread, in a branch that not all take
};

}  // namespace warplab::emulator
