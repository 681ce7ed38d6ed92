#pragma once

#include <atomic>

namespace warplab::emulator {

extern std::atomic<unsigned long long> allocation_changes;

/// Changes whenever memory is allocated, freed or made known.
inline unsigned long long allocation_generation() noexcept {
  return allocation_changes.load(std::memory_order_acquire);
}

}  // namespace warplab::emulator
