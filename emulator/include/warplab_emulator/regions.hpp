#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "warplab_emulator/block.hpp"
#include "warplab_emulator/kept_memory.hpp"

namespace warplab::emulator {

/// Copies what a thread leaves to later regions to its place.
template <class T>
[[gnu::always_inline]] inline void keep(T* place, const T& value) {
  new (place) T(value);
}

template <class T, std::size_t n>
[[gnu::always_inline]] inline void keep(T (*place)[n], const T (&value)[n]) {
  for (std::size_t i = 0; i < n; ++i) keep(&(*place)[i], value[i]);
}

/// The threads of a block whose barriers cut its kernel into regions. The block runs the kernel's loops; in
/// each region it loops over the threads, none of which needs a stack of its own.
class ThreadRegions {
 public:
  ThreadRegions() noexcept
      : size_(current_indices.block_dim), count_(size_.x * size_.y * size_.z), live_(count_) {
    reset_kept_memory();
  }

  /// Memory for a variable of each thread.
  template <class T>
  T* keep() const {
    return static_cast<T*>(kept_memory(sizeof(T) * count_));
  }
  /// The same, for one that begins as a copy of `value` in each.
  template <class T>
  T* keep_copies(const T& value) const {
    T* const copies = keep<T>();
    for (unsigned t = 0; t < count_; ++t) new (copies + t) T(value);
    return copies;
  }

  /// Runs `region(threadIdx, number)` for each thread that has not returned. Between two barriers threads do
  /// not depend on each other, or they race.
  template <class Region>
  [[gnu::always_inline]] void run(const Region& region) const {
    if (live_ == count_) [[likely]]
      for_each_thread<8>(
          size_, [&](const uint3 index, int t) __attribute__((always_inline)) { region(index, t); });
    else
      for_each_thread<8>(
          size_, [&](const uint3 index, int t) __attribute__((always_inline)) {
            if (goes_on_[t]) region(index, t);
          });
  }

  /// The same where threads may return: `region` says false of those that do. @return whether any is left
  template <class Region>
  [[gnu::always_inline]] bool run_returning(const Region& region) {
    if (goes_on_ == nullptr) goes_on_ = keep_copies(true);
    for_each_thread<8>(
        size_, [&](const uint3 index, int t) __attribute__((always_inline)) {
          if (goes_on_[t]) goes_on_[t] = region(index, t);
        });
    live_ = 0;
    for (unsigned t = 0; t < count_; ++t) live_ += goes_on_[t];
    return live_ != 0;
  }

  void barrier() const noexcept { count_barrier(); }

 private:
  const dim3 size_;
  const unsigned count_;
  unsigned live_;            ///< threads that have not returned
  bool* goes_on_ = nullptr;  ///< by thread, once any may have returned
};

}  // namespace warplab::emulator
