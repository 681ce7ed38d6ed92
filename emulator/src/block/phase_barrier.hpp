#pragma once

#include <string>

#include "warplab_emulator/phase_barrier.hpp"

namespace warplab::emulator {

/// The 8 bytes of a phase barrier. Bit 63 is set in poison, and bit 61 in a barrier: so one that nobody has
/// initialised is recognised. The bytes that a phase waits for are kept by AsynchronousWork.
struct BarrierWord {
  static constexpr int bits = 20;
  static constexpr unsigned long long mask = max_arrivals;
  unsigned long long value;

  unsigned pending() const { return static_cast<unsigned>(value & mask); }
  unsigned expected() const { return static_cast<unsigned>(value >> bits & mask); }
  unsigned parity() const { return static_cast<unsigned>(value >> 62 & 1); }
  /// Whether a phase has ended before the present one.
  bool has_run() const { return (value >> 60 & 1) != 0; }
  static BarrierWord make(unsigned pending, unsigned expected, unsigned parity, bool has_run) {
    return {pending | static_cast<unsigned long long>(expected) << bits |
            static_cast<unsigned long long>(has_run) << 60 | static_cast<unsigned long long>(parity) << 62 |
            1ull << 61};
  }
  bool is_valid() const { return value >> 63 == 0 && (value >> 61 & 1) == 1; }
};

/// What a phase barrier lacks at which threads wait for ever: " (1 of 4 arrivals is missing)", or "".
std::string explain_wait(const void* barrier, int parity);

}  // namespace warplab::emulator
