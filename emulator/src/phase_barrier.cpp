#define WARPLAB_LENS_TWIN  // the lens is told who waits for whom
#include "warplab_emulator/phase_barrier.hpp"

#include <cuda_runtime_api.h>

#include "asynchronous_work.hpp"
#include "warplab_emulator/async_copies.hpp"
#include "warplab_emulator/lens_markers.hpp"
#include "worker.hpp"

namespace warplab::emulator {
namespace {

// Bit 63 is set in poison, and a barrier that expects nobody is none: so one without init() is recognised.
struct Word {
  static constexpr int bits = 20;
  static constexpr unsigned long long mask = most_arrivals;
  unsigned long long value;

  unsigned pending() const { return static_cast<unsigned>(value & mask); }
  unsigned expected() const { return static_cast<unsigned>(value >> bits & mask); }
  unsigned parity() const { return static_cast<unsigned>(value >> 62 & 1); }
  static Word make(unsigned pending, unsigned expected, unsigned parity) {
    return {pending | static_cast<unsigned long long>(expected) << bits |
            static_cast<unsigned long long>(parity) << 62 | 1ull << 61};
  }
  bool is_valid() const { return value >> 63 == 0 && (value >> 61 & 1) == 1; }
};

Word load(unsigned long long* barrier, const Site& site) {
  const Word word{__atomic_load_n(barrier, __ATOMIC_SEQ_CST)};
  if (!word.is_valid())
    device_fault(
        cudaErrorLaunchFailure,
        "%s at %s:%d: the barrier has not been initialised; one thread calls init(&barrier, count), and "
        "then __syncthreads() makes it known to all",
        site.what, site.file, site.line);
  return word;
}

bool replace(unsigned long long* barrier, Word& seen, Word wanted) {
  return __atomic_compare_exchange_n(barrier, &seen.value, wanted.value, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

AsynchronousWork::Barrier* copies_of(const void* barrier) {
  Worker& worker = *running_worker();
  return worker.asynchronous == nullptr ? nullptr : worker.asynchronous->known_barrier(barrier);
}

// All have arrived: lands what is bound to the barrier and, if no bytes are missing, begins the next phase.
void end_phase(unsigned long long* barrier, const Site& site) {
  const Word word = load(barrier, site);
  if (AsynchronousWork::Barrier* copies = copies_of(barrier)) {
    AsynchronousWork::land(copies->bound);
    for (const AsynchronousWork::Copy& copy : copies->bulk) copies->open_bytes -= copy.bytes;
    AsynchronousWork::land(copies->bulk);
    if (copies->open_bytes != 0) return;
  }
  __atomic_store_n(barrier, Word::make(word.expected(), word.expected(), word.parity() ^ 1).value,
                   __ATOMIC_SEQ_CST);
  running_worker()->scheduler.wake(barrier);
}

unsigned arrive(unsigned long long* barrier, long long count, unsigned leaving, const Site& site) {
  Word seen = load(barrier, site);
  lens_release(barrier);
  for (;;) {
    if (count < 1 || count > seen.pending())
      device_fault(
          cudaErrorLaunchFailure,
          "%s at %s:%d: the thread arrives %lld times at a barrier that expects %u arrivals in a phase, "
          "of which %u are still to come",
          site.what, site.file, site.line, count, seen.expected(), seen.pending());
    const unsigned left = seen.pending() - static_cast<unsigned>(count);
    if (replace(barrier, seen, Word::make(left, seen.expected() - leaving, seen.parity()))) {
      if (left == 0) end_phase(barrier, site);
      return seen.parity();
    }
  }
}

}  // namespace

void init_barrier(unsigned long long* barrier, long long expected, const Site& site) {
  if (expected < 1 || expected > most_arrivals)
    device_fault(cudaErrorLaunchFailure, "%s at %s:%d: a barrier can expect 1 to %lld arrivals, not %lld",
                 site.what, site.file, site.line, most_arrivals, expected);
  const auto count = static_cast<unsigned>(expected);
  if (running_worker()->asynchronous != nullptr) running_worker()->asynchronous->forget_barrier(barrier);
  __atomic_store_n(barrier, Word::make(count, count, 0).value, __ATOMIC_SEQ_CST);
}

unsigned arrive_at(unsigned long long* barrier, long long count, const Site& site) {
  return arrive(barrier, count, 0, site);
}

void arrive_and_leave(unsigned long long* barrier, const Site& site) { arrive(barrier, 1, 1, site); }

void expect_bytes(unsigned long long* barrier, long long bytes, const Site& site) {
  load(barrier, site);
  Worker& worker = *running_worker();
  if (worker.asynchronous == nullptr) worker.asynchronous = std::make_unique<AsynchronousWork>();
  worker.asynchronous->of_barrier(barrier).open_bytes += bytes;
}

bool has_ended(unsigned long long* barrier, unsigned parity, const Site& site) {
  const Word word = load(barrier, site);
  if (word.parity() == parity) {
    if (word.pending() == 0) end_phase(barrier, site);  // bulk copies that were issued after the last arrival
    if (load(barrier, site).parity() == parity) return false;
  }
  lens_acquire(barrier);
  return true;
}

// A barrier in shared memory is ended by a thread of the block, which wakes the others; any other is polled.
void wait_for_end(unsigned long long* barrier, unsigned parity, const Site& site) {
  const bool own = is_shared(barrier);
  while (!has_ended(barrier, parity, site)) {
    if (own)
      running_worker()->scheduler.park(barrier, site);
    else
      yield();
  }
}

}  // namespace warplab::emulator
