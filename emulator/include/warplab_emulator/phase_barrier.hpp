#pragma once

#include "warplab_emulator/thread.hpp"

// Barriers in memory, as sm_80 and later have them (mbarrier): 8 bytes that count arrivals. When as many have
// come as are expected, and the copies bound to the barrier have landed, the phase ends and the next begins.
// The parity of a phase is what a waiting thread knows it by.

namespace warplab::emulator {

/// The largest number of arrivals that a barrier can expect.
inline constexpr long long most_arrivals = (1 << 20) - 1;

void init_barrier(unsigned long long* barrier, long long expected, const Site& site);
/// Arrives `count` times. @return the parity of the phase that it arrived in
unsigned arrive_at(unsigned long long* barrier, long long count, const Site& site);
/// Arrives once, and is expected no longer.
void arrive_and_leave(unsigned long long* barrier, const Site& site);
/// The present phase also waits for so many bytes of bulk copies.
void expect_bytes(unsigned long long* barrier, long long bytes, const Site& site);
/// Whether the phase with this parity has ended.
bool has_ended(unsigned long long* barrier, unsigned parity, const Site& site);
/// Waits for that.
void wait_for_end(unsigned long long* barrier, unsigned parity, const Site& site);

}  // namespace warplab::emulator
