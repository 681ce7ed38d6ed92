#pragma once

#include "warplab_emulator/block/thread.hpp"

// Barriers in memory, as sm_80 and later have them (mbarrier): 8 bytes that count arrivals. When as many have
// come as are expected, and the copies bound to the barrier have landed, the phase ends and the next begins.
// The parity of a phase is what a waiting thread knows it by.

namespace warplab::emulator {

/// The largest number of arrivals that a barrier can expect, and of bytes that a phase can.
inline constexpr long long max_arrivals = (1 << 20) - 1;

void init_barrier(unsigned long long* barrier, long long expected, const Site& site);
/// The memory is not a barrier any more.
void invalidate_barrier(unsigned long long* barrier, const Site& site);

/// What a thread tells a barrier when it arrives.
struct Arrival {
  long long count = 1;
  long long bytes = 0;       ///< that the phase also waits for
  bool leaves = false;       ///< the next phases expect `count` arrivals less
  bool may_complete = true;  ///< false: an error if it is the phase's last arrival
  bool releases = true;      ///< who waits for the phase sees what the thread did before
};
/// @return the barrier's state before: what it waits for, and the parity
unsigned long long arrive(unsigned long long* barrier, const Arrival& arrival, const Site& site);

/// Arrives `count` times. @return the parity of the phase that it arrived in
unsigned arrive_at(unsigned long long* barrier, long long count, const Site& site);
/// Arrives once, and is expected no longer.
void arrive_and_leave(unsigned long long* barrier, const Site& site);
/// The present phase also waits for so many bytes of bulk copies.
void expect_bytes(unsigned long long* barrier, long long bytes, const Site& site);
/// So many of these bytes have come.
void complete_bytes(unsigned long long* barrier, long long bytes, const Site& site);

/// What a state is about that arrive() has returned. Both end the kernel for any other number.
unsigned parity_of_state(unsigned long long state, const Site& site);
unsigned pending_of_state(unsigned long long state, const Site& site);

/// The parity of the present phase.
unsigned phase_parity(const unsigned long long* barrier);
/// Whether the phase with this parity has ended. @param acquires then the thread
/// sees what those did that arrived
bool has_ended(unsigned long long* barrier, unsigned parity, const Site& site, bool acquires = true);
/// The same, but the thread waits for some time first, in which others run. Where nothing can come any more,
/// a loop around it is a deadlock.
bool has_ended_in_time(unsigned long long* barrier, unsigned parity, const Site& site, bool acquires = true);
/// Waits for that.
void wait_for_end(unsigned long long* barrier, unsigned parity, const Site& site);

}  // namespace warplab::emulator
